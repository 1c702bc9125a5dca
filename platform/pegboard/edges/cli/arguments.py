"""Read the arguments of `platform call` by the schema of the tool: `k=v`, `k.inner=v`, JSON, `@file`, `-`."""

import base64
import errno
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pegboard.edges.cli.shape import Shape
from pegboard.errors import InvalidArguments, UsageError
from pegboard.text import Json, read_json, to_json

MOST_BYTES = 4 << 20
"""Of a file or stdin; more is refused, so that what never ends is not waited for."""
_OBJECT_HINT = 'Write {"name": "value"}, in quotes for your shell.'


def arguments_from(words: Sequence[str], schema: Mapping[str, Json]) -> dict[str, Json]:
    """Return the arguments that `words` give; a later word overrides what JSON before it gave.

    `address.city=…` is a key of the object `address`. A word for a list that is repeated adds to the list of the word
    before, and takes the place of one that JSON gave.

    Raises:
        UsageError: a word that cannot be read, or that gives again what is no list.
        InvalidArguments: a name that the schema lacks, or a value of another type.
    """
    reading = _Reading(schema)
    for word in words:
        reading.take(word)
    return reading.arguments


class _Reading:
    """Arguments on their way from words."""

    def __init__(self, schema: Mapping[str, Json]) -> None:
        self.arguments: dict[str, Json] = {}
        self._shape = Shape(schema, read_json)
        self._growing: set[tuple[str, ...]] = set()
        """Where lists lie that words gave."""
        self._given: set[tuple[str, ...]] = set()
        """Where all lies that words gave."""
        self._has_read_stdin = False

    def take(self, word: str) -> None:
        if (broken := next((sign for sign in word if "\ud800" <= sign <= "\udfff"), None)) is not None:
            shown = word.encode("utf-8", "replace").decode("utf-8")[:60]
            raise UsageError(f"Argument {shown!r} is not UTF-8 (byte 0x{ord(broken) & 0xFF:02x}).")
        name, equals, text = word.partition("=")
        if word.lstrip().startswith("{") or word.startswith("@") or word == "-":
            self._note_stdin(word)
            self.arguments |= _object(word)
            self._growing.clear()
            self._given.clear()
        elif not equals:
            raise UsageError(f"Argument {word!r} has no value.", hint=f"Write {word}=VALUE, JSON, @FILE or -.")
        elif not name.strip():
            raise UsageError(f"Argument {word!r} has no name.", hint="Write NAME=VALUE.")
        else:
            self._note_stdin(text)
            self._add(name.strip(), text)

    def _note_stdin(self, text: str) -> None:
        if text == "-" and self._has_read_stdin:
            raise UsageError("stdin was read already.", hint="Only one argument can come from there.")
        self._has_read_stdin = self._has_read_stdin or text == "-"

    def _add(self, name: str, text: str) -> None:
        path = self._shape.path_of(name)
        wanted = self._shape.at(path)
        content = _encoded(text[1:]) if _is_file(text, wanted) else _content(text)
        value = self._shape.value(name, content, wanted)
        owner, key = self._owner(path, name)
        before = _held(owner, key, name)
        if path in self._growing and isinstance(before, list) and isinstance(value, list):
            value = [*before, *value]
        elif path in self._given:
            raise UsageError(f"Argument {name!r} is given twice.", hint="It is no list: give it once.")
        elif isinstance(value, list):
            self._growing.add(path)
        self._given.add(path)
        _set(owner, key, value)

    def _owner(self, path: tuple[str, ...], name: str) -> tuple[dict[str, Json] | list[Json], str]:
        """Return the object or list that holds the value at `path`, made where it is not there, and the last key."""
        owner: dict[str, Json] | list[Json] = self.arguments
        for depth, key in enumerate(path[:-1], start=1):
            is_list = path[depth].isdigit() and self._shape.takes_list(self._shape.at(path[:depth]))
            held = _held(owner, key, name)
            if held is None:
                held = [] if is_list else {}
                _set(owner, key, held)
            if not isinstance(held, list if is_list else dict):
                above = ".".join(path[:depth])
                raise InvalidArguments(f"Argument {name!r} cannot be set: {above!r} is {to_json(held)[:60]}.")
            owner = held
        return owner, path[-1]


def _held(owner: dict[str, Json] | list[Json], key: str, name: str) -> Json:
    """Return what `owner` has at `key`, or None; the next position of a list is free."""
    if isinstance(owner, dict):
        return owner.get(key)
    if int(key) > len(owner):
        raise InvalidArguments(f"Argument {name!r} leaves a gap: there are {len(owner)} before it.")
    return owner[int(key)] if int(key) < len(owner) else None


def _set(owner: dict[str, Json] | list[Json], key: str, value: Json) -> None:
    if isinstance(owner, dict):
        owner[key] = value
    else:
        owner[int(key) : int(key) + 1] = [value]


def _is_file(text: str, schema: Json) -> bool:
    """Tell whether `text` names a file of any bytes: what the tool takes in base64."""
    takes_bytes = isinstance(schema, dict) and schema.get("contentEncoding") == "base64"
    return takes_bytes and text.startswith("@") and not text.startswith("@@")


def _encoded(name: str) -> str:
    return base64.b64encode(_read(name)).decode()


def _content(text: str) -> str:
    """Return `text`, or what `@file` or `-` (stdin) holds; `@@` is an @."""
    if text == "-":
        return read_stdin()
    if text.startswith("@@"):
        return text[1:]
    if not text.startswith("@"):
        return text
    return _file(text[1:])


def _file(name: str) -> str:
    try:
        return _read(name).decode("utf-8-sig").removesuffix("\n")
    except ValueError as error:
        raise UsageError(f"{name!r} cannot be read: {error}.") from error


def _read(name: str) -> bytes:
    try:
        with Path(name).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # a NUL character is in no path
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{name!r} cannot be read: {reason}.") from error
    if len(data) > MOST_BYTES:
        raise _too_long(repr(name))
    return data


def _too_long(what: str) -> UsageError:
    return UsageError(f"{what} holds more than {MOST_BYTES >> 20} MiB.", hint="Arguments are not so long.")


def _object(word: str) -> dict[str, Json]:
    text = word if word.lstrip().startswith("{") else _content(word)
    try:
        value = read_json(text)
    except ValueError as error:
        raise UsageError(f"{word[:60]!r} cannot be read as JSON: {error}.", hint=_OBJECT_HINT) from error
    if not isinstance(value, dict):
        raise UsageError(f"{word[:60]!r} is no JSON object.", hint=_OBJECT_HINT)
    return value


def read_stdin() -> str:
    """Return what stdin holds, without the end of its last line.

    Raises:
        UsageError: it cannot be read, is not UTF-8, or does not end.
    """
    try:
        text = sys.stdin.read(MOST_BYTES + 1)
    except UnicodeDecodeError as error:
        raise UsageError(f"stdin is not UTF-8 (byte {error.start}).") from error
    except OSError as error:
        reason = "it is closed" if error.errno == errno.EBADF else error.strerror
        raise UsageError(f"stdin cannot be read: {reason}.") from error
    if len(text) > MOST_BYTES:
        raise _too_long("stdin")
    return text.removesuffix("\n")

"""Read the arguments of `platform call` by the schema of the tool: `k=v`, JSON, `@file`, `-`."""

import base64
import errno
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pegboard.errors import InvalidArguments, UsageError
from pegboard.text import TRUTHS, Json, did_you_mean

MOST_BYTES = 4 << 20
"""Of a file or stdin; more is refused, so that what never ends is not waited for."""
_OBJECT_HINT = 'Write {"name": "value"}, in quotes for your shell.'


def arguments_from(words: Sequence[str], schema: Mapping[str, Json]) -> dict[str, Json]:
    """Return the arguments that `words` give; a later word overrides an earlier one, a list grows.

    Raises:
        UsageError: a word that cannot be read.
        InvalidArguments: a name that the schema lacks, or a value of another type.
    """
    held = schema.get("properties")
    properties = held if isinstance(held, dict) else {}
    arguments: dict[str, Json] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if word.lstrip().startswith("{") or word.startswith("@") or word == "-":
            arguments |= _object(word)
        elif not equals:
            raise UsageError(f"Argument {word!r} has no value.", hint=f"Write {word}=VALUE, JSON, @FILE or -.")
        else:
            content = _encoded(text[1:]) if _is_file(text, properties.get(name.strip())) else _content(text)
            _add(arguments, name.strip(), content, properties, closed="properties" in schema)
    return arguments


def _add(arguments: dict[str, Json], name: str, text: str, properties: Mapping[str, Json], *, closed: bool) -> None:
    if closed and name not in properties:
        raise InvalidArguments(
            f"The tool takes no argument {name!r}.", hint=did_you_mean(name, properties, noun="arguments")
        )
    value = coerced(name, text, properties.get(name))
    before = arguments.get(name)
    if isinstance(before, list) and isinstance(value, list):
        arguments[name] = [*before, *value]
    else:
        arguments[name] = value


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
        value = _json(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{word[:60]!r} cannot be read as JSON: {error}.", hint=_OBJECT_HINT) from error
    if not isinstance(value, dict):
        raise UsageError(f"{word[:60]!r} is no JSON object.", hint=_OBJECT_HINT)
    return value


def _json(text: str) -> Json:
    """Read JSON as RFC 8259 has it, of characters only: no `NaN`, no half of a surrogate pair.

    Raises:
        ValueError: it is none; with the reason in words.
    """
    value: Json = json.loads(text, parse_constant=_refuse_constant)
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        escape = f"\\u{ord(error.object[error.start]):04x}"
        raise ValueError(f"{escape} is half of a surrogate pair and no character") from error
    return value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


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


def coerced(name: str, text: str, schema: Json) -> Json:
    """Return `text` as the first type of `schema` that it fits.

    Raises:
        InvalidArguments: it fits none.
    """
    types = types_of(schema)
    for type_ in types:
        try:
            return _as_type(type_, text, schema)
        except (ValueError, RecursionError):
            continue
    raise InvalidArguments(f"Argument {name!r} is {text[:60]!r}.", hint=f"It must be of type {' or '.join(types)}.")


def types_of(schema: Json) -> list[str]:
    """Return the JSON types that `schema` allows, `string` last because every text fits it."""
    found = list(_declared_types(schema))
    return sorted(dict.fromkeys(found), key=lambda each: each == "string") or ["string"]


def _declared_types(schema: Json) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    held = schema.get("type")
    for each in held if isinstance(held, list) else [held]:
        if isinstance(each, str):
            yield each
    for keyword in ("anyOf", "oneOf"):
        parts = schema.get(keyword)
        for part in parts if isinstance(parts, list) else []:
            yield from _declared_types(part)


def _as_type(type_: str, text: str, schema: Json) -> Json:
    match type_:
        case "string":
            return text
        case "integer":
            return int(text)
        case "number":
            return int(text) if text.lstrip("+-").isdigit() else _finite(text)
        case "boolean":
            return _truth(text)
        case "null" if text in ("", "null"):
            return None
        case "array":
            return _array(text, schema)
        case _:
            return _parsed(text, dict)


def _finite(text: str) -> float:
    number = float(text)
    if number - number != 0:
        raise ValueError(text)
    return number


def _truth(text: str) -> bool:
    if text.lower() not in TRUTHS:
        raise ValueError(text)
    return TRUTHS[text.lower()]


def _parsed(text: str, kind: type) -> Json:
    value = _json(text)
    if not isinstance(value, kind):
        raise ValueError(text)
    return value


def _array(text: str, schema: Json) -> Json:
    if text.lstrip().startswith("["):
        return _parsed(text, list)
    items = schema.get("items") if isinstance(schema, dict) else None
    parts = [part.strip() for part in text.split(",")]
    return [coerced("items", part, items) for part in parts if part]

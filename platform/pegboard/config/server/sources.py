"""Where settings come from: the command line, the environment, `pegboard.toml`; each value with its place.

Not here: which of several values counts; that is `settings`' business.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pegboard.config.credentials import names_secret
from pegboard.config.problems import Problems
from pegboard.config.server.keys import KEYS
from pegboard.config.span import Span, shown
from pegboard.config.syntax.source import Source, as_far_as_readable, decode
from pegboard.text import did_you_mean, nearest, to_json

FILE = "pegboard.toml"
"""Where settings lie, beside `tools.xml`."""
PREFIX = "PEGBOARD_"
"""How the variables of settings begin."""

By: TypeAlias = Literal["command line", "environment", "file", "default"]


@dataclass(frozen=True, slots=True)
class Raw:
    """A value as it was given."""

    key: str
    value: object
    by: By
    span: Span
    base: Path
    """Where a relative path in it starts."""

    @property
    def place(self) -> str:
        """Where it was given: `--port`, `$PEGBOARD_PORT`, `pegboard.toml:3:1`."""
        return str(self.span) if self.by == "file" else self.span.file


def from_command_line(options: Mapping[str, object], assigned: Mapping[str, str], problems: Problems) -> list[Raw]:
    """Return what `--set KEY=VALUE` assigns, then the options of the same names; None is not given."""
    found: list[Raw] = []
    for key, value in assigned.items():
        span = Span(f"--set {key}", 1, 1)
        if key in KEYS:
            found.append(Raw(key, value, "command line", span, Path()))
        else:
            problems.add("PB101", span, f"there is no setting {key!r}", hint=did_you_mean(key, KEYS, noun="settings"))
    for key, option in options.items():
        if option is not None:
            found.append(Raw(key, option, "command line", Span(f"--{key.replace('_', '-')}", 1, 1), Path()))
    return found


def from_environ(environ: Mapping[str, str], problems: Problems) -> list[Raw]:
    """Return the variables that are settings; one that is none is a problem, as it may be a slip."""
    found: list[Raw] = []
    for name in sorted(name for name in environ if name.startswith(PREFIX)):
        key, span = name.removeprefix(PREFIX).lower(), Span(f"${name}", 1, 1)
        if key == "port" and environ[name].startswith("tcp://"):
            hint = "Set enableServiceLinks: false in the pod, or give --port."
            problems.add("PB106", span, "Kubernetes sets this variable for a service called pegboard", hint=hint)
        elif key in KEYS:
            found.append(Raw(key, environ[name], "environment", span, Path()))
        elif not _is_others(key):
            near = nearest(key, KEYS)
            hint = f"Did you mean '{PREFIX}{near.upper()}'?" if near else "`platform config` lists the settings."
            problems.add("PB106", span, f"there is no setting {key!r}; the variable is ignored", hint=hint)
    return found


def stand_ins(environ: Mapping[str, str]) -> list[Raw]:
    """Return the variables of other names that stand in for settings."""
    return [
        Raw(key, environ[named.stand_in], "environment", Span(f"${named.stand_in}", 1, 1), Path())
        for key, named in KEYS.items()
        if named.stand_in and environ.get(named.stand_in, "").strip()
    ]


def _is_others(key: str) -> bool:
    """Tell whether a variable is read elsewhere, or set by Kubernetes for a service of this name."""
    return key == "config" or "_service_" in f"_{key}" or key.startswith("port_")


def from_file(root: Path, problems: Problems) -> tuple[list[Raw], Source | None]:
    """Return what `pegboard.toml` in `root` gives, and its text; no file gives nothing."""
    path = root / FILE
    name = shown(path)
    content = _content(path, name, problems)
    if content is None:
        return [], None
    found = Problems()
    source = decode(content, name, found)
    if source is None:
        source = as_far_as_readable(content, name)
        _hide_secrets(source)
        problems += found
        return [], source
    _hide_secrets(source)
    return list(_given(source, root, problems)), source


def _content(path: Path, name: str, problems: Problems) -> bytes | None:
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            problems.add("PB001", Span(name, 1, 1), "this is no regular file")
            return None
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # a NUL character is in no name
        return None
    except OSError as error:
        problems.add("PB001", Span(name, 1, 1), f"the file cannot be read: {error.strerror}")
        return None
    if len(content) <= _MOST_BYTES:
        return content
    problems.add("PB002", Span(name, 1, 1), f"the file has more than {_MOST_BYTES} bytes")
    return None


_MOST_BYTES = 64 << 10
_MOST_HINTED = 100
"""Problems that get a near word: to look for one takes time."""


def _given(source: Source, root: Path, problems: Problems) -> Iterator[Raw]:
    places = _places(source)
    for key, value in _table(source, problems).items():
        span = places.get(key) or source.span(0)
        if key not in KEYS:
            hint = did_you_mean(key, KEYS) if len(problems) < _MOST_HINTED else ""
            problems.add("PB101", span, f"there is no setting {key!r}", hint=hint)
        elif KEYS[key].is_list and isinstance(value, str):
            words = ", ".join(to_json(word.strip()) for word in value.split(","))
            message = f"{key} cannot be {value!r}: wanted is a list of texts"
            problems.add("PB104", span, message, hint=f"Write {key} = [{words}].")
        else:
            yield Raw(key, value, "file", span, root)


def _table(source: Source, problems: Problems) -> dict[str, Any]:
    try:
        return tomllib.loads(source.text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:  # a number of thousands of digits
        match = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        offset = source.offset(int(match[1]), int(match[2])) if match else len(source.text.rstrip())
        message = str(error).partition(" (at ")[0] or "nested too deep"
        hint = next((hint for words, hint in _HINTS.items() if words in message), _SYNTAX_HINT)
        problems.add("PB003", source.span(offset), f"TOML: {message}", hint=hint)
        return {}


_SYNTAX_HINT = 'Each line is `key = value`: texts in quotes, lists as ["a", "b"]; see toml.io.'
_HINTS = {
    "Invalid value": 'Put a text in quotes: key = "value".',
    "Expected '=' after a key": "Write key = value.",
    "Cannot overwrite a value": "The key stands there twice: remove one.",
    "Unclosed array": "Close the list with ].",
    "Unterminated string": 'Close the text with ".',
    "Illegal character": 'Close the text with " on its own line.',
    "escape": "In single quotes a backslash is a backslash: key = 'C:\\folder'.",
    "Expected newline or end of document": "One setting stands on one line; put a text in quotes.",
    "nested too deep": "Settings are texts, numbers and lists of texts.",
}
"""What to do, by words of Python's messages."""


_KEY = re.compile(r"""^[ \t]*\[{0,2}[ \t]*((["']?)([^\s"'=.\[\]]+)\2)[ \t]*[\].=]""", re.MULTILINE)


def _places(source: Source) -> dict[str, Span]:
    """Return where each key stands first; TOML's reader does not tell."""
    matches = reversed(list(_KEY.finditer(source.text)))
    return {match[3]: source.span(match.start(1), match.end(1)) for match in matches}


_ASSIGNED = re.compile(r"""^[ \t]*["']?([A-Za-z0-9_.-]{1,80})["']?[ \t]*[=:]?[ \t]*(\S[^\r\n]*)""", re.MULTILINE)


def _hide_secrets(source: Source) -> None:
    """Hide the values of keys that are secret, or are called like a secret, from every quoted line."""
    for match in _ASSIGNED.finditer(source.text):
        key = match[1]
        near = key if key in KEYS else nearest(key, KEYS)
        if names_secret(key) or (near is not None and KEYS[near].kind == "secret"):
            source.hide(match.start(2), match.end(2))

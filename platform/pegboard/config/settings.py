"""The server's settings: apart from the documents and above them.

They come from the command line, then the environment (`PEGBOARD_*`), then `pegboard.toml` beside `tools.xml`.
Only they say what documents may do: which handlers may be loaded, which variables may be read.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pegboard.config.problems import Problems
from pegboard.config.setting_values import KEYS
from pegboard.config.source import Source, as_far_as_readable, decode, quoted
from pegboard.config.span import Span, shown
from pegboard.text import did_you_mean, nearest, to_json

FILE = "pegboard.toml"
FOLDER = "tools.d"
"""Where the documents lie that are read after `tools.xml`."""
"""Where settings lie, beside `tools.xml`."""
PREFIX = "PEGBOARD_"
"""How the variables of settings begin."""
DEFAULT_PREFIXES = ("pegboard.handlers",)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The model that `OPENAI_BASE_URL`, `OPENAI_API_KEY` and `OPENAI_MODEL` name."""

    name: str
    """`OPENAI_MODEL`; empty: the only one that the endpoint lists."""
    base_url: str = ""
    """`OPENAI_BASE_URL`; empty: the provider's own."""
    api_key: str = field(default="", repr=False)
    """`OPENAI_API_KEY`."""
    scoring: str = "auto"
    """`number`, `yes_no`, or `auto`: by the size that the model's name tells."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What one server runs with."""

    root: Path
    """The folder of the configuration: handlers of one's own are imported from here, data lies below it."""
    config: Path
    """What `-c` named: a folder with `tools.xml` and `tools.d/`, or one file."""
    data: Path
    """Where the index and all other state lies; `.pegboard` in `root` unless `--data` names another."""
    host: str = "127.0.0.1"
    port: int = 8000
    allowed_hosts: tuple[str, ...] = ()
    """Host headers that are answered besides loopback and the sites' domains."""
    allowed_origins: tuple[str, ...] = ()
    """Origins of pages that may ask, besides the server's own."""
    handler_prefixes: tuple[str, ...] = DEFAULT_PREFIXES
    """Packages and modules from which handlers may be loaded."""
    nlweb_handlers: tuple[str, ...] = ()
    """Classes of NLWeb's contract that may be handlers; they lie below an allowed prefix too."""
    env_allow: tuple[str, ...] = ("*",)
    """Patterns of variables that documents may read; the server's own are never among them."""
    model: ModelSettings | None = None
    """None: the embedded scorer, and answers that are extracts."""
    query_characters: int = 8000
    """A longer question is refused."""
    file_bytes: int = 1 << 20
    """A larger document is refused unread."""
    total_bytes: int = 64 << 20
    """All documents together."""
    request_seconds: float = 60.0
    """How long one request may take."""
    index: str = "auto"
    """`sqlite`, `lancedb`, or `auto`: SQLite until the content is large, then LanceDB where it is installed."""


def read_settings(
    *, environ: Mapping[str, str], config: Path | None = None, data: Path | None = None, **options: object
) -> tuple[Settings, Problems]:
    """Read the settings: command line, then `PEGBOARD_*` in `environ`, then `pegboard.toml`, then defaults.

    `config`, `data` and `options` are those of the command line; `options` are named like the keys of the
    file (`host`, `port`, `index` ...), and None means not given. Without `config` and `PEGBOARD_CONFIG`, it
    is the working folder. `handler_prefixes` are added to the default. A value that cannot be used is a
    problem, and that of the next source counts.
    """
    problems = Problems()
    where = _absolute(config or environ.get(f"{PREFIX}CONFIG") or Path())
    root = _root_of(where)
    values = _from_file(root, problems) | _from_environ(environ, problems)
    for key, value in {"data": data and str(data), **options}.items():
        if value is not None:
            _take(values, key, value, Span(f"--{key.replace('_', '-')}", 1, 1), problems, Path())
    prefixes = (*DEFAULT_PREFIXES, *values.pop("handler_prefixes", ()))
    model = _model(environ, values.pop("scoring", "auto"))
    settings = Settings(root=root, config=where, data=root / ".pegboard", model=model)
    return replace(settings, handler_prefixes=tuple(dict.fromkeys(prefixes)), **values), problems


def _root_of(config: Path) -> Path:
    """Return the folder of a configuration; a document in `tools.d` belongs to the folder above that."""
    if config.is_dir():
        return config
    return config.parent.parent if config.parent.name == FOLDER else config.parent


def _absolute(path: Path | str) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 (links are kept as the user sees them)


def _model(environ: Mapping[str, str], scoring: str) -> ModelSettings | None:
    """Return the model that the environment names; a bare key names none."""
    name, url = environ.get("OPENAI_MODEL", "").strip(), environ.get("OPENAI_BASE_URL", "").strip()
    if not name and not url:
        return None
    return ModelSettings(name=name, base_url=url, api_key=environ.get("OPENAI_API_KEY", ""), scoring=scoring)


def _take(values: dict[str, Any], key: str, value: object, span: Span, problems: Problems, base: Path) -> None:
    """Read one value; a path in it starts at `base`."""
    try:
        read = KEYS[key].read(value)
    except ValueError as error:
        problems.add("PB104", span, f"{key} cannot be {value!r}: {error}")
        return
    values[KEYS[key].field] = _absolute(base / str(read)) if key == "data" else read


def _from_file(root: Path, problems: Problems) -> dict[str, Any]:
    path = root / FILE
    name = shown(path)
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            problems.add("PB001", Span(name, 1, 1), "this is no regular file")
            return {}
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        problems.add("PB001", Span(name, 1, 1), f"the file cannot be read: {error.strerror}")
        return {}
    found = Problems()
    source = decode(content, name, found)
    values = _values(source, root, found) if source else {}
    problems += quoted(found, {name: source or as_far_as_readable(content, name)})
    return values


def _values(source: Source, root: Path, problems: Problems) -> dict[str, Any]:
    values = dict[str, Any]()
    for key, value in _table(source, problems).items():
        span = _place(source, key)
        if key in KEYS and KEYS[key].is_list and isinstance(value, str):
            words = ", ".join(to_json(word.strip()) for word in value.split(","))
            message = f"{key} cannot be {value!r}: wanted is a list of texts"
            problems.add("PB104", span, message, hint=f"Write {key} = [{words}].")
        elif key in KEYS:
            _take(values, key, value, span, problems, root)
        else:
            problems.add("PB101", span, f"there is no setting {key!r}", hint=did_you_mean(key, KEYS))
    return values


def _table(source: Source, problems: Problems) -> dict[str, Any]:
    try:
        return tomllib.loads(source.text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
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


def _place(source: Source, key: str) -> Span:
    """Return where a key stands; TOML's reader does not tell."""
    match = re.search(rf"""^\s*\[*\s*(["']?{re.escape(key)}["']?)\s*[\].=]""", source.text, re.MULTILINE)
    return source.span(match.start(1), match.end(1)) if match else source.span(0)


def _from_environ(environ: Mapping[str, str], problems: Problems) -> dict[str, Any]:
    values = dict[str, Any]()
    for name in sorted(name for name in environ if name.startswith(PREFIX)):
        key, span = name.removeprefix(PREFIX).lower(), Span(f"${name}", 1, 1)
        if key == "port" and environ[name].startswith("tcp://"):
            hint = "Set enableServiceLinks: false in the pod, or give --port."
            problems.add("PB106", span, "Kubernetes sets this variable for a service called pegboard", hint=hint)
        elif key in KEYS:
            _take(values, key, environ[name], span, problems, Path())
        elif not _is_others(key) and (near := nearest(key, KEYS)):
            hint = f"Did you mean '{PREFIX}{near.upper()}'?"
            problems.add("PB106", span, f"there is no setting {key!r}; the variable is ignored", hint=hint)
    return values


def _is_others(key: str) -> bool:
    """Tell whether a variable is read elsewhere, or set by Kubernetes for a service of this name."""
    return key == "config" or "_service_" in f"_{key}" or key.startswith("port_")

"""The keys of `pegboard.toml`, of `PEGBOARD_*` and of the command line, and how each value is read.

Variables and options are text; TOML has types of its own. Sizes and durations carry their unit everywhere.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from pegboard.config.duration import read_seconds

Value: TypeAlias = str | int | float | tuple[str, ...]

_SIZE = re.compile(r"([0-9]{1,15})\s*(B|KiB|MiB|GiB)")
_UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Key:
    """One setting."""

    field: str
    """The field of `Settings` that it gives."""
    read: Callable[[object], Value]
    """Reads a value; raises ValueError with what is wanted."""
    is_list: bool = False
    """In `pegboard.toml` it is a list, also of one text."""


def _text(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    raise ValueError("wanted is a text")


def _words(value: object) -> tuple[str, ...]:
    words = value.split(",") if isinstance(value, str) else value
    if isinstance(words, list | tuple) and all(isinstance(word, str) for word in words):
        return tuple(word.strip() for word in words if word.strip())
    raise ValueError("wanted is a list of texts (in a variable, with commas between them)")


def _dotted(value: object) -> tuple[str, ...]:
    words = _words(value)
    for word in words:
        if not _DOTTED.fullmatch(word):
            raise ValueError(f"{word!r} is no package or module; wanted is a dotted name such as shop.handlers")
        if word.partition(".")[0] == "platform":
            raise ValueError("`platform` is a module of Python itself; name the package below it")
    return words


def _classes(value: object) -> tuple[str, ...]:
    words = _words(value)
    for word in words:
        module_name, _, name = word.replace(":", ".").rpartition(".")
        if not module_name or not name or word.count(":") > 1:
            raise ValueError(f"{word!r} is no class; wanted is its dotted path such as shop.handlers.Pairings")
        _dotted([module_name, name])
    return words


def _whole(lowest: int, highest: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, str) and re.fullmatch(r"[0-9]{1,18}", value.strip()):
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest:
            return value
        raise ValueError(f"wanted is a whole number from {lowest} to {highest}")

    return read


def _size(value: object) -> int:
    match = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match and (size := int(match[1]) * _UNITS[match[2]]):
        return size
    raise ValueError("wanted is a size with its unit, such as 512KiB or 2MiB")


def _duration(value: object) -> float:
    seconds = read_seconds(value)
    if isinstance(seconds, float) and seconds > 0:
        return seconds
    raise ValueError("wanted is a duration with its unit, such as 500ms or 60s")


def _one_of(*choices: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise ValueError(f"wanted is one of {', '.join(choices)}")

    return read


KEYS: dict[str, Key] = {
    "data": Key("data", _text),
    "host": Key("host", _text),
    "port": Key("port", _whole(0, 65535)),
    "allowed_hosts": Key("allowed_hosts", _words, is_list=True),
    "allowed_origins": Key("allowed_origins", _words, is_list=True),
    "handler_prefixes": Key("handler_prefixes", _dotted, is_list=True),
    "nlweb_handlers": Key("nlweb_handlers", _classes, is_list=True),
    "env_allow": Key("env_allow", _words, is_list=True),
    "query_characters": Key("query_characters", _whole(1, 1_000_000)),
    "file_size": Key("file_bytes", _size),
    "total_size": Key("total_bytes", _size),
    "request_timeout": Key("request_seconds", _duration),
    "index": Key("index", _one_of("auto", "sqlite", "lancedb")),
    "scoring": Key("scoring", _one_of("auto", "number", "yes_no")),
}
"""Every setting by its key."""

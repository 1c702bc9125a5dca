"""The keys of `pegboard.toml`, of `PEGBOARD_*` and of the command line: what each means, and how it is read.

`KEYS` is the one table of them: `settings` reads by it, `platform config` and the docs print it. Variables and options
are text; TOML has types of its own. Sizes and durations carry their unit everywhere.
"""

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Literal, TypeAlias

from pegboard.config.duration import read_seconds, shown_seconds
from pegboard.config.secret.value import Secret
from pegboard.config.sizes import read_bytes, shown_size
from pegboard.text import Json

Network: TypeAlias = IPv4Network | IPv6Network
Value: TypeAlias = str | int | float | tuple[str, ...] | Path | tuple[Path, ...] | Secret | tuple[Network, ...] | None

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)


def _plain(value: Value) -> Json:
    match value:
        case tuple():
            return [str(each) for each in value]
        case Path():
            return str(value)
        case Secret():
            return "***"
        case _:
            return value


@dataclass(frozen=True, slots=True)
class Key:
    """One setting."""

    field: str
    """The field of `Settings` that it gives."""
    read: Callable[[object], Value]
    """Reads a value; raises ValueError with what is wanted."""
    meaning: str
    """What it says, in a line of Markdown."""
    default: str
    """Its default, in words; the value itself is that of the field."""
    kind: Literal["value", "path", "secret"] = "value"
    """A path is relative to what names it: the file's folder, or the working folder; a secret is never shown."""
    is_list: bool = False
    """In `pegboard.toml` it is a list, also of one text."""
    spelled: Callable[[Value], Json] = _plain
    """Writes a value as it is given."""
    stand_in: str = ""
    """A variable of another name that gives it when nothing else does."""


def _spelled_size(value: Value) -> Json:
    return shown_size(value) if isinstance(value, int) else None


def _spelled_seconds(value: Value) -> Json:
    return shown_seconds(value) if isinstance(value, int | float) else None


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


def _networks(value: object) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(word) for word in _words(value))
    except ValueError as error:
        raise ValueError(f"{error}; wanted are networks such as 10.0.0.0/8 or fd00::/8") from error


def _whole(lowest: int, highest: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, str) and re.fullmatch(r"[0-9]{1,18}", value.strip()):
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest:
            return value
        raise ValueError(f"wanted is a whole number from {lowest} to {highest}")

    return read


def _size(value: object) -> int:
    size = read_bytes(value)
    if isinstance(size, int) and not isinstance(size, bool) and size > 0:
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
    "host": Key("host", _text, "where to listen", "127.0.0.1"),
    "port": Key("port", _whole(0, 65535), "the port to listen at; 0 is a free one", "8000"),
    "data": Key("data", _text, "folder of the index and other state", "`.pegboard` beside the documents", kind="path"),
    "handler_prefixes": Key(
        "handler_prefixes",
        _dotted,
        "packages that handlers may come from, besides `pegboard.handlers`",
        "none",
        is_list=True,
    ),
    "nlweb_handlers": Key(
        "nlweb_handlers",
        _classes,
        "classes of NLWeb's contract that may be handlers; below a prefix too",
        "none",
        is_list=True,
    ),
    "content_dirs": Key(
        "content_dirs",
        _words,
        "folders that knowledge may lie in, besides that of the configuration",
        "none",
        kind="path",
        is_list=True,
    ),
    "commands": Key(
        "commands",
        _words,
        "programs that declarations may run, by path or by name",
        "none",
        is_list=True,
    ),
    "env_allow": Key(
        "env_allow", _words, "variables that documents may read, as patterns", "all but the server's own", is_list=True
    ),
    "secrets_dir": Key("secrets_dir", _text, "folder of the files that `file:NAME` stands for", "none", kind="path"),
    "admin_token": Key(
        "admin_token", _text, "what a client of `/admin` must know", "made at each start", kind="secret"
    ),
    "model_key": Key(
        "model_key", _text, "key of the model's endpoint", "`OPENAI_API_KEY`", kind="secret", stand_in="OPENAI_API_KEY"
    ),
    "allowed_hosts": Key(
        "allowed_hosts",
        _words,
        "Host headers that are answered besides loopback and the sites' domains",
        "none",
        is_list=True,
    ),
    "allowed_origins": Key(
        "allowed_origins", _words, "origins of pages that may ask, besides the server's own", "none", is_list=True
    ),
    "allow_networks": Key(
        "allow_networks",
        _networks,
        "networks that tools may reach by HTTP besides public addresses",
        "none",
        is_list=True,
    ),
    "query_characters": Key("query_characters", _whole(1, 1_000_000), "longest question", "8000"),
    "request_timeout": Key(
        "request_seconds", _duration, "how long one request may take", "60s", spelled=_spelled_seconds
    ),
    "file_size": Key("file_bytes", _size, "largest document", "1MiB", spelled=_spelled_size),
    "total_size": Key("total_bytes", _size, "all documents together", "64MiB", spelled=_spelled_size),
    "index": Key("index", _one_of("auto", "sqlite", "lancedb"), "`sqlite`, `lancedb` or `auto`", "auto"),
    "runs_durability": Key(
        "runs_durability",
        _one_of("none", "process", "power"),
        "what runs survive: `none`, `process` or `power`",
        "process",
    ),
    "runs_parallel": Key("runs_parallel", _whole(1, 100_000), "nodes that work at once, over all runs", "64"),
    "runs_calls": Key("runs_calls", _whole(0, 1_000_000_000), "model calls that one run may make", "1000"),
    "runs_tokens": Key("runs_tokens", _whole(1, 1_000_000_000), "tokens that one run may use", "2000000"),
    "runs_kept": Key("runs_kept", _whole(0, 1_000_000), "ended runs that are kept", "1000"),
    "runs_age": Key("runs_age_seconds", _duration, "how long ended runs are kept", "720h", spelled=_spelled_seconds),
    "store_url": Key(
        "store_url",
        _text,
        "PostgreSQL database for documents, `postgresql://user@host/name`",
        "a file in `data`",
        kind="secret",
    ),
    "document_size": Key("document_bytes", _size, "largest text of a kept document", "1MiB", spelled=_spelled_size),
    "documents_kept": Key("documents_kept", _whole(0, 1_000_000), "documents that one site keeps", "1000"),
    "documents_size": Key(
        "documents_bytes", _size, "all versions of one site's documents together", "256MiB", spelled=_spelled_size
    ),
    "runs_engine": Key("runs_engine", _one_of("local", "temporal"), "what drives runs: `local` or `temporal`", "local"),
    "temporal_address": Key("temporal_address", _text, "where Temporal answers, as `host:port`", "127.0.0.1:7233"),
    "temporal_namespace": Key("temporal_namespace", _text, "the namespace there", "default"),
    "temporal_task_queue": Key(
        "temporal_task_queue", _text, "the task queue that all servers of one configuration share", "pegboard"
    ),
    "temporal_tls": Key(
        "temporal_tls", _one_of("auto", "on", "off"), "whether it is reached by TLS; `auto`: with an API key", "auto"
    ),
    "temporal_api_key": Key("temporal_api_key", _text, "the API key of Temporal", "none", kind="secret"),
    "scoring": Key(
        "scoring", _one_of("auto", "number", "yes_no"), "how a model scores: `number`, `yes_no` or `auto`", "auto"
    ),
    "mcp_commands": Key(
        "mcp_commands", _words, "programs that may be started as MCP servers: names or paths", "none", is_list=True
    ),
}
"""Every setting by its key, in the order in which they are shown."""

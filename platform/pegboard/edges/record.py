"""The note that a running server leaves in its data folder, so that commands can use it.

It holds no secret: a command asks the server itself whether it serves the same configuration. Nobody is asked but this
machine, whatever the note says.
"""

import contextlib
import ipaddress
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pegboard.text import to_json

_NAME = "server.json"
_MAX_BYTES = 4096


@dataclass(frozen=True, slots=True)
class ServerRecord:
    """A server that runs, or has run and could not tidy up."""

    url: str
    pid: int
    digest: str
    """Of the documents that it serves."""


def write_record(data: Path, record: ServerRecord) -> None:
    """Leave `record` in the folder `data`, whole or not at all."""
    data.mkdir(parents=True, exist_ok=True)
    draft = data / f"{_NAME}.{record.pid}"
    draft.write_text(to_json(asdict(record)), encoding="utf-8")
    draft.replace(data / _NAME)


def read_record(data: Path) -> ServerRecord | None:
    """Return the note in `data`; None if there is none that a server on loopback can have left."""
    record = _read(data)
    return record if record is not None and _is_on_loopback(record.url) else None


def remove_record(data: Path) -> None:
    """Take this process's own note away; another server's stays."""
    record = _read(data)
    if record is not None and record.pid == os.getpid():
        with contextlib.suppress(OSError):
            (data / _NAME).unlink()


def _read(data: Path) -> ServerRecord | None:
    path = data / _NAME
    try:
        if not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return None
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    match held:
        case {"url": str(url), "pid": int(pid), "digest": str(digest)} if pid > 0:
            return ServerRecord(url, pid, digest)
    return None


def _is_on_loopback(url: str) -> bool:
    """Tell whether `url` is an address of loopback and a port, and nothing more."""
    try:
        parts = urlsplit(url)
        address, port = ipaddress.ip_address(parts.hostname or ""), parts.port
    except ValueError:
        return False
    host = f"[{address}]" if address.version == 6 else str(address)
    return address.is_loopback and "%" not in host and bool(port) and url == f"http://{host}:{port}"

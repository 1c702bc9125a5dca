"""The note that a running server leaves in its data folder, so that commands can use it.

It holds no secret: a command asks the server itself whether it serves the same configuration.
"""

import contextlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from pegboard.text import to_json

_NAME = "server.json"


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
    """Return the note in `data`; None if there is none that can be read."""
    try:
        held = json.loads((data / _NAME).read_text(encoding="utf-8"))
        return ServerRecord(url=str(held["url"]), pid=int(held["pid"]), digest=str(held["digest"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def remove_record(data: Path) -> None:
    """Take this process's own note away; another server's stays."""
    record = read_record(data)
    if record is not None and record.pid == os.getpid():
        with contextlib.suppress(OSError):
            (data / _NAME).unlink()

"""Which index is opened: SQLite, until the content is large."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

from pegboard.errors import UsageError
from pegboard.knowledge.index import Index
from pegboard.knowledge.lancedb_index import LancedbIndex
from pegboard.knowledge.memory_index import MemoryIndex
from pegboard.knowledge.sqlite_index import SqliteIndex
from pegboard.text import did_you_mean

LARGE_BYTES = 64 << 20
"""Content above which `auto` takes LanceDB: about 100,000 passages, whose vectors take 200 MB of memory in numpy.

Measured with 1,000 and 21,000 passages: SQLite opens in 5 ms and 0.2 s and answers in half to a quarter of the time of
LanceDB, which opens in 1 to 2 s because of its import. Only memory speaks for LanceDB: it keeps vectors on disk.
"""

KINDS = ("auto", "sqlite", "lancedb", "memory")


def open_index(
    folder: Path, *, kind: str, embedder: str, dimensions: int, content_bytes: Callable[[], int] = lambda: 0
) -> Index:
    """Open the index below `folder`, or make it; an index of another embedder's vectors is built anew.

    `kind` is one of `KINDS`: `auto` is SQLite, or for content of more than `LARGE_BYTES` LanceDB where it is
    installed. `content_bytes` gives the size of all content files, and is called only where that is to be decided.

    Raises:
        UsageError: an unknown kind, or LanceDB that is not installed.
    """
    if kind == "auto":
        has_choice = importlib.util.find_spec("lancedb") is not None
        kind = "lancedb" if has_choice and content_bytes() > LARGE_BYTES else "sqlite"
    match kind:
        case "memory":
            return MemoryIndex()
        case "sqlite":
            return SqliteIndex(folder, embedder=embedder, dimensions=dimensions)
        case "lancedb":
            return LancedbIndex(folder, embedder=embedder, dimensions=dimensions)
    raise UsageError(f"There is no index {kind!r}.", hint=did_you_mean(kind, KINDS, noun="index"))

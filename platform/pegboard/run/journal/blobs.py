"""Large outputs of nodes, each a file that is named by what it holds.

A file is whole or is not there, and is written before a journal names it; what no journal names is swept.
"""

import os
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

YOUNG_SECONDS = 3600.0
"""A file that no run names is kept so long: its run may be about to."""


class Blobs:
    """The files below one folder; all methods block."""

    def __init__(self, folder: Path, *, is_synced: bool = False, now: Callable[[], float] = time.time) -> None:
        """Use `folder`; with `is_synced`, what is written survives the loss of power."""
        self._folder = folder
        self._is_synced = is_synced
        self._now = now

    def put(self, content: bytes) -> str:
        """Keep `content` and return its name."""
        name = sha256(content).hexdigest()
        path = self._path(name)
        if path.exists():
            os.utime(path)
            return name
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                if self._is_synced:
                    file.flush()
                    os.fsync(file.fileno())
            Path(draft).replace(path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
        return name

    def get(self, name: str) -> bytes:
        """Return what `name` holds.

        Raises:
            OSError: it is not there.
        """
        return self._path(name).read_bytes()

    def sweep(self, named: set[str], *, young_seconds: float = YOUNG_SECONDS) -> list[str]:
        """Forget what is not in `named` and not young, and return what it was."""
        young = self._now() - young_seconds
        swept = [path for path in self._folder.glob("*/*") if path.name not in named and path.stat().st_mtime < young]
        for path in swept:
            path.unlink(missing_ok=True)
        return [path.name for path in swept]

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / name

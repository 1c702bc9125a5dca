"""`Owner`: who drives runs, and whether an owner of before still lives.

Each holds a lock on a file of its own, which the system lets go when the process ends, however it ends: what a killed
process has driven is free at once. Where that cannot be told, its lease runs out.
"""

import fcntl
import os
import time
import uuid
from contextlib import suppress
from pathlib import Path

from pegboard.run.journal.sqlite import broken

_YOUNG_SECONDS = 86_400.0
"""A file without a lock is left so long: it tells that its owner is gone."""


class Owner:
    """One driver of runs: this process, or one engine of several in it."""

    def __init__(self, folder: Path | None) -> None:
        """Take a name; None: nobody else can see the runs.

        Raises:
            JournalBroken: there can be no file in `folder`.
        """
        self.id = uuid.uuid4().hex[:16]
        self._folder = folder
        try:
            self._handle = -1 if folder is None else _locked(folder, self.id)
        except OSError as error:
            raise broken(folder, error) from error

    def gone(self) -> list[str]:
        """Return the owners that live no longer."""
        if self._folder is None:
            return []
        return [path.stem for path in sorted(self._folder.glob("*.lock")) if path.stem != self.id and _is_free(path)]

    def close(self) -> None:
        """Live no longer."""
        if self._handle >= 0 and self._folder is not None:
            (self._folder / f"{self.id}.lock").unlink(missing_ok=True)
            os.close(self._handle)
            self._handle = -1


def _locked(folder: Path, name: str) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / f"{name}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    return handle


def _is_free(path: Path) -> bool:
    """Tell whether nobody holds the lock; a file that nobody has held for long is taken away."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    with suppress(OSError):
        if path.stat().st_mtime < time.time() - _YOUNG_SECONDS:
            path.unlink()
    return True

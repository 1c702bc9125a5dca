"""Where the content of a `knowledge` declaration lies: absolute paths, and whether anything is there.

Not here: reading it; that is `knowledge`'s business.
"""

import fnmatch
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pegboard.config.server.settings import Settings
from pegboard.text import nearest

_MAGIC = re.compile(r"[*?\[]")
_MOST_ENTRIES = 20_000
"""Patterns that found nothing in so many files are believed; the check must not read a whole disk."""
_LONGEST_PATH = 4096
_LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class Fence:
    """The folders that content may be read from: the configuration's own and those of the setting `content_dirs`."""

    folders: tuple[str, ...]
    """With all links followed."""
    hint: str = ""
    """What to do about a path that lies elsewhere."""

    @classmethod
    def of(cls, settings: Settings) -> "Fence":
        """Return the fence of a configuration."""
        folders = tuple(os.path.realpath(folder) for folder in (settings.root, *settings.content_dirs))
        hint = f"Put it below {settings.root}, or add its folder to content_dirs in pegboard.toml."
        return cls(folders, hint)

    def holds(self, path: str) -> bool:
        """Tell whether a path, or the part of a pattern before its first wildcard, lies within, links followed."""
        parts = Path(path).parts
        fixed = next((index for index, part in enumerate(parts) if _MAGIC.search(part)), len(parts))
        try:
            real = os.path.realpath(path if os.path.lexists(path) else Path(*parts[:fixed]))
        except (OSError, ValueError):  # a NUL character is in no path
            return True
        return self.holds_real(real)

    def holds_real(self, path: str) -> bool:
        """Tell whether a path whose links were followed lies within."""
        return any(path == folder or path.startswith(f"{folder.rstrip(os.sep)}{os.sep}") for folder in self.folders)


def absolute(source: str, folder: Path) -> str:
    """Return the path or pattern `source`, which is relative to `folder`, as an absolute one."""
    return os.path.normpath(folder / source)


class Look:
    """Looks for content: through a bounded number of files in all, however many patterns there are."""

    def __init__(self) -> None:
        self._left = _MOST_ENTRIES

    def is_there(self, path: str) -> bool:
        """Tell whether a path exists, or a pattern (`*`, `?`, `[a-z]`, `**`) finds something."""
        if len(path) > _LONGEST_PATH or "\x00" in path:
            return False
        return os.path.exists(path) or (_MAGIC.search(path) is not None and self._finds(path))  # noqa: PTH110

    def _finds(self, pattern: str) -> bool:
        parts = Path(pattern).parts
        fixed = next(index for index, part in enumerate(parts) if _MAGIC.search(part))
        folder, wanted = os.path.join(*parts[:fixed]), parts[fixed:]  # noqa: PTH118
        if any(len(part) > _LONGEST_NAME for part in wanted):
            return False
        steps = [None if part == "**" else re.compile(fnmatch.translate(part)) for part in wanted]
        for below, folders, files in os.walk(folder):
            above = Path(below).parts[fixed:]
            for name in (*folders, *files):
                self._left -= 1
                if self._left < 0 or _leads_to(steps, (*above, name)):
                    return True
            if None not in steps and len(above) + 1 >= len(steps):
                folders.clear()
        return False


def _leads_to(steps: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Tell whether the steps of a pattern (None: `**`, any number of folders) lead to a path."""
    at = _onwards(steps, {0})
    """How many steps may be behind us."""
    for name in names:
        taken = {done + 1 for done in at if (step := _step(steps, done)) is not None and step.match(name)}
        stayed = {done for done in at if done < len(steps) and steps[done] is None}
        at = _onwards(steps, taken | stayed)
    return len(steps) in at


def _step(steps: Sequence[re.Pattern[str] | None], done: int) -> re.Pattern[str] | None:
    return steps[done] if done < len(steps) else None


def _onwards(steps: Sequence[re.Pattern[str] | None], at: set[int]) -> set[int]:
    """Add what is reached without a name: `**` also stands for no folder at all."""
    for done in range(len(steps)):
        if done in at and steps[done] is None:
            at.add(done + 1)
    return at


def near(path: str) -> str:
    """Say which file may be meant, or what paths are relative to."""
    folder, missing = _first_missing(path)
    try:
        meant = nearest(missing, (path.name for path in Path(folder).iterdir()))
    except (OSError, ValueError):  # a NUL character is in no path
        meant = None
    return f"Did you mean {meant!r}?" if meant else "Paths are relative to the document that names them."


def _first_missing(path: str) -> tuple[str, str]:
    """Return the deepest folder on the way to `path` that is there, and the name that is not."""
    folder, *names = Path(path).parts
    for name in names[:-1]:
        if len(below := os.path.join(folder, name)) > _LONGEST_PATH or not os.path.isdir(below):  # noqa: PTH112, PTH118
            return folder, name
        folder = below
    return folder, names[-1] if names else ""

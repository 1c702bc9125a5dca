"""Where the content of a `knowledge` declaration lies: absolute paths, and whether anything is there.

Not here: reading it; that is `knowledge`'s business.
"""

import fnmatch
import os
import re
from dataclasses import dataclass
from pathlib import Path

from pegboard.config.settings import Settings
from pegboard.text import nearest

_MAGIC = re.compile(r"[*?\[]")
_MOST_ENTRIES = 20_000
"""A pattern that found nothing in so many files is believed; the check must not read a whole disk."""


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


def is_there(path: str) -> bool:
    """Tell whether a path exists, or a pattern (`*`, `?`, `[a-z]`, `**`) finds something."""
    if os.path.exists(path):  # noqa: PTH110 (a path with a NUL character is not there either)
        return True
    return _MAGIC.search(path) is not None and _finds_something(path)


def near(path: str) -> str:
    """Say which file may be meant, or what paths are relative to."""
    missing = Path(path)
    while not missing.parent.is_dir() and missing != missing.parent:
        missing = missing.parent
    try:
        meant = nearest(missing.name, (entry.name for entry in os.scandir(missing.parent)))
    except OSError:
        meant = None
    return f"Did you mean {meant!r}?" if meant else "Paths are relative to the document that names them."


def _finds_something(pattern: str) -> bool:
    parts = Path(pattern).parts
    fixed = next(index for index, part in enumerate(parts) if _MAGIC.search(part))
    folder = Path(*parts[:fixed])
    wanted = re.compile("".join(_expression(part) for part in parts[fixed:]).removesuffix("/"))
    seen = 0
    for below, folders, files in os.walk(folder):
        for name in (*folders, *files):
            seen += 1
            if seen > _MOST_ENTRIES or wanted.fullmatch(os.path.relpath(Path(below, name), folder)):
                return True
        if "**" not in parts and len(Path(below).parts) + 1 >= len(parts):
            folders.clear()
    return False


def _expression(part: str) -> str:
    """Return the regular expression of one step of a pattern, with the `/` behind it."""
    if part == "**":
        return "(?:[^/]+/)*"
    return fnmatch.translate(part).replace(".*", "[^/]*").removesuffix(r"\Z").removesuffix(r"\z") + "/"

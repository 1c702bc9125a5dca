"""Notice that the documents of a configuration may have changed.

The file system's own events are quick, and get lost: over bind mounts and network folders, behind links that are
swapped. So the stamps of all files are compared every `POLL_SECONDS` as well. Not here: what a change means; that
is for whoever reads the documents again.
"""

import itertools
import logging
import os
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import TypeAlias

import anyio
import anyio.to_thread
from watchfiles import awatch

from pegboard.config import schema_files
from pegboard.config.files import find_documents
from pegboard.config.problems import Problems
from pegboard.config.server.settings import FOLDER, Settings

POLL_SECONDS = 2.0
"""How long a change can stay unseen where the file system tells nothing."""

_DEBOUNCE_MILLISECONDS = 400
"""Changes that follow each other are one, up to this long."""
_MOST_MODULES = 1000
"""Files of Python of one's own that are looked at."""

_log = logging.getLogger(__name__)

_Stamps: TypeAlias = dict[Path, tuple[int, ...]]


async def changes(settings: Settings) -> AsyncGenerator[None, None]:
    """Yield at once, and after each change of a document or of a module beside them that handlers may come from.

    A file that was replaced, removed or added counts, and so does what a symbolic link leads to. What changed before
    the first look is not lost: that is what the first time is for. Never ends.
    """
    before = await anyio.to_thread.run_sync(_stamps, settings)
    yield
    async with aclosing(_ticks(settings)) as ticks:
        async for _ in ticks:
            now = await anyio.to_thread.run_sync(_stamps, settings)
            if now != before:
                before = now
                yield


async def _ticks(settings: Settings) -> AsyncGenerator[None, None]:
    """Yield when something happened in the folders of the documents, and every `POLL_SECONDS`."""
    is_told = True
    while True:
        folders = _folders(settings)
        try:
            events = awatch(
                *folders,
                watch_filter=None,
                debounce=_DEBOUNCE_MILLISECONDS,
                rust_timeout=round(1000 * POLL_SECONDS),
                yield_on_timeout=True,
                recursive=False,
            )
            async with aclosing(events):
                async for _ in events:
                    yield
                    if _folders(settings) != folders:
                        break
        except (OSError, RuntimeError) as error:  # no inotify, none left, or a folder that has gone
            if is_told:
                _log.info("changes of files are looked for every %g s: %s", POLL_SECONDS, error)
            is_told = False
            await anyio.sleep(POLL_SECONDS)
            yield


def _folders(settings: Settings) -> list[Path]:
    """Return the folders that documents lie in, and those that links among them lead to."""
    shared = settings.root / schema_files.FOLDER
    inside = [settings.root, settings.root / FOLDER, shared, *{path.parent for path in schema_files.find(settings)}]
    found = {_real(folder) for folder in inside if _is_folder(folder)}
    found |= {_real(path).parent for path in find_documents(settings, Problems()) if path.is_symlink()}
    return sorted(found)


def _stamps(settings: Settings) -> _Stamps:
    return {path: _stamp(path) for path in (*find_documents(settings, Problems()), *_others(settings))}


def _others(settings: Settings) -> Iterator[Path]:
    yield from schema_files.find(settings)
    yield from _modules(settings.root)


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        status = path.stat()
    except OSError as error:
        return (error.errno or 0,)
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _modules(root: Path) -> Iterator[Path]:
    """Return the modules beside the documents, and those of packages there: one that failed may be mended."""
    packages = [path for path in _inside(root) if _PACKAGE.fullmatch(path.name) and _is_folder(path)]
    found = (path for folder in (root, *packages) for path in _inside(folder) if path.suffix == ".py")
    return itertools.islice(found, _MOST_MODULES)


def _real(path: Path) -> Path:
    """Follow all links; unlike `Path.resolve`, also of a path that runs into a loop of them."""
    return Path(os.path.realpath(path))


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 (false, where pathlib raises, if a folder above may not be entered)


def _inside(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # it has gone, or may not be read
        return []


_PACKAGE = re.compile(r"[A-Za-z]\w*", re.ASCII)

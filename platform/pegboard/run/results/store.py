"""Where results are kept that are too large to be handed around: by their content, for a while, within bounds.

A reference is the hash of the content and a suffix that tells its kind. It is a name of a file and nothing else, so
nobody can reach another folder by one.
"""

import hashlib
import os
import re
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

DAY_SECONDS = 24 * 60 * 60.0
TOTAL_BYTES = 256 << 20
ONE_BYTES = 16 << 20
"""Of one result; what is larger is refused."""

_REF = re.compile(r"[0-9a-f]{40}\.[a-z0-9]{1,5}")
SUFFIXES = {
    "application/json": "json",
    "text/plain": "txt",
    "text/markdown": "md",
    "text/csv": "csv",
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "application/pdf": "pdf",
}
"""Kinds of content that keep their name; any other is bytes."""
_MEDIA_TYPES = {suffix: media_type for media_type, suffix in SUFFIXES.items()}


class NoRoom(Exception):
    """A result that is larger than may be kept, or that the disk does not take."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some bytes of what is kept."""

    content: bytes
    total: int
    """How many bytes the whole has."""


class ResultStore(Protocol):
    """Keeps results for a while; its calls block."""

    def put(self, content: bytes, media_type: str) -> str:
        """Keep `content` and return its reference; what is kept already stays a while longer.

        Raises:
            NoRoom: it is larger than may be kept, or cannot be written.
        """
        ...

    def read(self, ref: str, offset: int, length: int) -> Stretch | None:
        """Return up to `length` bytes from `offset` on; None: nothing is kept under `ref`, or not any more."""
        ...


def media_type_of(ref: str) -> str:
    """Return the kind of what is kept under `ref`."""
    return _MEDIA_TYPES.get(ref.rpartition(".")[2], "application/octet-stream")


def ref_of(content: bytes, media_type: str) -> str:
    """Return the reference of `content`."""
    return f"{hashlib.sha256(content).hexdigest()[:40]}.{SUFFIXES.get(media_type, 'bin')}"


@dataclass(slots=True)
class MemoryResults:
    """Keeps results as long as it lives itself; the twin of `FileResults`."""

    largest: int = ONE_BYTES
    _kept: dict[str, bytes] = field(default_factory=dict)

    def put(self, content: bytes, media_type: str) -> str:
        """Keep `content`; see `ResultStore`."""
        if len(content) > self.largest:
            raise NoRoom(f"It has {len(content):,} bytes; {self.largest:,} may be kept.")
        ref = ref_of(content, media_type)
        self._kept[ref] = content
        return ref

    def read(self, ref: str, offset: int, length: int) -> Stretch | None:
        """Return some bytes; see `ResultStore`."""
        content = self._kept.get(ref)
        return None if content is None else Stretch(content[offset : offset + length], len(content))


@dataclass(frozen=True, slots=True)
class FileResults:
    """Keeps results as files of one folder, the most recently wanted ones first; several processes may share it."""

    folder: Path
    largest: int = ONE_BYTES
    total: int = TOTAL_BYTES
    seconds: float = DAY_SECONDS
    """How long after it was last put something stays."""

    def put(self, content: bytes, media_type: str) -> str:
        """Keep `content`; see `ResultStore`. It is there whole or not at all."""
        if len(content) > self.largest:
            raise NoRoom(f"It has {len(content):,} bytes; {self.largest:,} may be kept.")
        ref = ref_of(content, media_type)
        draft = self.folder / f".{uuid.uuid4().hex}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft.write_bytes(content)
            draft.replace(self.folder / ref)
        except OSError as error:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            raise NoRoom(f"It cannot be written: {error.strerror or type(error).__name__}.") from error
        self._make_room(ref)
        return ref

    def read(self, ref: str, offset: int, length: int) -> Stretch | None:
        """Return some bytes; see `ResultStore`."""
        if not _REF.fullmatch(ref):
            return None
        try:
            with (self.folder / ref).open("rb") as file:
                status = os.fstat(file.fileno())
                if time.time() - status.st_mtime > self.seconds:
                    return None
                file.seek(min(offset, status.st_size))
                return Stretch(file.read(length), status.st_size)
        except OSError:
            return None

    def _make_room(self, newest: str) -> None:
        """Remove what is too old, then the oldest, until all that is left fits; never what was just put."""
        kept = sorted(self._entries(), reverse=True)
        left, now = self.total, time.time()
        for modified, size, path in kept:
            left -= size
            if path.name != newest and (left < 0 or now - modified > self.seconds):
                with suppress(OSError):
                    path.unlink()

    def _entries(self) -> list[tuple[float, int, Path]]:
        found = []
        with suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.is_file(follow_symlinks=False):
                        status = entry.stat(follow_symlinks=False)
                        found.append((status.st_mtime, status.st_size, Path(entry.path)))
        return found

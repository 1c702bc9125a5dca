"""Documents of the configuration: each is read once for what it holds, however many of its tools are made."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pegboard.catalog.kind import About, Misdeclared, Misfit
from pegboard.config.blocks.openapi import OpenapiSourceDeclaration
from pegboard.handlers.openapi.api import Api
from pegboard.handlers.openapi.parse import parse
from pegboard.handlers.openapi.reading import MOST_BYTES, Unreadable, read_document
from pegboard.handlers.openapi.schemas import Schemas

K = TypeVar("K")
V = TypeVar("V")

_MOST_KEPT = 16
"""Documents; those whose tools serve are kept by them as well."""
_AGAIN = "Put it back, or take the new one over with `platform import openapi … --force`."


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """A document that was read."""

    api: Api
    schemas: Schemas
    digest: str
    """SHA-256 of its bytes."""


_by_digest: "OrderedDict[str, Loaded]" = OrderedDict()
_by_file: "OrderedDict[tuple[str, int, int, int], str]" = OrderedDict()
"""The digest of a file as it was when it was read: its path, inode, size and time."""


def source_of(about: About) -> OpenapiSourceDeclaration:
    """Return what the source of a tool declares."""
    assert about.source is not None
    assert about.source.openapi is not None
    return about.source.openapi


def loaded(about: About) -> Loaded:
    """Return the document of the source.

    Raises:
        Misdeclared: it cannot be had, or is not the one that was imported.
    """
    declared = source_of(about)
    try:
        path = about.path(declared.document, folder=about.source_folder)
    except Misdeclared as error:
        raise Misdeclared(*(Misfit(("document",), each.message, each.hint) for each in error.misfits)) from error
    try:
        found = _found(path, declared.sha256.strip().lower())
    except Unreadable as error:
        raise Misdeclared(Misfit(("document",), f"has the document {declared.document!r}, which {error}")) from error
    except OSError as error:
        message = f"has the document {declared.document!r}, which cannot be read: {error.strerror}"
        raise Misdeclared(Misfit(("document",), message, "Paths are relative to the file that names them.")) from error
    if declared.sha256 and found.digest != declared.sha256.strip().lower():
        message = f"has the document {declared.document!r}, which is not the one that was imported"
        raise Misdeclared(Misfit(("sha256",), message, f"Its digest is {found.digest}. {_AGAIN}"))
    return found


def _found(path: Path, wanted: str) -> Loaded:
    """Return what is at `path`; a document with another digest than `wanted` is not parsed."""
    state = path.stat()
    if state.st_size > MOST_BYTES:
        raise Unreadable(f"has {state.st_size:,} bytes, and {MOST_BYTES:,} are read at most")
    key = (str(path), state.st_ino, state.st_size, state.st_mtime_ns)
    digest = _by_file.get(key, "")
    if digest in _by_digest:
        _by_digest.move_to_end(digest)
        return _by_digest[digest]
    data = path.read_bytes()
    digest = digest_of(data)
    _keep(_by_file, key, digest)
    if wanted and digest != wanted:
        return Loaded(Api("", "", "", {}, {}, {}), Schemas({}), digest)
    if digest not in _by_digest:
        _keep(_by_digest, digest, made(data))
    return _by_digest[digest]


def made(data: bytes) -> Loaded:
    """Return the document that `data` is.

    Raises:
        Unreadable: it is none.
    """
    api = parse(read_document(data))
    return Loaded(api, Schemas(api.references), digest_of(data))


def digest_of(data: bytes) -> str:
    """Return what a document is locked by."""
    return hashlib.sha256(data).hexdigest()


def _keep(kept: "OrderedDict[K, V]", key: K, value: V) -> None:
    kept[key] = value
    while len(kept) > _MOST_KEPT:
        kept.popitem(last=False)

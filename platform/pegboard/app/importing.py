"""From a service that describes itself to the declaration of a source: `platform import`. Nothing is written here."""

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from pegboard.catalog.kind import About, Imported
from pegboard.catalog.loading.kinds import BLOCKS
from pegboard.catalog.loading.named import Handlers
from pegboard.catalog.loading.resolve import Unresolved
from pegboard.config.blocks.mcp import McpSourceDeclaration
from pegboard.config.blocks.openapi import OpenapiSourceDeclaration
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.declaration import NAME_PATTERN, NAME_RULES
from pegboard.config.server.settings import DEFAULT_PREFIXES, FOLDER, Settings
from pegboard.config.starter.wanted import Draft, NewSource
from pegboard.config.write.tree import Comment, Part, Scalar, Sequence
from pegboard.config.write.tree import Mapping as Branch
from pegboard.config.write.yaml_writer import write_yaml
from pegboard.errors import UsageError
from pegboard.text import Json

_HEADER = "yaml-language-server: $schema=../schemas/document.json"
_GENERIC = re.compile(r"(?i)(openapi|swagger|api|apis|spec|schema|index|docs?|mcp|sse|v?\d+(\.\d+)*)?")
"""Names of files that say nothing of the service."""
_LONGEST_NAME = 24
"""Characters of a name that was not given: it stands before the name of each tool."""


async def draft_source(settings: Settings, wanted: NewSource) -> Draft:
    """Fetch what is imported, and return what declares it; nothing is written.

    Raises:
        UsageError: nothing can be imported from there, or not under that name.
        UpstreamFailed: it is not there.
    """
    name = wanted.name or name_of(wanted.place)
    if not re.fullmatch(NAME_PATTERN, name):
        raise UsageError(f"A source cannot be called {name!r}. {NAME_RULES[NAME_PATTERN]}", hint="Give it --name.")
    folder = wanted.folder or settings.root / FOLDER
    about = About(name, "", settings, folder, source=_source(name, wanted), source_folder=folder)
    found = await _imported(about, wanted)
    document = folder / f"{name}.yaml"
    has_schema = (folder.parent / "schemas" / "document.json").exists()
    files = {document: source_text(found, header=_HEADER if has_schema else "")}
    files |= {folder / path: content.decode() for path, content in found.files.items()}
    return Draft(files, found.notices)


async def _imported(about: About, wanted: NewSource) -> Imported:
    loaded = Handlers(prefixes=DEFAULT_PREFIXES, settings=about.settings).load(BLOCKS[wanted.kind])
    if isinstance(loaded, Unresolved) or loaded.kind is None:
        raise UsageError(f"Nothing of the kind {wanted.kind!r} can be imported here.")
    return await loaded.kind.imported(wanted.place, about)


def _source(name: str, wanted: NewSource) -> SourceDeclaration:
    """Return the source as far as it is known before it was looked at."""
    if wanted.kind == "mcp":
        return SourceDeclaration(name=name, mcp=McpSourceDeclaration.model_validate(dict(wanted.choice)))
    told = {"document": "-", "base_url": wanted.base_url, **wanted.choice}
    return SourceDeclaration(name=name, openapi=OpenapiSourceDeclaration.model_validate(told))


def name_of(place: str) -> str:
    """Return what a source at `place` may be called: as its file, or else as its host or folder."""
    parts = urlsplit(place) if "://" in place else None
    path = Path(parts.path if parts else place)
    labels = (parts.hostname or "").split(".")[:-1] if parts else []
    hosts = [label for label in reversed(labels) if label not in ("www", "co", "com")]
    for word in (path.name.partition(".")[0], *hosts, path.absolute().parent.name if not parts else ""):
        name = re.sub(r"[^A-Za-z0-9]+", "_", word).strip("_").lower()[:_LONGEST_NAME].strip("_")
        if name and not _GENERIC.fullmatch(name):
            return name
    return "service"


# The document


def source_text(found: Imported, *, header: str = "") -> str:
    """Return the document that declares a source, in the house form; `header` is a comment above all."""
    source = _grown(dict(found.source), found.comments, "")
    root = Branch(parts=[Sequence(key="sources", parts=[source])], before=[Comment((header,))] if header else [])
    return write_yaml([root])


def _grown(value: Json, comments: Mapping[str, str], path: str) -> Part:
    part: Part
    if isinstance(value, dict):
        inner = [_keyed(key, each, comments, f"{path}.{key}".lstrip(".")) for key, each in value.items()]
        part = Branch(parts=inner)
    elif isinstance(value, list):
        part = Sequence(parts=[_grown(each, {}, "") for each in value])
    else:
        part = Scalar(value=value)
    return part


def _keyed(key: str, value: Json, comments: Mapping[str, str], path: str) -> Part:
    part = _grown(value, comments, path)
    part.key = key
    if path in comments:
        part.before = [Comment(tuple(comments[path].split("\n")))]
    return part

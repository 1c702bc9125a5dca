"""The files of a knowledge base -> documents: items, each with its facts and its passages.

Reading never fails as a whole: what is wrong with a file is a problem of that file, and the rest is read.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pegboard.catalog.contract import Item
from pegboard.config.sources import Fence
from pegboard.config.span import Span, shown
from pegboard.knowledge import jsonld, markdown
from pegboard.knowledge.facets import Facts, facts_of
from pegboard.knowledge.jsonld import Fault
from pegboard.knowledge.split import Piece, split_object, split_sections
from pegboard.knowledge.values import many, plain, text_of, texts_of, types_of
from pegboard.text import Json, clipped, language

_JSON = frozenset({".json", ".jsonld"})
_LINES = frozenset({".jsonl", ".ndjson"})
_MARKDOWN = frozenset({".md", ".markdown"})
_READ = _JSON | _LINES | _MARKDOWN
_LARGEST_FILE = 64 << 20
_DESCRIPTION_CHARACTERS = 600
_GLOB = re.compile(r"[*?\[]")
_NOT_A_SLUG = re.compile(r"[\W_]+")
_OWN_KEYS = {
    "title": "name", "headline": "headline", "permalink": "url", "canonical": "url", "lang": "inLanguage",
    "language": "inLanguage", "type": "@type", "date": "datePublished", "updated": "dateModified",
    "tags": "keywords", "summary": "description",
}  # fmt: skip
"""Keys of front matter and the schema.org property that each means; others stay as they are."""


@dataclass(frozen=True, slots=True)
class File:
    """A file of a knowledge base."""

    path: Path
    name: str
    """What identifies it in its base: stable when the whole folder moves."""
    shown: str
    """How messages name it."""
    content: bytes | None = None
    """What it holds, where it is none of the disk."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that could not be read; the rest of its file and the other files were."""

    span: Span
    """Line and column are 0 where they are not known."""
    message: str
    base: str = field(default="", compare=False)
    """The knowledge base that lacks it; empty where it lacks nothing."""

    def __str__(self) -> str:
        place = self.span.file + (f":{self.span.line}:{self.span.column}" if self.span.line else "")
        return f"{place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Entry:
    """An item with all that is indexed of it."""

    item: Item
    names: tuple[str, ...]
    """What it may be called, its name first."""
    facts: Facts = field(repr=False)
    pieces: tuple[Piece, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Document:
    """What one file holds."""

    digest: str
    """Of its bytes."""
    entries: tuple[Entry, ...]
    problems: tuple[Unread, ...]


def find_files(sources: Sequence[Path], within: Fence | None = None) -> tuple[list[File], list[Unread]]:
    """Find the content files of a base, in the order of `sources` and of their names.

    A source is a file, a folder (read with all below it, hidden ones excepted) or a glob. What lies outside `within`,
    links followed, is not looked at; None: anything may be.
    """
    files: dict[str, File] = {}
    taken: set[str] = set()
    problems: list[Unread] = []
    for source in sources:
        found = list(_files_of(source, within))
        if not found:
            wanted = ", ".join(sorted(_READ))
            what = "There is no content in it" if source.exists() else "There is no such file or folder"
            problems.append(Unread(Span(shown(source), 0, 0), f"{what} (wanted: {wanted})."))
        for root, path in found:
            real = os.path.realpath(path)
            if within is not None and not within.holds_real(real):
                problems.append(Unread(Span(shown(path), 0, 0), f"It lies outside and is not read. {within.hint}"))
            elif real not in files:
                name = _unused(path.relative_to(root).as_posix(), taken)
                taken.add(name)
                files[real] = File(path, name, shown(path))
    return list(files.values()), problems


def digest_of(content: bytes) -> str:
    """Return what tells one content from another."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def read_bytes(file: File) -> bytes | Unread:
    """Return the content of a file, or why there is none."""
    if file.content is not None:
        return file.content
    try:
        size = file.path.stat().st_size
        if size > _LARGEST_FILE:
            return _unread(file, f"It has {size:,} bytes; at most {_LARGEST_FILE >> 20} MiB are read.")
        return file.path.read_bytes()
    except OSError as error:
        return _unread(file, f"It cannot be read: {error.strerror or error}.")


def read_document(base: str, file: File, content: bytes) -> Document:
    """Read what a file holds; never raises for what stands in it."""
    digest = digest_of(content)
    text = _decoded(file, content)
    if isinstance(text, Unread):
        return Document(digest, (), (text,))
    if file.path.suffix.lower() in _MARKDOWN:
        entries, faults = _read_markdown(base, file, text)
    else:
        is_lines = file.path.suffix.lower() in _LINES
        entries, faults = _read_things(base, file, *(jsonld.read_lines if is_lines else jsonld.read_json)(text))
    return Document(digest, tuple(entries), tuple(_unread(file, f.message, f.line, f.column) for f in faults))


def _files_of(source: Path, within: Fence | None) -> Iterator[tuple[Path, Path]]:
    """Yield each file, and each folder that may not be looked into, with the folder that its name counts from."""
    if source.is_dir():
        for path in sorted(_below(source, within)):
            yield source.parent, path
    elif source.is_file():
        yield source.parent, source
    elif _GLOB.search(str(source)):
        fixed = Path(*_until_glob(source.parts))
        pattern = source.relative_to(fixed).as_posix()
        for path in sorted(fixed.glob(pattern)):
            if path.is_file() and path.suffix.lower() in _READ:
                yield fixed, path


def _until_glob(parts: Sequence[str]) -> Iterator[str]:
    for part in parts:
        if _GLOB.search(part):
            return
        yield part


def _below(folder: Path, within: Fence | None) -> Iterator[Path]:
    seen: set[str] = set()
    for here, folders, names in os.walk(folder, followlinks=True):
        real = os.path.realpath(here)
        if real in seen:  # a link that leads back
            folders.clear()
            continue
        if within is not None and not within.holds_real(real):
            folders.clear()
            yield Path(here)
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            if not name.startswith(".") and Path(name).suffix.lower() in _READ:
                yield Path(here, name)


def _unused(name: str, taken: set[str]) -> str:
    number, free = 2, name
    while free in taken:
        free, number = f"{name}~{number}", number + 1
    return free


def _unread(file: File, message: str, line: int = 0, column: int = 0) -> Unread:
    return Unread(Span(file.shown, line, column), message)


def _decoded(file: File, content: bytes) -> str | Unread:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return _unread(file, f"It is no UTF-8: byte {content[error.start]:#04x}. Save it as UTF-8.", line, 1)


def _read_markdown(base: str, file: File, text: str) -> tuple[list[Entry], list[Fault]]:
    front, body, faults = markdown.read_front_matter(text)
    found = markdown.sections(body)
    if not found and not front:
        return [], [*faults, Fault(1, 1, "The file is empty.")]
    thing: dict[str, Json] = {"@context": "https://schema.org", "@type": "Article"}
    for key, value in front.items():
        if value not in ("", None, []):
            thing.setdefault(_OWN_KEYS.get(key, key), value) if key != "type" else thing.update({"@type": value})
    if not text_of(thing.get("name")):
        thing["name"] = text_of(thing.get("headline")) or markdown.first_heading(body) or _words(file.path.stem)
    if not text_of(thing.get("description")) and found:
        thing["description"] = clipped(found[0].text, 300)
    thing["articleBody"] = body.strip()
    item = _item(base, file, thing, "")
    return [Entry(item, _names(item, file), facts_of(thing), tuple(split_sections(item, found)))], faults


def _read_things(
    base: str, file: File, things: list[jsonld.Thing], faults: list[Fault]
) -> tuple[list[Entry], list[Fault]]:
    entries: list[Entry] = []
    wrong = list(faults)
    for number, thing in enumerate(things):
        fragment = "" if len(things) == 1 else _fragment(thing.value, number)
        item = _item(base, file, thing.value, fragment)
        pieces = tuple(split_object(item))
        if pieces:
            entries.append(Entry(item, _names(item, file), facts_of(thing.value), pieces))
        else:
            wrong.append(Fault(thing.line, 0, f"Nothing to find in {jsonld.describe(thing)}: it says nothing."))
    return entries, wrong


def _item(base: str, file: File, thing: dict[str, Json], fragment: str) -> Item:
    name = next((text for key in ("name", "headline", "title") if (text := text_of(thing.get(key)))), "")
    description = text_of(thing.get("description") or thing.get("abstract") or thing.get("disambiguatingDescription"))
    said = text_of(thing.get("inLanguage")).lower().replace("_", "-").split("-")[0]
    return Item(
        url=_url(thing) or f"pegboard:{base}/{file.name}{fragment}",
        name=" ".join(name.split()) or _words(file.path.stem),
        site=base,
        type=(types_of(thing) or ["Thing"])[0],
        language=said if re.fullmatch("[a-z]{2,3}", said) else language(f"{name} {description}"),
        description=clipped(description, _DESCRIPTION_CHARACTERS),
        schema_object=thing,
    )


def _url(thing: dict[str, Json]) -> str:
    for key in ("url", "@id", "mainEntityOfPage"):
        for value in texts_of(thing.get(key)):
            if key == "url" or value.startswith(("http://", "https://")):
                return value
    return ""


def _fragment(thing: dict[str, Json], number: int) -> str:
    slug = _NOT_A_SLUG.sub("-", plain(text_of(thing.get("name"))).lower()).strip("-")
    return f"#{slug or number + 1}"


def _names(item: Item, file: File) -> tuple[str, ...]:
    """Return what an item may be called: names, sellers' numbers, the words of its address."""
    thing = item.schema_object
    keys = ("alternateName", "headline", "sku", "mpn", "gtin13")
    others = [text for key in keys for value in many(thing.get(key)) for text in texts_of(value)]
    tail = item.url.rstrip("/").rsplit("/", 1)[-1].split("#")[-1].rsplit(".", 1)[0]
    return tuple(dict.fromkeys(name for name in (item.name, *others, _words(tail)) if name))


def _words(stem: str) -> str:
    return " ".join(_NOT_A_SLUG.sub(" ", stem).split())

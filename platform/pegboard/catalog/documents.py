"""What a site keeps: `Document`, what is written of one (`Draft`), and `Documents`, a handler's way to them.

Handlers and edges read them through `contract`. Not here: where documents are kept (`memory/documents`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pegboard.catalog.citing import renumbered
from pegboard.text import Json, clipped

_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Cited:
    """What a document rests on."""

    url: str
    name: str

    def to_json(self) -> dict[str, Json]:
        """Return it as clients get it."""
        return {"url": self.url, "name": self.name}


@dataclass(frozen=True, slots=True)
class Draft:
    """What shall be kept as a document."""

    title: str
    """Names the document within its site, whatever its capitals: the same title again makes a new version."""
    text: str
    """Markdown."""
    language: str = "en"
    sources: tuple[Cited, ...] = ()
    key: str = ""
    """`Context.idempotency_key` of the call that writes: the same key writes the same text once. Empty: no run."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was at one version; nothing of it ever changes but by a new one."""

    id: str
    site: str
    title: str
    version: int
    """Counts from 1."""
    latest: int
    """The number of its latest version."""
    created: float
    """When its first version was written, in seconds since 1970."""
    updated: float
    """When this one was."""
    language: str
    bytes: int
    """Of its text."""
    text: str = ""
    """Markdown; empty in a list."""
    sources: tuple[Cited, ...] = ()
    run: str = ""
    """The run that wrote this version; empty: none did."""
    node: str = ""
    base: str = ""
    """The knowledge that its latest version is part of; empty: none."""

    @property
    def url(self) -> str:
        """Where a client of this server finds it."""
        return f"/documents/{self.id}"

    @property
    def markdown(self) -> str:
        """Its text with its sources under it, unless it names each of them itself."""
        if all((source.url or source.name) in self.text for source in self.sources):
            return self.text
        heading = "来源" if self.language == "zh" else "Sources"
        lines = [_line(place, source) for place, source in enumerate(self.sources, start=1)]
        return "\n\n".join([self.text.rstrip(), f"## {heading}", "\n".join(lines)]) + "\n"

    def to_json(self) -> dict[str, Json]:
        """Return it as clients get it; without a text, as a list has it."""
        told: dict[str, Json] = {
            "id": self.id,
            "site": self.site,
            "title": self.title,
            "url": self.url,
            "version": self.version,
            "latest": self.latest,
            "created": self.created,
            "updated": self.updated,
            "language": self.language,
            "bytes": self.bytes,
            "sources": [source.to_json() for source in self.sources],
            "run": self.run,
            "node": self.node,
            "knowledge": self.base,
        }
        return told | ({"text": self.text} if self.text else {})


@dataclass(frozen=True, slots=True)
class Listing:
    """Documents, without their texts."""

    documents: tuple[Document, ...]
    """The latest first; where they were looked for by words, those first that have most of them."""
    total: int
    """How many there are."""

    def to_json(self) -> dict[str, Json]:
        """Return it as clients get it."""
        return {"documents": [each.to_json() for each in self.documents], "total": self.total}


@dataclass(frozen=True, slots=True)
class Written:
    """What came of writing."""

    document: Document
    notice: str = ""
    """Why it is not found by questions though that was wished; empty: it is, or nobody wished it."""


class Documents(Protocol):
    """What one site keeps of what was written; no other site's documents are reached by it."""

    async def write(self, draft: Draft, *, ingest: bool = False) -> Written:
        """Keep a document, or a new version of it; what is there already is not written again.

        With `ingest` it becomes part of the site's knowledge, and stays part of it in its latest version.

        Raises:
            DocumentRefused: title or text cannot be kept.
            LimitReached: there is no room for it.
            Unreachable: the store does not answer.
        """
        ...

    async def read(self, which: str, *, version: int | None = None) -> Document:
        """Return a document by its id or its title; None: its latest version.

        Raises:
            UnknownDocument: there is none.
        """
        ...

    async def list(self, query: str = "", *, limit: int = 20) -> Listing:
        """Return the documents, or those with words of `query` in their titles."""
        ...

    async def remove(self, which: str) -> Document:
        """Forget a document with all its versions, and return what was its latest.

        Raises:
            UnknownDocument: there is none.
        """
        ...


def cited(text: str, told: Sequence[Mapping[str, object]]) -> tuple[str, tuple[Cited, ...]]:
    """Return `text` and what it rests on, so that its mark `[n]` is the n-th source.

    `told` are sources as a call gives them: objects with `url` or `name`, such as evidence; anything else is none.
    Where each has a `number`, the text cites them by that.
    """
    numbers = [each.get("number") for each in told]
    found = [(number, _source(each)) for number, each in zip(numbers, told, strict=True)]
    if not all(isinstance(number, int) for number in numbers):
        return text, tuple(source for _, source in found if source is not None)
    by_number = {int(str(number)): source for number, source in reversed(found) if source is not None}
    places = {number: place for place, number in enumerate(sorted(by_number), start=1)}
    words = text if all(number == place for number, place in places.items()) else renumbered(text, places)
    return words, tuple(by_number[number] for number in places)


def _source(told: Mapping[str, object]) -> Cited | None:
    url, name, text = (str(told.get(key) or "").strip() for key in ("url", "name", "text"))
    named = name or url or clipped(text, _LONGEST_NAME)
    return Cited(url, named) if named else None


def _line(place: int, source: Cited) -> str:
    return f"- [{place}] {source.name}" + (f" {source.url}" if source.url not in {"", source.name} else "")

"""The seam to where documents are kept: `DocumentStore`, its bounds, and what it refuses.

Behind it: `sql` (SQLite, Postgres) and `held`, the twin for tests; one contract suite runs over all. `open` says which
is opened, `of_site` gives handlers the documents of their site. Calls block and may come from several threads.
"""

from dataclasses import dataclass
from typing import Protocol

from pegboard.catalog.contract import Document, Draft, Listing
from pegboard.errors import LimitReached, UsageError

MOST_VERSIONS = (1 << 31) - 1
"""Numbers of versions beyond it name none."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is kept."""

    document_bytes: int = 1 << 20
    """Of one text, in UTF-8."""
    documents: int = 1000
    """Of one site."""
    total_bytes: int = 256 << 20
    """Of all texts of one site, those of earlier versions too."""


class UnknownDocument(UsageError):
    """There is no such document."""

    status = 404


class DocumentRefused(UsageError):
    """A title or a text that cannot be kept."""


class DocumentTooLarge(DocumentRefused):
    """A text that is larger than one document may be."""

    status = 413


class DocumentStore(Protocol):
    """Keeps documents; a site of None is any site, for whoever owns the store."""

    def write(self, site: str, draft: Draft, *, base: str = "") -> Document:
        """Keep a new document or a new version of it; `base` is the knowledge that it becomes part of.

        Writes of one site are done one after the other. The same title and text as the latest version, or the same
        key, title and text as any, write nothing: what is there is returned.

        Raises:
            DocumentRefused: title or text cannot be kept.
            LimitReached: a bound of the site is reached.
            Unreachable: the store does not answer.
        """
        ...

    def read(self, site: str | None, which: str, *, version: int | None = None) -> Document:
        """Return a document by its id, or by its title where a site is named; None: its latest version.

        Raises:
            UnknownDocument: there is none.
        """
        ...

    def list(self, site: str | None, *, query: str = "", limit: int = 20) -> Listing:
        """Return documents without their texts, the latest first, or those that fit `query`."""
        ...

    def remove(self, site: str | None, which: str) -> Document:
        """Forget a document with all its versions, and return its latest.

        Raises:
            UnknownDocument: there is none.
        """
        ...

    def known(self, id: str | None = None) -> tuple[Document, ...]:
        """Return the latest versions of all documents, or of that one, that are part of some knowledge."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


def unknown(which: str, *, version: int | None = None) -> UnknownDocument:
    """Return the error that there is no such document."""
    what = f"no document {which[:80]!r}" if version is None else f"no version {version} of the document {which[:80]!r}"
    return UnknownDocument(f"There is {what}.", hint="`list_documents`, GET /documents or `platform documents list`.")


def full(site: str, what: str) -> LimitReached:
    """Return the error that a site's bound is reached."""
    hint = "Remove some, or raise the setting in pegboard.toml."
    return LimitReached(f"Site {site!r} keeps no more documents: {what}.", hint=hint)

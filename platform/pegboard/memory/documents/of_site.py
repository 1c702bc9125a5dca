"""`SiteDocuments`: the documents of one site for its handlers, and what makes them part of its knowledge."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import anyio.to_thread

from pegboard.catalog.contract import Document, Draft, Listing, Written
from pegboard.errors import PegboardError
from pegboard.memory.documents.store import DocumentStore

_log = logging.getLogger(__name__)


def _settle_nothing(id: str) -> None:
    """Have no index."""


@dataclass(frozen=True, slots=True)
class SiteDocuments:
    """Fulfils `catalog.contract.Documents`; what blocks is done in threads."""

    store: DocumentStore
    site: str
    base: str = ""
    """The knowledge that its documents may become part of; empty: none."""
    settle: Callable[[str], None] = _settle_nothing
    """Makes the index hold what the store says of a document, by its id; blocks."""

    async def write(self, draft: Draft, *, ingest: bool = False) -> Written:
        base = self.base if ingest else ""
        document = await anyio.to_thread.run_sync(partial(self.store.write, self.site, draft, base=base))
        if ingest and not self.base:
            return Written(document, _NO_BASE.format(site=self.site))
        return Written(document, await self._settled(document) if document.base else "")

    async def read(self, which: str, *, version: int | None = None) -> Document:
        return await anyio.to_thread.run_sync(partial(self.store.read, self.site, which, version=version))

    async def list(self, query: str = "", *, limit: int = 20) -> Listing:
        return await anyio.to_thread.run_sync(partial(self.store.list, self.site, query=query, limit=limit))

    async def remove(self, which: str) -> Document:
        removed = await anyio.to_thread.run_sync(self.store.remove, self.site, which)
        if removed.base:
            await self._settled(removed)
        return removed

    async def _settled(self, document: Document) -> str:
        """Bring the index up to date, and say why it could not be; the next reload does it then."""
        try:
            await anyio.to_thread.run_sync(self.settle, document.id)
        except PegboardError as error:
            _log.warning("document %s is not in the index yet: %s", document.id, error)
            return f"It is found by questions after the next reload: {error.message}"
        return ""


_NO_BASE = (
    "It is kept, and questions do not find it: no knowledge of site {site!r} takes documents. "
    "Declare one with `documents: true`, and name it under the site's `knowledge`."
)

"""`AllDocuments`: the documents of all sites, for the edges; and the way to them where nothing else is opened."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

import anyio
import anyio.to_thread

from pegboard.catalog.contract import Document, Documents, Listing
from pegboard.config.server.settings import Settings
from pegboard.memory.documents.held import MemoryDocuments
from pegboard.memory.documents.of_site import SiteDocuments
from pegboard.memory.documents.open import FILE, OpenedLater
from pegboard.memory.documents.store import DocumentStore


@dataclass(frozen=True, slots=True)
class AllDocuments:
    """Reads and removes whatever is kept."""

    store: DocumentStore
    sites: Mapping[str, Documents] = field(default_factory=dict)
    """The sites that are served, each with the way to its own."""

    def of(self, site: str) -> Documents:
        """Return the documents of one site."""
        return self.sites.get(site) or SiteDocuments(self.store, site)

    async def list(self, site: str | None, *, query: str = "", limit: int = 100) -> Listing:
        return await anyio.to_thread.run_sync(partial(self.store.list, site, query=query, limit=limit))

    async def read(self, which: str, *, site: str | None = None, version: int | None = None) -> Document:
        return await anyio.to_thread.run_sync(partial(self.store.read, site, which, version=version))

    async def remove(self, which: str, *, site: str | None = None) -> Document:
        found = await self.read(which, site=site)
        return await self.of(found.site).remove(found.id)


@asynccontextmanager
async def documents_of(settings: Settings) -> AsyncIterator[AllDocuments]:
    """Open the documents of a configuration alone: no catalog is built, no index opened.

    Where none were ever written, nothing is: to look leaves no file behind.
    """
    is_empty = settings.store_url is None and not (settings.data / FILE).exists()
    store: DocumentStore = MemoryDocuments() if is_empty else OpenedLater(settings)
    try:
        yield AllDocuments(store)
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(store.close)

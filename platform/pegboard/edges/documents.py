"""What an edge needs of kept documents: the seam to `pegboard.app`."""

from typing import Protocol

from pegboard.catalog.contract import Document, Listing


class Documents(Protocol):
    """The documents of all sites; `site` None means any."""

    async def list(self, site: str | None, *, query: str = "", limit: int = 100) -> Listing:
        """Return documents without their texts, the latest first; those with words of `query` in their titles."""
        ...

    async def read(self, which: str, *, site: str | None = None, version: int | None = None) -> Document:
        """Return a document by its id, or by its title where a site is named; None: its latest version.

        Raises:
            UsageError: there is none.
        """
        ...

    async def remove(self, which: str, *, site: str | None = None) -> Document:
        """Forget a document with all its versions, and take it out of its site's knowledge.

        Raises:
            UsageError: there is none.
        """
        ...

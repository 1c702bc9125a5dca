"""Two sites, or two configurations, side by side; nothing is opened."""

from typing import TYPE_CHECKING

from pegboard.config.server.settings import Settings

if TYPE_CHECKING:
    from pegboard.catalog.diff import CatalogDiff, SiteDiff


def diff_sites(settings: Settings, a: str, b: str) -> "SiteDiff":
    """Compare two sites of one configuration.

    Raises:
        InvalidDeclarations: with every problem.
        UnknownSite: no document declares one of them.
    """
    from pegboard.catalog.diff import compare_sites
    from pegboard.catalog.load import catalog_of

    catalog = catalog_of(settings)
    return compare_sites(catalog.toolset(a), catalog.toolset(b))


def diff_configurations(a: Settings, b: Settings, *, site: str | None = None) -> "CatalogDiff":
    """Compare two configurations, or one site of both.

    Raises:
        InvalidDeclarations: one of them has errors; with every problem.
        UnknownSite: neither has `site`.
    """
    from pegboard.catalog.diff import compare
    from pegboard.catalog.load import apart, catalog_of

    with apart(a.root):
        catalog_a = catalog_of(a)
    with apart(b.root):
        catalog_b = catalog_of(b)
    return compare(catalog_a, catalog_b, roots=(a.root, b.root), site=site)

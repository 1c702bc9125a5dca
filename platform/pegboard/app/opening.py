"""Open what a configuration needs (index, encoder, model), and make an `App` of each catalog that is served with it."""

import logging
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread

from pegboard.app.application import App
from pegboard.catalog.load import catalog_of
from pegboard.catalog.snapshot import Catalog
from pegboard.config.server.settings import ModelSettings, Settings
from pegboard.config.sources import Fence
from pegboard.errors import ModelError, PegboardError
from pegboard.knowledge.index import Index
from pegboard.knowledge.open import open_index
from pegboard.knowledge.refresh import Progress, Report, content_bytes, refresh
from pegboard.knowledge.search import SiteSearch
from pegboard.llm.embedder import Embedder, SentenceEncoder
from pegboard.llm.model import LateNamed, Model
from pegboard.route.embedded import train

if TYPE_CHECKING:
    from pegboard.llm.openai import OpenAIModel

_log = logging.getLogger(__name__)
_NAMING_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Resources:
    """What stays open while catalogs come and go."""

    settings: Settings
    index: Index
    encoder: Embedder
    model: Model | None

    def app(self, catalog: Catalog, report: Report, *, before: App | None = None) -> App:
        """Return what answers from `catalog`; blocks. What `before` has learned and still holds is used again."""
        every_tool = (tool for toolset in catalog.sites.values() for tool in toolset.tools)
        scorer = train(self.encoder, every_tool, before=before.scorer if before else None)
        searches = {
            name: SiteSearch(self.index, self.encoder, toolset.knowledge) for name, toolset in catalog.sites.items()
        }
        return App(self.settings, catalog, scorer, searches, self.model, report)

    def refreshed(
        self, catalog: Catalog, *, besides: Mapping[str, Sequence[Path]] | None = None, progress: Progress | None = None
    ) -> Report:
        """Bring the index up to date with the knowledge of `catalog`, and of `besides`; blocks.

        Raises:
            PegboardError: the index cannot be kept, or knowledge that must be read cannot be.
            Unreachable: another process has been writing it for ten minutes.
        """
        try:
            within = Fence.of(self.settings)
            report = refresh(
                self.index, {**(besides or {}), **catalog.knowledge}, self.encoder, progress=progress, within=within
            )
        except (OSError, sqlite3.Error) as error:
            raise _not_kept(self.settings, error) from error
        _refuse_unread(report, catalog)
        for problem in report.problems:
            _log.warning("%s", problem)
        return report


@asynccontextmanager
async def opened(
    settings: Settings,
    *,
    progress: Progress | None,
    embedder: Embedder | None,
    model: Model | None,
) -> AsyncIterator[tuple[Resources, App]]:
    """Open a configuration; see `pegboard.app.open_app`."""
    catalog = await anyio.to_thread.run_sync(catalog_of, settings)
    encoder = embedder or SentenceEncoder()
    async with AsyncExitStack() as stack:
        if model is None and settings.model is not None:
            model = await stack.enter_async_context(_model(settings.model))
        index = await anyio.to_thread.run_sync(_open_index, settings, catalog, encoder)
        stack.callback(index.close)
        resources = Resources(settings, index, encoder, model)
        report = await anyio.to_thread.run_sync(partial(resources.refreshed, catalog, progress=progress))
        await _named(model)
        yield resources, await anyio.to_thread.run_sync(resources.app, catalog, report)


def _open_index(settings: Settings, catalog: Catalog, encoder: Embedder) -> Index:
    try:
        index = open_index(
            settings.data / "index",
            kind=settings.index,
            embedder=encoder.name,
            dimensions=encoder.dimensions,
            content_bytes=partial(content_bytes, catalog.knowledge, Fence.of(settings)),
        )
    except (OSError, sqlite3.Error) as error:
        raise _not_kept(settings, error) from error
    if index.notice:
        _log.warning("%s", index.notice)
    return index


def _not_kept(settings: Settings, error: Exception) -> PegboardError:
    message = f"The index in {settings.data} cannot be kept: {error}."
    return PegboardError(message, hint="Make room there, or name another folder with --data.")


def _refuse_unread(report: Report, catalog: Catalog) -> None:
    """Refuse to serve without knowledge that was declared with `on_error: fail`.

    Raises:
        PegboardError: some of it could not be read.
    """
    if unread := report.unread(catalog.must_read):
        names = ", ".join(sorted({problem.base for problem in unread}))
        message = f"Knowledge {names} cannot be read: {unread[0]}"
        more = f" ({len(unread) - 1} more)" if len(unread) > 1 else ""
        raise PegboardError(f"{message}{more}", hint="Mend it, or declare it with `on_error: disable`.")


async def _named(model: Model | None) -> None:
    """Let a model without a name learn it, to be reported; an endpoint that is away is asked again later."""
    if isinstance(model, LateNamed):
        with suppress(ModelError):
            await model.resolve(timeout_seconds=_NAMING_SECONDS)


def _model(named: ModelSettings) -> "OpenAIModel":
    from pegboard.llm.openai import OpenAIModel  # noqa: PLC0415 (a second to import, and only a model needs it)

    return OpenAIModel(name=named.name, base_url=named.base_url, api_key=named.api_key.reveal(), scoring=named.scoring)

"""Open what a configuration needs: catalog, index, scorers, model."""

import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

import anyio.to_thread

from pegboard.app.application import App
from pegboard.catalog.load import catalog_of
from pegboard.catalog.snapshot import Catalog
from pegboard.config.settings import ModelSettings, Settings
from pegboard.config.sources import Fence
from pegboard.errors import ModelError, PegboardError
from pegboard.knowledge.index import Index
from pegboard.knowledge.open import open_index
from pegboard.knowledge.refresh import Progress, Report, content_bytes, refresh
from pegboard.knowledge.search import SiteSearch
from pegboard.llm.embedder import Embedder, SentenceEncoder
from pegboard.llm.model import LateNamed, Model
from pegboard.route.embedded import EmbeddedScorer
from pegboard.route.router import Router

if TYPE_CHECKING:
    from pegboard.llm.openai import OpenAIModel

_log = logging.getLogger(__name__)
_NAMING_SECONDS = 5.0


@asynccontextmanager
async def opened(
    settings: Settings,
    *,
    progress: Progress | None,
    embedder: Embedder | None,
    model: Model | None,
) -> AsyncIterator[App]:
    """Open a configuration; see `pegboard.app.open_app`."""
    catalog = await anyio.to_thread.run_sync(catalog_of, settings)
    encoder = embedder or SentenceEncoder()
    async with AsyncExitStack() as stack:
        try:
            index, report = await anyio.to_thread.run_sync(_open_index, settings, catalog, encoder, progress)
        except (OSError, sqlite3.Error) as error:
            message = f"The index in {settings.data} cannot be kept: {error}."
            raise PegboardError(message, hint="Make room there, or name another folder with --data.") from error
        stack.callback(index.close)
        scorer = EmbeddedScorer(encoder)
        every_tool = [tool for toolset in catalog.sites.values() for tool in toolset.tools]
        for toolset in catalog.sites.values():
            await scorer.train(toolset, every_tool)
        if model is None and settings.model is not None:
            model = await stack.enter_async_context(_model(settings.model))
        await _named(model)
        searches = {name: SiteSearch(index, encoder, toolset.knowledge) for name, toolset in catalog.sites.items()}
        yield App(settings, catalog, Router(scorer), searches, model, report)


def _open_index(
    settings: Settings,
    catalog: Catalog,
    embedder: Embedder,
    progress: Progress | None,
) -> tuple[Index, Report]:
    within = Fence.of(settings)
    index = open_index(
        settings.data / "index",
        kind=settings.index,
        embedder=embedder.name,
        dimensions=embedder.dimensions,
        content_bytes=partial(content_bytes, catalog.knowledge, within),
    )
    try:
        report = refresh(index, catalog.knowledge, embedder, progress=progress, within=within)
        _refuse_unread(report, catalog)
    except BaseException:
        index.close()
        raise
    for problem in report.problems:
        _log.warning("%s", problem)
    if index.notice:
        _log.warning("%s", index.notice)
    return index, report


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

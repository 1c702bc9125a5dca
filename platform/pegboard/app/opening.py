"""Open what a configuration needs (index, encoder, models); make an `App` of each catalog that is served with it."""

import logging
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from pegboard.app.application import App
from pegboard.app.documents import AllDocuments
from pegboard.app.models import Connections, Models
from pegboard.app.running import Running
from pegboard.catalog.load import catalog_of
from pegboard.catalog.snapshot import Catalog
from pegboard.config.server.settings import Settings
from pegboard.config.sources import Fence
from pegboard.errors import ModelError, PegboardError
from pegboard.knowledge.documents import Content, Settling
from pegboard.knowledge.index import Index
from pegboard.knowledge.open import open_index
from pegboard.knowledge.refresh import Progress, Report, content_bytes, refresh
from pegboard.knowledge.search import SiteSearch
from pegboard.llm.embedder import Embedder, SentenceEncoder
from pegboard.llm.model import Model
from pegboard.llm.profile import Profile, Scoring
from pegboard.llm.wrapper import resolved
from pegboard.memory.documents.of_site import SiteDocuments
from pegboard.memory.documents.open import OpenedLater
from pegboard.memory.documents.store import DocumentStore
from pegboard.route.embedded import train
from pegboard.run.keeping import Keeper
from pegboard.run.limits.kept import Guards
from pegboard.run.results.store import FileResults, ResultStore

_log = logging.getLogger(__name__)
_NAMING_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Resources:
    """What stays open while catalogs come and go."""

    settings: Settings
    index: Index
    encoder: Embedder
    connections: Connections
    keeper: Keeper
    store: ResultStore
    guards: Guards
    running: Running
    documents: DocumentStore
    model: Model | None
    """Stands in for all models that are declared."""

    def app(self, catalog: Catalog, report: Report, *, before: App | None = None) -> App:
        """Return what answers from `catalog`; blocks. What `before` has learned and still holds is used again."""
        every_tool = (tool for toolset in catalog.sites.values() for tool in toolset.tools)
        scorer = train(self.encoder, every_tool, before=before.scorer if before else None)
        searches = {
            name: SiteSearch(self.index, self.encoder, toolset.knowledge) for name, toolset in catalog.sites.items()
        }
        return App(
            self.settings,
            catalog,
            scorer,
            searches,
            self._models(catalog),
            self.connections,
            report,
            self.keeper,
            self.store,
            self.guards,
            self.running,
            self._documents(catalog),
        )

    def _documents(self, catalog: Catalog) -> AllDocuments:
        store, sites = self.documents, dict[str, SiteDocuments]()
        for name, toolset in catalog.sites.items():
            settling = Settling(store, self.index, self.encoder, toolset.written)
            sites[name] = SiteDocuments(store, name, toolset.written, settling)
        return AllDocuments(store, sites)

    def _models(self, catalog: Catalog) -> Models:
        if self.model is not None:
            return Models(default=self.model)
        return self.connections.models(catalog, environment_profile(self.settings))

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
            bases = {**(besides or {}), **catalog.knowledge}
            written = Content(self.documents, catalog.written)
            report = refresh(self.index, bases, self.encoder, progress=progress, within=within, besides=written)
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
        group = await stack.enter_async_context(_background())
        connections = Connections(group)
        stack.push_async_callback(connections.aclose)
        index = await anyio.to_thread.run_sync(_open_index, settings, catalog, encoder)
        stack.callback(index.close)
        store, guards, running = FileResults(settings.data / "results"), Guards(group), Running(group, settings)
        documents = OpenedLater(settings)
        stack.callback(documents.close)
        resources = Resources(
            settings, index, encoder, connections, Keeper(group), store, guards, running, documents, model
        )
        report = await anyio.to_thread.run_sync(partial(resources.refreshed, catalog, progress=progress))
        app = await anyio.to_thread.run_sync(resources.app, catalog, report)
        connections.serve(app.models)
        running.serve(app)
        await _name(app.models)
        yield resources, app


@asynccontextmanager
async def opened_app(
    settings: Settings, *, progress: Progress | None, embedder: Embedder | None, model: Model | None
) -> AsyncIterator[App]:
    """Open a configuration that is not reloaded."""
    async with opened(settings, progress=progress, embedder=embedder, model=model) as (_, app):
        yield app


@asynccontextmanager
async def _background() -> AsyncIterator[TaskGroup]:
    """Hold the tasks that outlive whoever began them; an error of the block leaves it as it is, not in a group."""
    raised: Exception | None = None
    async with anyio.create_task_group() as group:
        try:
            yield group
        except Exception as error:  # noqa: BLE001 (it is raised again below)
            raised = error
        group.cancel_scope.cancel()
    if raised is not None:
        raise raised


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


async def _name(models: Models) -> None:
    """Let models without a name learn it, to be reported; an endpoint that is away is asked again later."""

    async def learn(model: Model) -> None:
        with suppress(ModelError):
            await resolved(model, _NAMING_SECONDS)

    async with anyio.create_task_group() as group:
        for model in models.every:
            group.start_soon(learn, model)


def environment_profile(settings: Settings) -> Profile | None:
    """Return the profile of the environment's model, if it names one; a request's own deadline alone bounds it."""
    named = settings.model
    if named is None:
        return None
    scoring: Scoring = "number" if named.scoring == "number" else "yes_no" if named.scoring == "yes_no" else "auto"
    return Profile(
        name="environment",
        model=named.name,
        base_url=named.base_url,
        key=named.api_key,
        scoring=scoring,
        timeout_seconds=settings.request_seconds,
    )

"""`Serving`: the app that serves now, and how the next one takes its place.

A reload builds everything anew beside the app that serves, then swaps one reference. Requests that have begun end on
the app that they began with. An edit that cannot be served is refused: the last good app goes on serving, and
`state` says since when it is stale and why.
"""

import importlib
import logging
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from functools import partial

import anyio
import anyio.to_thread

from pegboard.app.application import App
from pegboard.app.opening import Resources, opened
from pegboard.app.state import Refused, Reload, State
from pegboard.catalog.calling.threads import THREADS, Threads
from pegboard.catalog.load import catalog_of
from pegboard.config.load import digest_of
from pegboard.config.problems import Problem
from pegboard.config.server.settings import Settings
from pegboard.config.watch import POLL_SECONDS, changes
from pegboard.errors import InvalidDeclarations, PegboardError
from pegboard.knowledge.refresh import Progress
from pegboard.llm.embedder import Embedder
from pegboard.llm.model import Model
from pegboard.pacing.holding import HOLDING, Holding

_log = logging.getLogger(__name__)
_SHOWN_PROBLEMS = 20


class Serving:
    """Holds the app that serves; made by `pegboard.app.open_serving`."""

    def __init__(self, resources: Resources, app: App) -> None:
        self.current = app
        """What a request takes once, when it begins."""
        self._state = State(app.catalog.digest, time.time())
        self._changed = anyio.Event()
        self._resources = resources
        self._lock = anyio.Lock()

    @property
    def settings(self) -> Settings:
        """The server's settings; a reload does not read them again."""
        return self._resources.settings

    @property
    def state(self) -> State:
        """What is served, since when, and the last edit that was refused."""
        return self._state

    @property
    def threads(self) -> Threads:
        """The threads that handlers work in, of the whole process."""
        return THREADS

    @property
    def holding(self) -> Holding:
        """How often handlers have held the event loop of the process."""
        return HOLDING

    async def changed(self) -> None:
        """Wait until `state` is another."""
        await self._changed.wait()

    async def reload(self, *, is_content_read: bool = True) -> Reload:
        """Serve what the documents say now, or say why not; the knowledge is brought up to date as well.

        Without `is_content_read`, content is looked at only where the declarations of knowledge have changed. One
        reload runs at a time; a later one waits.
        """
        async with self._lock:
            started = time.perf_counter()
            before = self.current
            try:
                app = await anyio.to_thread.run_sync(partial(self._next, is_content_read=is_content_read))
            except PegboardError as error:
                refused = _refused(error)
            except Exception as error:  # noqa: BLE001 (the server goes on, whatever building came to)
                _log.error("the configuration could not be loaded", exc_info=error)
                refused = Refused(time.time(), f"The configuration could not be loaded: {type(error).__name__}.")
            else:
                self._swap(app)
                is_new = app.catalog.digest != before.catalog.digest
                return Reload(app.catalog.digest, is_new, 1000 * (time.perf_counter() - started))
            self._refuse(refused)
            return Reload(before.catalog.digest, False, 1000 * (time.perf_counter() - started), refused)

    async def prepare(self) -> None:
        """Make the app that serves quick to answer its first question, then log how well its tools are told apart."""
        app = self.current
        await anyio.to_thread.run_sync(app.prepare, abandon_on_cancel=True)
        for health in await anyio.to_thread.run_sync(app.health, abandon_on_cancel=True):
            _log.info("%s", health)

    async def watch(self) -> None:
        """Reload whenever the documents have changed; ends only when it is cancelled."""
        while True:
            try:
                async with aclosing(changes(self.settings)) as changed:
                    async for _ in changed:
                        await self._follow()
            except Exception as error:  # noqa: BLE001 (it must go on watching, whatever looking came to)
                _log.error("the documents could not be looked at", exc_info=error)
                await anyio.sleep(POLL_SECONDS)

    async def _follow(self) -> None:
        """Reload if the documents differ from what serves; if they are the same again, forget the refused edit."""
        if await anyio.to_thread.run_sync(digest_of, self.settings) != self.state.snapshot:
            await self.reload(is_content_read=False)
        elif self.state.refused is not None:
            _log.info("the configuration is again what serves")
            self._tell(replace(self.state, refused=None))

    def _next(self, *, is_content_read: bool) -> App:
        """Build the next app beside the one that serves; blocks."""
        importlib.invalidate_caches()  # a module may have been written since
        before = self.current
        catalog = catalog_of(self.settings)
        report = before.report
        is_other = (catalog.knowledge, catalog.written) != (before.catalog.knowledge, before.catalog.written)
        if is_content_read or is_other:
            # Knowledge that is no longer declared stays until the next time: requests in flight still search it.
            report = self._resources.refreshed(catalog, besides=before.catalog.knowledge)
        app = self._resources.app(catalog, report, before=before)
        app.prepare()
        return app

    def _swap(self, app: App) -> None:
        is_new = app.catalog.digest != self.state.snapshot
        self.current = app
        self._resources.connections.serve(app.models)
        self._resources.guards.serve(tool for toolset in app.catalog.sites.values() for tool in toolset.tools)
        self._resources.running.serve(app)
        since, reloads = (time.time(), self.state.reloads + 1) if is_new else (self.state.since, self.state.reloads)
        self._tell(replace(self.state, snapshot=app.catalog.digest, since=since, refused=None, reloads=reloads))
        if is_new:
            sites, tools = len(app.catalog.sites), app.catalog.tools
            _log.info("configuration %.12s serves now (sites: %d; tools: %d)", app.catalog.digest, sites, tools)
        else:
            _log.info("reloaded, %.12s goes on serving: the documents say the same", app.catalog.digest)

    def _refuse(self, refused: Refused) -> None:
        self._tell(replace(self.state, refused=refused, refusals=self.state.refusals + 1))
        _log.error("edit refused, %.12s goes on serving. %s", self.state.snapshot, refused.message)
        for problem in refused.errors[:_SHOWN_PROBLEMS]:
            _log.error("%s", problem)
        if (more := len(refused.errors) - _SHOWN_PROBLEMS) > 0:
            _log.error("and %d more; `platform check` shows them all", more)

    def _tell(self, state: State) -> None:
        self._state = state
        self._changed.set()
        self._changed = anyio.Event()


def _refused(error: PegboardError) -> Refused:
    problems = error.problems if isinstance(error, InvalidDeclarations) else ()
    refused = Refused(time.time(), str(error), tuple(each for each in problems if isinstance(each, Problem)))
    count = len(refused.errors)  # what the error says of a configuration that is not served is not so here
    return replace(refused, message=f"It has {count} error{'s' * (count > 1)}.") if count else refused


@asynccontextmanager
async def opened_for_serving(
    settings: Settings, *, progress: Progress | None, embedder: Embedder | None, model: Model | None
) -> AsyncIterator[Serving]:
    """Open a configuration to be served; see `pegboard.app.open_serving`."""
    async with opened(settings, progress=progress, embedder=embedder, model=model) as (resources, app):
        await resources.running.recover()
        raised: Exception | None = None
        async with anyio.create_task_group() as group:
            group.start_soon(HOLDING.watch)
            try:
                yield Serving(resources, app)
            except Exception as error:  # noqa: BLE001 (it is raised again below, and not in a group)
                raised = error
            group.cancel_scope.cancel()
        if raised is not None:
            raise raised

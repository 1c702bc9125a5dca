"""`Running`: the runs of an open configuration; their engine is opened when somebody first asks for one.

It outlives catalogs: a run ends on what it began with, whatever is reloaded meanwhile.
"""

import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup, TaskStatus

from pegboard.app.answering import Answers
from pegboard.app.approving import marked, refuse_vain
from pegboard.app.engines import opened_passing, opened_runs
from pegboard.catalog.contract import Ran, Result
from pegboard.catalog.snapshot import Catalog
from pegboard.catalog.tool import Toolset
from pegboard.config.server.settings import Settings
from pegboard.errors import PegboardError, UsageError
from pegboard.events import Emit, Event, RunEvent
from pegboard.llm.usage import NOTHING_USED, UNBOUNDED, Budget, Used, read_used
from pegboard.run.context import CallContext
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app.came import Came
    from pegboard.run.approving import OnEdit
    from pegboard.run.engine import Engine, OnChange, RunView
    from pegboard.run.held import PendingApproval
    from pegboard.run.local.engine import LocalEngine
    from pegboard.run.request import RunRequest
    from pegboard.run.schedule import Status

_log = logging.getLogger(__name__)
_TIDIED_SECONDS = 3600.0
"""How often old runs are forgotten."""
MOST_PARALLEL = 64


class WithTools(Protocol):
    """What gives runs their tools: the `App` that serves."""

    @property
    def catalog(self) -> Catalog: ...

    def context_of(self, site: str, question: str, *, deadline: float, previous: tuple[str, ...] = ()) -> CallContext:
        """Return what the tools of `site` are given."""
        ...

    def in_use(self) -> AbstractContextManager[None]:
        """Keep open what they need for the time of the block."""
        ...

    async def write_answer(self, came: "Came", *, emit: Emit) -> None:
        """Put what a run came to into words; every event goes to `emit`."""
        ...


class Running:
    """Starts, follows and ends runs with the tools of the app that serves."""

    def __init__(self, group: TaskGroup, settings: Settings) -> None:
        self.is_recovering = False
        """Runs that nobody drives are driven on; for a process that stays."""
        self._group = group
        self._settings = settings
        self._app: WithTools | None = None
        self._answers = Answers(group)
        self._engine: Engine | None = None
        self._local: LocalEngine | None = None
        """What drives the plans of requests, where the engine is another."""
        self._lock = anyio.Lock()
        self._looked: Catalog | None = None
        """What the documents say, where nothing is served and somebody had to know."""

    def serve(self, app: WithTools) -> None:
        """Let new runs have the tools of `app`."""
        self._app = app

    async def recover(self) -> None:
        """Drive on what others have left, if there ever was a run, now and later.

        Where the journal cannot be used, that is logged, and said to whoever asks for runs: questions need none.

        Raises:
            Unreachable: Temporal is to drive runs, and does not answer.
        """
        from pegboard.run.journal.row import JournalBroken  # noqa: PLC0415 (only where there are runs)

        self.is_recovering = True
        if self._settings.runs_engine == "temporal":
            await self._opened()  # it does nodes of others' runs as well; without Temporal it does not start
        elif (self._settings.data / "runs.db").exists():
            try:
                await self._opened()
            except JournalBroken as error:
                _log.error("there are no runs: %s", error)

    async def start(  # noqa: PLR0913 (what whoever begins a run may say of it)
        self,
        site: str,
        plan: Json,
        *,
        inputs: Mapping[str, Json] | None = None,
        question: str = "",
        max_parallel: int = 8,
        deadline_seconds: float | None = None,
        approval_seconds: float | None = None,
        budget: Mapping[str, int] | None = None,
        planned: Mapping[str, Json] | None = None,
        tools: Sequence[str] = (),
    ) -> str:
        """Begin a run of `plan` with the tools of `site`, and return its id.

        Its budget of models is what all let it: `budget` (`calls`, `tokens`), the site's, and the server's settings.
        `planned` is what was told of making the plan for `question`, with `tools` alone if there are any. What that
        used counts; where a model made it, that may plan further steps at the end.

        Raises:
            UnknownSite: no document declares it.
            UsageError: the plan cannot work; with everything that is wrong with it.
        """
        from pegboard.catalog.allowed import refuse_faulty  # noqa: PLC0415
        from pegboard.plan.written import read_plan  # noqa: PLC0415 (runs are for the few who have plans)
        from pegboard.planner.planned import is_by_model  # noqa: PLC0415
        from pegboard.run.request import DAY_SECONDS, RunRequest  # noqa: PLC0415

        assert self._app is not None  # it is served before anybody asks
        toolset, told = self._app.catalog.toolset(site), planned or {}
        read = read_plan(plan)
        refuse_faulty(read, toolset, inputs or {})
        if not 1 <= max_parallel <= MOST_PARALLEL:
            raise UsageError(f"max_parallel cannot be {max_parallel}.", hint=f"It is 1 to {MOST_PARALLEL}.")
        request = RunRequest(
            read,
            toolset.site,
            question,
            inputs or {},
            max_parallel=max_parallel,
            deadline_seconds=deadline_seconds,
            approval_seconds=DAY_SECONDS if approval_seconds is None else approval_seconds,
            budget=Budget(**(budget or {})).and_at_most(self._budget_of(toolset)),
            used=read_used(usage) if isinstance(usage := told.get("usage"), dict) else Used(),
            further=planned is not None and is_by_model(planned),
            tools=tuple(tools),
        )
        return await (await self._opened()).start(request)

    def _budget_of(self, toolset: Toolset) -> Budget:
        """Return what a run on a site may use; the time that a site gives its questions is not that of runs."""
        site = toolset.routing.budget or UNBOUNDED
        return Budget(self._settings.runs_calls, self._settings.runs_tokens).and_at_most(replace(site, seconds=None))

    async def follow(self, run: str, *, after: int = 0) -> AsyncIterator[RunEvent]:
        """Yield the events of a run after number `after`, until it has ended.

        Raises:
            UnknownRun: there is none of that id.
        """
        async for event in (await self._opened()).follow(run, after=after):
            yield event

    async def outcome(self, run: str) -> Ran:
        """Wait until a run has ended, and return what it came to.

        Raises:
            UnknownRun: there is none of that id.
        """
        return await (await self._opened()).outcome(run)

    async def gave(self, run: str) -> Result:
        """Wait until a run has ended, and return what it gave as one result, in the language of its question.

        Raises:
            UnknownRun: there is none of that id.
            CallFailed: no node of it gave anything; with all the reasons.
        """
        return (await self._came(run)).result()

    async def answer(self, run: str) -> dict[str, Json]:
        """Wait until a run has ended, and return its answer without a model; it says which parts failed.

        Raises:
            UnknownRun: there is none of that id.
        """
        return await (await self._came(run)).extract()

    async def written(self, run: str, *, after: str = "") -> AsyncIterator[tuple[str, Event]]:
        """Wait until a run has ended, and yield the events of its answer with their ids, after that of id `after`.

        The site's model writes it, once for all who listen. The last event is `AnswerEnded`.

        Raises:
            UnknownRun: there is none of that id.
            CallFailed: no node of it gave anything; with all the reasons.
        """
        came = await self._came(run)

        async def write(emit: Emit) -> None:
            assert self._app is not None  # it is served before anybody asks
            await self._app.write_answer(came, emit=emit)

        async for told in self._answers.follow(run, write, after=after):
            yield told

    async def plan(self, run: str) -> dict[str, Json]:
        """Return the plan of a run, as `start` takes it.

        Raises:
            UnknownRun: there is none of that id.
        """
        from pegboard.plan.written import plan_json  # noqa: PLC0415 (runs are for the few who have plans)

        return plan_json((await (await self._opened()).request(run)).plan)

    async def _came(self, run: str) -> "Came":
        from pegboard.app.came import Came  # noqa: PLC0415

        engine = await self._opened()
        ran = await engine.outcome(run)
        return Came(await engine.request(run), ran)

    async def runs(self, *, limit: int = 100) -> "list[RunView]":
        """Return the runs, the latest first."""
        engine = await self._opened()
        return await self._marked(engine, await engine.runs(limit=limit))

    async def show(self, run: str) -> "RunView":
        """Return how a run and its nodes stand.

        Raises:
            UnknownRun: there is none of that id.
        """
        engine = await self._opened()
        return (await self._marked(engine, [await engine.show(run)]))[0]

    async def cancel(self, run: str, reason: str = "") -> "Status":
        """End a run; one that has ended stays as it is. Return how it stood.

        Raises:
            UnknownRun: there is none of that id.
        """
        return await (await self._opened()).cancel(run, reason)

    async def resume(self, run: str, *, on_change: "OnChange" = "refuse") -> None:
        """Drive a run on that nobody drives.

        Raises:
            UnknownRun, RunBusy, RunChanged
        """
        await (await self._opened()).resume(run, on_change=on_change)

    async def approve(
        self, run: str, node: str = "", granted: bool = True, *, on_edit: "OnEdit" = "refuse"
    ) -> "PendingApproval":
        """Let a node go on that waits for an approval, or let it fail; return which that was.

        Without `node` it is the only one that waits; of a node that runs others, the only one inside of it. A tool
        that is not what it was when the run began is called as it was only where `on_edit` says so.

        Raises:
            UnknownRun, NotHeld, RunBroken
            RunChanged: the tool has been edited or withdrawn, or the run cannot be driven on.
        """
        engine = await self._opened()
        found = (await engine.show(run)).approval(node)
        if granted:
            await refuse_vain(engine, found, await self._catalog_of_now(), on_edit)
        return await engine.approve(found.run, found.node, granted)

    async def run(
        self,
        plan: Json,
        inputs: Mapping[str, Json],
        context: CallContext,
        *,
        seconds: float | None = None,
        used: Used = NOTHING_USED,
    ) -> Ran:
        """Run a plan for a request; it ends with the request. Fulfils `run.context.Within`.

        Raises:
            UsageError: it cannot work.
        """
        return await (await self._passing()).attached().run(plan, inputs, context, seconds=seconds, used=used)

    async def recorded(self, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        """Do `work`: what ends with its request is not kept. Fulfils `run.context.Within`."""
        return await work()

    @property
    def holds(self) -> bool:
        """A request does not wait for approvals. Fulfils `run.context.Within`."""
        return False

    def for_call(self, tool: str, arguments: Mapping[str, Json]) -> "Running":
        """Return itself: nothing is recorded of a request. Fulfils `run.context.Within`."""
        return self

    async def _marked(self, engine: "Engine", views: "list[RunView]") -> "list[RunView]":
        if not any(view.approvals for view in views) or (catalog := await self._catalog_of_now()) is None:
            return views
        return await marked(engine, views, catalog)

    async def _catalog_of_now(self) -> Catalog | None:
        """Return what is served; where nothing is, what the documents say; None: these cannot be read."""
        if self._app is not None:
            return self._app.catalog
        from pegboard.catalog.load import catalog_of  # noqa: PLC0415 (only where somebody waits for an approval)

        if self._looked is None:
            with suppress(PegboardError):
                self._looked = await anyio.to_thread.run_sync(catalog_of, self._settings)
        return self._looked

    async def _opened(self) -> "Engine":
        async with self._lock:
            if self._engine is None:
                self._engine = await self._group.start(self._host)
        return self._engine

    async def _passing(self) -> "LocalEngine":
        """Return what drives the plans of requests; the journal of the local engine keeps those as well."""
        from pegboard.run.local.engine import LocalEngine  # noqa: PLC0415 (only where there are runs)

        if self._settings.runs_engine == "local" and isinstance(engine := await self._opened(), LocalEngine):
            return engine
        async with self._lock:
            if self._local is None:
                self._local = await self._group.start(self._host_passing)
        return self._local

    async def _host(self, *, task_status: TaskStatus["Engine"]) -> None:
        settings = self._settings
        if self._app is None and settings.runs_engine == "local" and not (settings.data / "runs.db").exists():
            opening: AbstractAsyncContextManager[Engine] = opened_passing(settings, self._context, self._during)
        else:
            opening = opened_runs(settings, self._context, self._during, is_staying=self.is_recovering)
        async with opening as engine:
            task_status.started(engine)
            while True:
                await engine.tidy(age_seconds=settings.runs_age_seconds, most=settings.runs_kept)
                await anyio.sleep(_TIDIED_SECONDS)

    async def _host_passing(self, *, task_status: TaskStatus["LocalEngine"]) -> None:
        async with opened_passing(self._settings, self._context, self._during) as engine:
            task_status.started(engine)
            while True:
                await anyio.sleep(_TIDIED_SECONDS)
                await engine.tidy(age_seconds=_TIDIED_SECONDS, most=self._settings.runs_kept)

    def _context(self, request: "RunRequest") -> CallContext:
        if self._app is None:
            raise UsageError("Runs can be looked at here, and not be driven.")
        return self._app.context_of(request.site, request.question, deadline=math.inf, previous=request.previous)

    def _during(self, request: "RunRequest") -> AbstractContextManager[None]:
        assert self._app is not None  # it has just given the run's context
        return self._app.in_use()

"""`TemporalEngine`: Temporal drives the runs, and any worker of its task queue does their nodes; fulfils `Engine`."""

import json
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import anyio
import anyio.to_thread
from temporalio.client import WorkflowExecution, WorkflowExecutionStatus

from pegboard.catalog.contract import Ran
from pegboard.errors import Unreachable
from pegboard.events import RunEvent
from pegboard.run.contexts import Contexts
from pegboard.run.engine import Going, OnChange, RunView, changed_since
from pegboard.run.held import PendingApproval
from pegboard.run.journal.entry import event_of
from pegboard.run.journal.row import Row, UnknownRun
from pegboard.run.node.durations import Durations
from pegboard.run.node.specs import changed, specs_of
from pegboard.run.past.views import listed, view_of
from pegboard.run.request import RunRequest, read_request
from pegboard.run.schedule import Status
from pegboard.run.temporal.beginning import beginning, memo_of, tooled
from pegboard.run.temporal.client import Service
from pegboard.run.temporal.keep import Keep
from pegboard.run.temporal.reading import followed, past_of, ran_of_run, refuse_broken
from pegboard.run.temporal.wire import Asked, Resumed

_OPEN = (WorkflowExecutionStatus.RUNNING, WorkflowExecutionStatus.CONTINUED_AS_NEW)

_LONGEST_SECONDS = 30.0
"""How often it is looked whether a run waits to be resumed, by whoever waits for its end."""

_LOOK_SECONDS = 2.0
"""How long a list waits for what its runs wait for."""

_WORKER_SECONDS = 3.0
"""How long a server is waited for that does nodes, by a process that does none."""


class TemporalEngine:
    """Starts, follows and ends runs; made by `run/temporal/opening.py`."""

    def __init__(  # noqa: PLR0913 (what `opened_temporal` puts together)
        self,
        service: Service,
        contexts: Contexts,
        keep: Keep,
        durations: Durations,
        *,
        heartbeat_seconds: float,
        turn_after: int = 0,
        is_working: bool = True,
    ) -> None:
        self._service = service
        self._contexts = contexts
        self._keep = keep
        self._durations = durations
        self._heartbeat_seconds = heartbeat_seconds
        self._turn_after = turn_after
        self._is_working = is_working

    # The seam

    async def start(self, request: RunRequest) -> str:
        """Begin a run and return its id.

        Raises:
            Unreachable: no server does nodes.
            UsageError: it is too large.
        """
        if not (self._is_working or await self._is_somebody_there()):
            message = f"No server does nodes of the task queue {self._service.queue!r}: the run would wait for one."
            raise Unreachable(message, hint="Start `platform serve` with the same settings.")
        begin = replace(
            beginning(request, self._contexts(request).toolset),
            seconds=dict(self._durations.of(request.site, request.plan)),
            heartbeat_seconds=self._heartbeat_seconds,
            turn_after=self._turn_after,
        )
        run = secrets.token_hex(8)
        await self._service.start(run, begin, memo_of(request, begin.parent, begin.created))
        return run

    async def follow(self, run: str, *, after: int = 0) -> AsyncIterator[RunEvent]:
        """Yield the events of a run from the one after number `after` on, until it has ended."""
        async for written in followed(self._service, run, after=after):
            yield event_of(written)

    async def outcome(self, run: str) -> Ran:
        """Wait until a run has ended, and return what it came to."""
        seconds = 1.0
        while not await self._service.ended(run, seconds):
            seconds = min(2 * seconds, _LONGEST_SECONDS)
            refuse_broken(run, (await self._service.standing(run)).broken)
        return await ran_of_run(self._service, run, self._keep)

    async def cancel(self, run: str, reason: str = "") -> Status:
        """End a run; one that has ended stays as it is. Return how it stood."""
        if await self._is_open(run):
            with suppress(UnknownRun):  # it has just ended
                await self._service.ask(run, Asked("cancel", reason=reason))
                return "running"
        return (await self.show(run)).status

    async def resume(self, run: str, *, on_change: OnChange = "refuse") -> None:
        """Let a run go on that waits because its tools are not what they were; others go on by themselves."""
        if not await self._is_open(run):
            return
        request = await self.request(run)
        toolset = self._contexts(request).toolset
        specs = specs_of(request.plan, toolset)
        if (now := changed(request.plan, request.specs, specs)) and on_change == "refuse":
            raise changed_since(run, now)
        with suppress(UnknownRun):  # it has just ended
            await self._service.resume(run, Resumed(specs, tooled(request.plan, toolset)))

    async def approve(self, run: str, node: str = "", granted: bool = True) -> PendingApproval:
        """Let a node go on that waits for an approval, or let it fail; return which that was."""
        found = (await self.show(run)).approval(node)
        refuse_broken(found.run, (await self._service.standing(found.run)).broken)
        try:
            await self._service.ask(found.run, Asked("approve" if granted else "deny", found.node))
        except UnknownRun:  # it has just ended
            return (await self.show(run)).approval(node)
        return found

    async def going(self, run: str) -> Going:
        """Tell how a run goes on: whoever does the next node has what is served now."""
        return "as_served"

    # What else can be asked

    async def runs(self, *, limit: int = 100) -> list[RunView]:
        """Return the runs that are no part of another, the latest first; a new one is listed a moment later."""
        views: dict[str, RunView] = {}
        async for execution in self._service.listed():
            if execution.id in views or execution.status == WorkflowExecutionStatus.CONTINUED_AS_NEW:
                continue
            memo = await execution.memo()
            if memo.get("parent"):
                continue
            views[execution.id] = view_of(_row(execution, memo), steps=memo.get("steps"))
            if len(views) >= limit:
                break
        with anyio.move_on_after(_LOOK_SECONDS):
            async with anyio.create_task_group() as group:
                for view in views.values():
                    if view.status == "running":
                        group.start_soon(self._look, view.run, views)
        return [*views.values()]

    async def _look(self, run: str, views: dict[str, RunView]) -> None:
        """Look what a run waits for; where nobody can say, it is listed without."""
        with suppress(UnknownRun, Unreachable):
            views[run] = listed(await self.show(run))

    async def show(self, run: str) -> RunView:
        """Return how a run and its nodes stand."""
        standing, past = await past_of(self._service, run)
        status: Status = past.schedule.status if standing.ended is not None else "running"
        if status == "running" and not await self._is_open(run):
            status = "cancelled"  # in Temporal itself, where nobody could write it down
        request = json.loads(standing.request)
        row = Row(run, request, standing.created, standing.parent, standing.seq, status, standing.ended)
        places = tuple(f"{run}.{node}." for node in past.under_way)
        unfinished: list[RunView] = []
        for each in standing.inside if places else ():
            with suppress(UnknownRun):  # it is named before it is begun
                if each.startswith(places) and (inner := await self.show(each)).status == "running":
                    unfinished.append(inner)
        return replace(view_of(row, past, standing.inside, unfinished), used=standing.used)

    async def request(self, run: str) -> RunRequest:
        """Return what a run is asked for."""
        return read_request(json.loads((await self._service.standing(run)).request))

    async def tidy(self, *, age_seconds: float, most: int) -> int:
        """Forget large results of so long ago; runs are forgotten by Temporal, when its namespace says so."""
        return len(await anyio.to_thread.run_sync(lambda: self._keep.blobs.sweep(set(), young_seconds=age_seconds)))

    async def _is_somebody_there(self) -> bool:
        """Tell whether a server does nodes; one that has just started is known a moment later."""
        with anyio.move_on_after(_WORKER_SECONDS):
            while True:
                if await self._service.workers():
                    return True
                await anyio.sleep(_WORKER_SECONDS / 10)
        return False

    async def _is_open(self, run: str) -> bool:
        return await self._service.status(run) in _OPEN


def _row(execution: WorkflowExecution, memo: Any) -> Row:
    """Return what a list shows of a run."""
    status = memo["status"]
    if status == "running" and execution.status not in _OPEN:
        status = "cancelled"
    about = {"site": memo["site"], "question": memo["question"]}
    return Row(execution.id, about, memo["created"], "", memo["seq"], status, memo.get("ended"))

"""`LocalEngine`: runs are driven in this process, with a journal; the default engine.

One that breaks off with its process is driven on by the next: a run that nobody drives is found by its journal.
"""

import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from pegboard.catalog.contract import Ran
from pegboard.errors import PegboardError
from pegboard.events import RunEvent, silent
from pegboard.llm.usage import measured
from pegboard.run.breaking import Broken, what_broke
from pegboard.run.context import CallContext
from pegboard.run.contexts import Contexts, During, unheld
from pegboard.run.engine import Going, OnChange, RunView, changed_since
from pegboard.run.further import further_steps
from pegboard.run.held import PendingApproval
from pegboard.run.journal.blobs import Blobs
from pegboard.run.journal.entry import Entry, Written, event_of
from pegboard.run.journal.journal import Journal
from pegboard.run.journal.log import Log
from pegboard.run.journal.row import JournalBroken, Row, RunBusy, UnknownRun, is_fenced
from pegboard.run.local.clock import Clock
from pegboard.run.local.driver import Driver
from pegboard.run.local.listening import Listening
from pegboard.run.local.owner import Owner
from pegboard.run.local.reading import listed_runs, ran_of_row, request_of_row, view_of_row
from pegboard.run.local.waited import Waited
from pegboard.run.nested import Nest, Nested, heard, outermost
from pegboard.run.node.durations import Durations
from pegboard.run.node.slots import MAX_PARALLEL, Slot, Slots
from pegboard.run.node.specs import specs_of
from pegboard.run.node.work import Work
from pegboard.run.past.ending import REQUEST_ENDED, cancelled
from pegboard.run.past.fold import Past, folded
from pegboard.run.past.ran import ran_of
from pegboard.run.past.resuming import changed_request, resumed_entry
from pegboard.run.request import RunRequest, read_request
from pegboard.run.schedule import Status
from pegboard.text import Json

_log = logging.getLogger(__name__)

LEASE_SECONDS = 15.0


class LocalEngine:
    """Drives runs in tasks of the group that it was opened in; fulfils `Engine`. Made by `run/local/opening.py`."""

    def __init__(  # noqa: PLR0913 (what `opened_engine` puts together)
        self,
        group: TaskGroup,
        journal: Journal,
        blobs: Blobs | None,
        owner: Owner,
        contexts: Contexts,
        *,
        max_parallel: int = MAX_PARALLEL,
        lease_seconds: float = LEASE_SECONDS,
        during: During = unheld,
    ) -> None:
        self.journal = journal
        self._group = group
        self._blobs = blobs
        self._owner = owner
        self._contexts = contexts
        self._during = during
        self._slots = Slots(anyio.CapacityLimiter(max_parallel))
        self._lease_seconds = lease_seconds
        self._durations = Durations()
        self._drivers: dict[str, Driver] = {}
        self._own: set[str] = set()
        """Runs that are driven here, or are about to be."""
        self._waited: dict[str, Waited] = {}
        """Runs whose end somebody here waits for."""
        self._broken = Broken()
        self._listening = Listening(journal, self._broken)

    # The seam

    async def start(self, request: RunRequest) -> str:
        """Begin a run and return its id."""
        run, context = secrets.token_hex(8), self._contexts(request)
        past = await self._created(run, request, context)
        self._own.add(run)
        self._group.start_soon(self._host, run, past, context)
        return run

    def follow(self, run: str, *, after: int = 0) -> AsyncIterator[RunEvent]:
        """Yield the events of a run from the one after number `after` on, until it has ended."""
        return self._listening.follow(run, after=after)

    async def outcome(self, run: str) -> Ran:
        """Wait until a run has ended, and return what it came to."""
        if run in self._own:  # or else its end is read from the journal
            waited = self._waited.setdefault(run, Waited())
            await waited.has_ended.wait()
            if waited.ran is not None:
                return waited.ran
        async for _ in self.follow(run, after=(await self.journal.row(run)).seq):
            pass
        return await ran_of_row(self.journal, self._blobs, await self.journal.row(run))

    async def cancel(self, run: str, reason: str = "") -> Status:
        """End a run; one that has ended stays as it is. Return how it stood."""
        row = await self.journal.wish(run, "cancel", reason=reason)
        if row.status == "running" and not await self._deliver(run):
            with suppress(RunBusy):  # its driver looks for wishes with each renewal of its lease
                await self._end(run, reason)
        return row.status

    async def resume(self, run: str, *, on_change: OnChange = "refuse") -> None:
        """Drive a run on that nobody drives; one that has ended stays as it is."""
        if run in self._own:
            return
        self._own.add(run)
        try:
            await self._resume(run, on_change)
        except BaseException:
            self._own.discard(run)
            raise

    async def _resume(self, run: str, on_change: OnChange) -> None:
        row = await self._taken(run)
        if row.status != "running":
            self._own.discard(run)
            return
        try:
            request = read_request(row.request)
            context = self._contexts(request)
            past = await self._past(row, request, context, on_change)
            if (tainted := await self.journal.tainted(run)) is not None:
                context.request.taint.mark(tainted)
        except BaseException:
            with anyio.CancelScope(shield=True), suppress(JournalBroken):
                await self.journal.release(run, self._owner.id)
            raise
        self._broken.forget(run)
        self._group.start_soon(self._host, run, past, context)

    async def approve(self, run: str, node: str = "", granted: bool = True) -> PendingApproval:
        """Let a node go on that waits for an approval, or let it fail; return which that was."""
        found = (await self.show(run)).approval(node)
        self._broken.check(outermost(run))
        await self.journal.wish(found.run, "approve" if granted else "deny", node=found.node)
        await self._deliver(found.run)
        return found

    async def going(self, run: str) -> Going:
        """Tell how a run goes on, or the one around it."""
        row = await self.journal.row(outermost(run))
        is_elsewhere = row.owner != self._owner.id and not row.is_free(self._owner.gone(), self.journal.now())
        is_driven = is_elsewhere or row.id in self._drivers  # or else it is only looked whether it can be
        return "as_begun" if is_driven else "not"

    # What else can be asked

    async def runs(self, *, limit: int = 100) -> list[RunView]:
        """Return the runs that are no part of another, the latest first."""
        return await listed_runs(self.journal, limit)

    async def show(self, run: str) -> RunView:
        """Return how a run and its nodes stand.

        Raises:
            UnknownRun: there is none of that id.
        """
        return await view_of_row(self.journal, await self.journal.row(run))

    async def request(self, run: str) -> RunRequest:
        """Return what a run is asked for, with the further steps of its plan."""
        return await request_of_row(self.journal, await self.journal.row(run))

    async def recover(self) -> list[str]:
        """Drive on all runs that nobody drives, and return them; what cannot be is logged, once.

        The plan of a request is ended: whoever asked waits no more, and may have asked again.
        """
        resumed: list[str] = []
        gone, now = self._owner.gone(), self.journal.now()
        for row in await self.journal.rows(unfinished=True, limit=-1):
            is_free = row.is_free(gone, now) or self._broken.is_waiting(row.id)
            if not is_free or row.id in self._broken or row.id in self._own:
                continue
            try:
                if row.request.get("is_attached"):
                    await self._end(row.id, REQUEST_ENDED)
                    continue
                await self.resume(row.id)
                resumed.append(row.id)
            except (RunBusy, JournalBroken):
                continue
            except PegboardError as error:
                self._broken.refuse(row.id, error)
                _log.error("run %s cannot be resumed: %s", row.id, error)
        return resumed

    async def beat(self) -> None:
        """Prolong the leases of what is driven here, and take up what others wish of it."""
        for wish in await self.journal.renew(self._owner.id, lease_seconds=self._lease_seconds):
            if (driver := self._drivers.get(wish.run)) is not None:
                driver.happen(wish)

    async def tidy(self, *, age_seconds: float, most: int) -> int:
        """Forget runs that ended so long ago, and all but so many; return how many."""
        forgotten = await self.journal.prune(before=self.journal.now() - age_seconds, most=most)
        if self._blobs is not None:
            await anyio.to_thread.run_sync(self._blobs.sweep, await self.journal.named_blobs())
        return forgotten

    def attached(self) -> "Nested":
        """Return what runs the plans of a request: they end with it."""
        return Nested(self, "", "", None)

    # Runs inside of nodes and requests

    def within(self, run: str, node: str, slot: Slot, holds: bool) -> Nested:
        """Return what the context of a node runs plans with."""
        return Nested(self, run, node, slot, holds=holds)

    async def recorded(self, run: str, node: str, name: str, work: Callable[[], Awaitable[Json]]) -> Json:
        """Do `work` for a node of a run that is driven here, or return what is recorded of it."""
        return await self._drivers[run].notes.recorded(node, name, work)

    async def abandon(self, run: str, node: str = "") -> None:
        """End the runs inside of a node, or of a whole run, that nobody wants any more."""
        for row in await self.journal.rows(parent=run, unfinished=True, limit=-1):
            if row.id.startswith(f"{run}.{node}." if node else run) and row.id not in self._own:
                await self._end(row.id, "nobody waits for it any more")

    async def inside(self, nest: Nest, request: RunRequest, context: CallContext) -> Ran:
        """Run `request` in this task, or go on with it if it has been begun; it ends where this is cancelled."""
        try:
            row = await self._taken(nest.run)
        except UnknownRun:
            if (outer := self._drivers.get(nest.parent)) is not None:
                request = replace(request, approval_seconds=outer.approval_seconds)
            past = await self._created(nest.run, request, context, nest)
        else:
            if (tainted := await self.journal.tainted(nest.run)) is not None:
                context.request.taint.mark(tainted)
            if row.status != "running":
                return await ran_of_row(self.journal, self._blobs, row)
            past = await self._past(row, read_request(row.request), context, "reuse")
        driver = self._driver(nest.run, past, context, nest.slots, nest)
        self._own.add(nest.run)
        try:
            await self._drive(nest.run, driver, past)
        except BaseException as error:
            with anyio.CancelScope(shield=True), suppress(JournalBroken):
                await self.journal.release(nest.run, self._owner.id)
                if not nest.parent:
                    await self._end(nest.run, REQUEST_ENDED)
            if (cause := what_broke(error)) is not None:
                raise cause from error
            raise
        return ran_of(nest.run, past, {name: output.result for name, output in driver.outputs.items()})

    # How it comes about

    async def _created(self, run: str, request: RunRequest, context: CallContext, nest: Nest | None = None) -> Past:
        request = request.with_specs(specs_of(request.plan, context.toolset))
        told = request.to_json()
        now, parent = self.journal.now(), nest.parent if nest else ""
        entry = Entry("run_started", body={"site": request.site, "plan": told["plan"]})
        row = Row(run, told, now, parent, owner=self._owner.id, lease_until=now + self._lease_seconds)
        past = folded(request, [], self._durations.of(request.site, request.plan))
        await self.journal.create(row, [entry])
        past.seq = 1
        if nest is not None and (outer := self._drivers.get(nest.parent)) is not None:
            outer.hear(nest.node, event_of(Written(run, 1, now, entry)))
        return past

    async def _taken(self, run: str) -> Row:
        gone = self._owner.gone()
        return await self.journal.take(run, self._owner.id, lease_seconds=self._lease_seconds, gone=gone)

    async def _past(self, row: Row, request: RunRequest, context: CallContext, on_change: OnChange) -> Past:
        """Return where a run stands that is to be driven on.

        Raises:
            RunChanged: its tools are not what they were.
        """
        entries = await self.journal.entries(row.id)
        seconds = self._durations.of(request.site, request.plan)
        past = folded(request, entries, seconds)
        now = changed_request(past, specs_of(past.plan, context.toolset))
        if now.changed and on_change == "refuse":
            raise changed_since(row.id, now.changed)
        if now.changed:
            await self.journal.change(row.id, self._owner.id, now.request.to_json())
        log = self._log_of(row.id, past.seq)
        await log.add([resumed_entry(past, now)])
        past.seq = log.seq
        return folded(now.request, await self.journal.entries(row.id), seconds) if now.changed else past

    def _log_of(self, run: str, seq: int) -> Log:
        return Log(run, self._owner.id, seq, self.journal, self._blobs, self._listening.tell)

    def _driver(self, run: str, past: Past, context: CallContext, slots: Slots, nest: Nest | None = None) -> Driver:
        outer = self._drivers.get(nest.parent) if nest else None
        log = self._log_of(run, past.seq)
        if nest is not None and outer is not None:
            log.hear = partial(outer.hear, nest.node)
            context = replace(context, emit=silent)  # the log says it, and of which node it is
        elif nest is not None:
            log.hear = partial(heard, context.emit)
        slots, holds = slots.within(past.request.max_parallel), nest is None or nest.holds
        clock = Clock(past.request.deadline_seconds)
        context = context.within_time(clock.left)
        work = Work(run, context, log, slots, self, self._durations, holds)
        driver = Driver(past, log, work, partial(further_steps, context), clock)
        if nest is not None and outer is not None:
            driver.tell_waiting = partial(outer.waits, nest.node, run)
        return driver

    async def _drive(self, run: str, driver: Driver, past: Past) -> None:
        self._drivers[run] = driver
        try:
            for wish in await self.journal.wishes(run):
                driver.happen(wish)
            with measured(past.request.budget) as usage:
                await driver.drive(usage)
        finally:
            driver.tell_waiting(None)
            del self._drivers[run]
            self._own.discard(run)

    async def _host(self, run: str, past: Past, context: CallContext) -> None:
        """Drive a run to its end; what goes wrong with it is no other run's business."""
        try:
            with self._during(past.request):
                driver = self._driver(run, past, context, self._slots)
                await self._drive(run, driver, past)
            if (waited := self._waited.get(run)) is not None:
                waited.ran = ran_of(run, past, {name: output.result for name, output in driver.outputs.items()})
        except Exception as error:  # noqa: BLE001 (the run can be resumed, and the engine goes on)
            if is_fenced(error):
                _log.warning("run %s has been taken over by another process", run)
                return
            _log.error("driving run %s broke off", run, exc_info=error)
            self._broken.note(run, error)
            with suppress(JournalBroken):  # its lease runs out
                await self.journal.release(run, self._owner.id)
        except BaseException:
            with anyio.CancelScope(shield=True), suppress(JournalBroken):
                await self.journal.release(run, self._owner.id)
            raise
        finally:
            self._own.discard(run)
            self._listening.tell(run)
            if (waited := self._waited.pop(run, None)) is not None:
                waited.has_ended.set()

    async def _end(self, run: str, reason: str) -> None:
        """End a run that nobody drives.

        Raises:
            RunBusy: somebody does.
        """
        row = await self._taken(run)
        if row.status != "running":
            return
        past = folded(read_request(row.request), await self.journal.entries(run))
        entries = cancelled(past, reason)
        await self._log_of(run, past.seq).add(entries, status=past.schedule.status)
        await self.abandon(run)

    async def _deliver(self, run: str) -> bool:
        """Let the driver of a run know what is wished; False where it is not driven here."""
        if (driver := self._drivers.get(run)) is None:
            return False
        for wish in await self.journal.wishes(run):
            driver.happen(wish)
        return True

"""`RunWorkflow`: one run in Temporal; it lets the course decide, starts what that says, and keeps nothing of its own.

Temporal replays it: whatever worker goes on with it comes to the same state. So nothing here looks at a clock, a file
or the network.
"""

from datetime import timedelta
from functools import partial
from typing import Any, TypeAlias

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, ApplicationError, CancelledError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from pegboard.run.past.ending import steps_in
    from pegboard.run.temporal.beginning import memo_of
    from pegboard.run.temporal.course import PLANNING, Course
    from pegboard.run.temporal.log import entry_text, page
    from pegboard.run.temporal.names import (
        ABANDONED,
        ASK,
        DO,
        FURTHER,
        HEAR,
        INPUTS_KEY,
        KEPT,
        LOOK,
        PAGE,
        RESUME,
        RUN,
        STANDING,
    )
    from pegboard.run.temporal.wire import (
        MOST_BYTES,
        Asked,
        Begin,
        Came,
        Further,
        Looked,
        Page,
        Planned,
        Resumed,
        Standing,
        Task,
        Told,
    )

_Handle: TypeAlias = workflow.ActivityHandle[Came] | workflow.ActivityHandle[Looked] | workflow.ActivityHandle[Planned]

_LONGEST = timedelta(days=30)
"""Of one node; its own timeout ends it before, if it has one."""
_LOST = frozenset({"CancelledError", "WorkerShutdown", "ActivityPause", "ActivityReset", None})
"""What Temporal says of activities that ended without a word of ours."""
_TURN_LATEST = 5
"""Times the advised length of a history: then nothing more starts, so that the next execution can follow."""


@workflow.defn(name=RUN)
class RunWorkflow:
    """A run."""

    @workflow.init
    def __init__(self, begin: Begin) -> None:
        info = workflow.info()
        self._begin = begin
        self._course = Course(info.workflow_id, info.run_id, begin, workflow.time())
        self._handles: dict[str, _Handle] = {}

    @workflow.run
    async def run(self, begin: Begin) -> str:
        """Drive it to its end, and return how that was."""
        course = self._course
        while True:
            todo = course.advance(workflow.time())
            for name in todo.cancel:
                if (handle := self._handles.get(name)) is not None:
                    handle.cancel()
            for task in todo.start:
                self._start(task, is_look=False)
            for task in todo.look:
                self._start(task, is_look=True)
            if todo.further is not None:
                self._plan(todo.further)
            for run in todo.abandon:
                await self._abandon(run)
            if course.is_over:
                break
            if self._is_to_turn() and not course.has_news:
                workflow.continue_as_new(course.next(), memo=self._memo())
            await self._wait()
        workflow.upsert_memo(self._memo())
        return course.standing().status

    async def _wait(self) -> None:
        """Wait until something happens, or is due."""
        seconds = self._course.seconds_to_next()
        try:
            await workflow.wait_condition(
                lambda: self._course.has_news, timeout=None if seconds is None else timedelta(seconds=seconds)
            )
        except TimeoutError:
            pass
        except BaseException as error:
            if not is_cancelled_exception(error):
                raise
            self._course.asked(Asked("cancel", reason="it was cancelled in Temporal"))

    def _is_to_turn(self) -> bool:
        """Tell whether the next execution is to follow now; where that is overdue, let nothing more start."""
        info, course = workflow.info(), self._course
        length, after = info.get_current_history_length(), self._begin.turn_after
        is_long = length > after if after else info.is_continue_as_new_suggested()
        advised = after or 4096
        course.is_turning = is_long and (bool(after) or length > _TURN_LATEST * advised)
        return is_long and not course.active

    def _memo(self) -> dict[str, object]:
        """Return what a list of runs shows; all of it, for the next execution begins without what was there."""
        bag, standing = self._course.bag, self._course.standing()
        about = memo_of(bag.request, standing.parent, standing.created)
        steps = steps_in(self._course.schedule.states.values())
        return {**about, "status": standing.status, "ended": standing.ended, "seq": standing.seq, "steps": steps}

    def _start(self, task: Task, *, is_look: bool) -> None:
        handle: _Handle = self._begun(LOOK if is_look else DO, task, Looked if is_look else Came)
        self._handles[task.name] = handle
        handle.add_done_callback(partial(self._ended, task, is_look))

    def _plan(self, further: Further) -> None:
        handle: workflow.ActivityHandle[Planned] = self._begun(FURTHER, further, Planned)
        self._handles[PLANNING] = handle
        handle.add_done_callback(self._planned)

    def _begun(self, activity: str, asked: Task | Further, result_type: type[Any]) -> workflow.ActivityHandle[Any]:
        return workflow.start_activity(
            activity,
            asked,
            result_type=result_type,
            start_to_close_timeout=_LONGEST,
            heartbeat_timeout=timedelta(seconds=self._begin.heartbeat_seconds),
            retry_policy=RetryPolicy(maximum_attempts=1),  # our own are made in the node (`run/step.py`)
            cancellation_type=workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
        )

    def _ended(self, task: Task, is_look: bool, handle: workflow.ActivityHandle[Any]) -> None:
        """Take up what somebody's work came to; what ended without a word was lost, and is no failure of the node."""
        del self._handles[task.name]
        if (error := _error_of(handle)) is not None:
            self._course.lost(task, is_look=is_look, broken=_broken(error))
        elif isinstance(found := handle.result(), Came):
            self._course.came(task, found)
        else:
            self._course.looked(task, found)

    def _planned(self, handle: workflow.ActivityHandle[Any]) -> None:
        """Take up which further steps were planned."""
        del self._handles[PLANNING]
        if (error := _error_of(handle)) is not None:
            self._course.planning_lost(broken=_broken(error))
        else:
            self._course.planned(handle.result())

    @staticmethod
    async def _abandon(run: str) -> None:
        """Let a run within a node end that nobody wants any more; it may have ended."""
        try:
            await workflow.get_external_workflow_handle(run).signal(ASK, Asked("cancel", reason=ABANDONED))
        except ApplicationError:
            workflow.logger.debug("run %s has ended", run)

    # What is told to it

    @workflow.signal(name=HEAR)
    def hear(self, told: Told) -> None:
        """Take up what was told inside of a node."""
        self._course.told(told)

    @workflow.signal(name=ASK)
    def ask(self, asked: Asked) -> None:
        """Take up what somebody wishes."""
        self._course.asked(asked)

    @workflow.signal(name=RESUME)
    def resume(self, resumed: Resumed) -> None:
        """Go on, if it waits for that."""
        self._course.resumed(resumed)

    # What it is asked

    @workflow.query(name=STANDING)
    def standing(self) -> Standing:
        """Return how it stands."""
        return self._course.standing()

    @workflow.query(name=PAGE)
    def page(self, after: int) -> Page:
        """Return the next entries after the number `after`, and which execution has those before these."""
        course, carried = self._course, self._begin.carried
        first = carried.seq + 1 if carried else 1
        texts = (entry_text(each) for each in course.log.entries if each.seq > after)
        before = carried.before if carried and after + 1 < first else ""
        return Page(page(texts, MOST_BYTES // 2), before, course.log.seq, course.is_over, course.broken)

    @workflow.query(name=KEPT)
    def kept(self, key: str) -> str:
        """Return what a node gave or recorded, or what the run was given, where this execution has it."""
        return self._course.bag.inputs_text if key == INPUTS_KEY else self._course.bag.kept.text(key)


def _error_of(handle: workflow.ActivityHandle[Any]) -> BaseException | None:
    return CancelledError() if handle.cancelled() else handle.exception()


def _broken(error: BaseException) -> str:
    """Return which fault of our own ended an activity; empty: it was cancelled, or its worker was not heard of."""
    cause = error.cause if isinstance(error, ActivityError) else error
    if isinstance(cause, ApplicationError) and cause.type not in _LOST:
        return f"{cause.type}: {cause.message}"
    return ""

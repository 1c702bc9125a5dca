"""`Nodes`: the activities of a worker; they do the nodes of runs, and look at those that are about to be done.

What ends a node without its own doing (a worker that goes, Temporal that takes it away) is raised, never returned: it
is no failure of the node, and the run has it done again.
"""

import json
import logging
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import anyio
from anyio.abc import TaskGroup
from temporalio import activity

from pegboard.errors import PegboardError
from pegboard.llm.usage import Budget, Usage, measured
from pegboard.plan.conditions import BadCondition, holds
from pegboard.plan.graph import Node, Plan
from pegboard.plan.references import INPUTS, Gave
from pegboard.plan.written import read_plan
from pegboard.run.agents import Around
from pegboard.run.breaking import what_broke
from pegboard.run.context import CallContext
from pegboard.run.contexts import Contexts, During
from pegboard.run.further import further_steps, no_steps
from pegboard.run.journal.stored import INLINE_BYTES, Output
from pegboard.run.node.arguments import arguments_of
from pegboard.run.node.durations import Durations
from pegboard.run.node.slots import Slots
from pegboard.run.node.specs import tool_digest
from pegboard.run.node.work import Work
from pegboard.run.past.ran import ran_of
from pegboard.run.record import Failed
from pegboard.run.request import RunRequest
from pegboard.run.taint import Tainted
from pegboard.run.temporal.beginning import tooled
from pegboard.run.temporal.client import Service, patiently
from pegboard.run.temporal.inside import Inside
from pegboard.run.temporal.keep import Keep
from pegboard.run.temporal.names import DO, FURTHER, INPUTS_KEY, LOOK
from pegboard.run.temporal.reading import past_of
from pegboard.run.temporal.teller import Teller
from pegboard.run.temporal.wire import Came, Further, Looked, Planned, Task, Told
from pegboard.text import Json, to_json

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Nodes:
    """Those of one worker."""

    def __init__(  # noqa: PLR0913 (what an engine puts together)
        self,
        service: Service,
        contexts: Contexts,
        during: During,
        keep: Keep,
        *,
        slots: Slots,
        durations: Durations,
        beat_seconds: float,
    ) -> None:
        self._service = service
        self._contexts = contexts
        self._during = during
        self._keep = keep
        self._slots = slots
        self._durations = durations
        self._beat_seconds = beat_seconds

    @activity.defn(name=DO)
    async def do(self, task: Task) -> Came:
        """Do a node."""
        return await self._beating(partial(self._do, task))

    @activity.defn(name=LOOK)
    async def look(self, task: Task) -> Looked:
        """Look at the condition of a node, or at the arguments of one that is about to be held."""
        return await self._beating(partial(self._look, task))

    @activity.defn(name=FURTHER)
    async def further(self, further: Further) -> Planned:
        """Plan further steps for a run."""
        return await self._beating(partial(self._further, further))

    async def _beating(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do `work`, and let Temporal know that somebody is at it; that is also how it hears that nobody wants it."""
        came: list[T] = []
        failed: list[Exception] = []
        over = anyio.Event()

        async def do() -> None:
            try:
                came.append(await work())
            except Exception as error:  # noqa: BLE001 (it is raised again below)
                failed.append(error)
            over.set()

        async def beat() -> None:
            while True:
                activity.heartbeat()
                await anyio.sleep(self._beat_seconds)

        async with anyio.create_task_group() as group:
            group.start_soon(beat)
            group.start_soon(do)
            await over.wait()  # a cancellation comes in here, and reaches the work as one that can be shielded from
            group.cancel_scope.cancel()
        if failed:
            _log.error("a node could not be done", exc_info=failed[0])
            raise what_broke(failed[0]) or failed[0]
        return came[0]

    async def _do(self, task: Task) -> Came:
        request = RunRequest(Plan(()), task.site, task.question, previous=tuple(task.previous))
        node = read_plan([json.loads(task.node)]).nodes[0]
        try:
            context = self._context(task, request)
        except PegboardError as error:
            return Came(broken=str(error))
        if tool_digest(context.toolset.get(node.tool)) != task.spec:
            return Came(broken=f"tool {node.tool!r} is not what it was when the run began")
        given = await self._given(task)
        budget = Budget(**json.loads(task.budget))
        with self._during(request), measured(_left(budget, task)) as usage:
            usage.take(task.used)
            return await self._done(task, node, context, given, usage)

    async def _further(self, further: Further) -> Planned:
        _, past = await past_of(self._service, further.run)
        request = past.request
        results = {name: (await self._keep.read(written)).result for name, written in past.outputs.items()}
        seconds = math.inf if further.seconds_left is None else further.seconds_left
        try:
            context = self._contexts(request)
        except PegboardError as error:
            return Planned(to_json({**no_steps(str(error)), "specs": {}}))
        with self._during(request), measured(_left(Budget(**json.loads(further.budget)), further)) as usage:
            usage.take(further.used)
            told = await further_steps(context, request, ran_of(further.run, past, results), seconds)
        if told is None:
            return Planned()
        return Planned(to_json(told), tooled(read_plan(told["plan"]), context.toolset), usage.used.minus(further.used))

    async def _done(self, task: Task, node: Node, context: CallContext, given: "Given", usage: Usage) -> Came:
        teller = Teller(self._service, task, context.request.taint)
        inside = Inside(self._service, self._keep, task, teller)
        work = Work(task.run, context, self._keep, self._slots, inside, self._durations)
        begun = work.prepared(node, given)
        if isinstance(begun, Failed):
            return Came(reason=begun.reason)
        async with anyio.create_task_group() as group:
            group.start_soon(teller.keep_telling)
            began = partial(self._begin, task, group) if task.tells_began else _nothing
            done = await work.done(begun, began=began, tell=teller.tell)
            group.cancel_scope.cancel()
        return Came(
            written="" if done.output is None else done.output.written,
            reason=done.reason,
            seconds=done.seconds,
            told=teller.rest(),
            taint=teller.taint,
            calls=_more(context.request.calls, task.calls),
            used=usage.used.minus(task.used),
        )

    def _begin(self, task: Task, group: TaskGroup) -> None:
        group.start_soon(self._began, task)

    async def _began(self, task: Task) -> None:
        await patiently(partial(self._service.hear, task.run, Told(task.name, task.attempt, has_begun=True)))

    def _context(self, task: Task, request: RunRequest) -> CallContext:
        """Return what the tools of the node are given, with what the run has read and called so far."""
        context = self._contexts(request)
        context.request.calls.update(task.calls)
        if task.taint:
            context.request.taint.mark(Tainted(*task.taint))
        around = next((Around(name, left) for name, left in task.around.items()), None)
        context = replace(context, depth=task.depth, around=around)
        if task.seconds_left is None:
            return context
        until = anyio.current_time() + task.seconds_left
        return context.within_time(lambda: until - anyio.current_time())

    async def _look(self, task: Task) -> Looked:
        node = read_plan([json.loads(task.node)]).nodes[0]
        given = await self._given(task)
        return _arguments(node, given) if task.is_held else _verdict(node, given)

    async def _given(self, task: Task) -> "Given":
        """Return what the node refers to.

        Raises:
            JournalBroken: some of it cannot be read; the run waits until it can.
        """
        service, run = self._service, task.run
        outputs = {name: await self._read(written) for name, written in task.given.items()}
        for name, (key, execution) in task.elsewhere.items():
            outputs[name] = await self._read(await patiently(partial(service.kept, run, key, execution)))
        inputs = task.inputs or await patiently(partial(service.kept, run, INPUTS_KEY))
        return Given(json.loads(inputs), outputs)

    async def _read(self, written: str) -> Output | None:
        return await self._keep.read(written) if written else None


@dataclass(frozen=True, slots=True)
class Given:
    """What references of a node stand for. Fulfils `run.work.Arguing`."""

    inputs: dict[str, Json]
    outputs: dict[str, Output | None]
    """None: it came to nothing."""

    def arguments(self, node: Node) -> dict[str, Json] | Failed:
        """Return the arguments of `node`."""
        return arguments_of(node, self.of, self.outputs.get)

    def of(self, name: str) -> Json | Gave:
        """Return what `name` stands for; nothing, where that came to nothing."""
        if name == INPUTS:
            return self.inputs
        output = self.outputs.get(name)
        return None if output is None else output.gave()

    def seen(self, name: str) -> Json:
        """Return what a condition sees of a node."""
        gave = self.of(name)
        return gave.parts if isinstance(gave, Gave) else gave


def _verdict(node: Node, given: Given) -> Looked:
    known = {name: given.seen(name) for name in given.outputs}
    try:
        return Looked(to_json(holds(node.when, given.inputs, known)))
    except BadCondition as error:
        return Looked(reason=f"its condition cannot be applied: {error}")


def _arguments(node: Node, given: Given) -> Looked:
    arguments = given.arguments(node)
    if isinstance(arguments, Failed):
        return Looked(reason=arguments.reason)
    text = to_json(arguments)
    if len(text.encode()) > INLINE_BYTES:
        text = to_json({name: f"({len(to_json(value)):,} characters)" for name, value in arguments.items()})
    return Looked(text)


def _nothing() -> None:
    """Do nothing: no time counts from the beginning of the node."""


def _left(budget: Budget, task: Task | Further) -> Budget:
    """Return the budget of a run whose time has begun before."""
    return budget if budget.seconds is None else replace(budget, seconds=max(0.0, budget.seconds - task.seconds))


def _more(calls: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    return {tool: count - before.get(tool, 0) for tool, count in calls.items() if count > before.get(tool, 0)}

"""`Solver`: from a goal to what came of it; a plan is made, run, and gathered into one result."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pegboard.catalog.contract import Question, Ran, Result
from pegboard.catalog.gathered import gathered
from pegboard.errors import DeadlineExceeded
from pegboard.events import Degraded, Event, PlanMade
from pegboard.llm.model import Model
from pegboard.llm.usage import so_far
from pegboard.plan.graph import Plan
from pegboard.plan.written import plan_json, read_plan
from pegboard.planner.further import LEAST_SECONDS, further, together, wanting
from pegboard.planner.make import make
from pegboard.planner.planned import Begin, Goal, Means, Planned, planned_from
from pegboard.route.router import Router
from pegboard.run.context import CallContext
from pegboard.run.early import early_work
from pegboard.run.node.specs import digest_of
from pegboard.text import Json, named

_NAMES_LOOKED_UP = 5
_WRITING_SECONDS = 10.0
"""What is kept of the time of a plan, where a model puts into words what it gave."""
_MARGIN_SECONDS = 2.0
"""The same without a model."""
_MARGIN_SHARE = 4
"""Of a short time it is only a fourth."""
_HINT = (
    "The setting request_timeout says how long a request may take, `call.timeout` how long a tool that plans; what is "
    "begun as a run may take longer (`platform run`, POST /runs)."
)


@dataclass(frozen=True, slots=True)
class Solver:
    """Plans for one site; fulfils `run.context.Solving`."""

    router: Router
    planner: Model | None
    scorer: Model | None
    timeout_seconds: float
    """How long a model may take to find arguments."""
    plan_timeout_seconds: float
    """How long it may take to write a plan."""

    async def planned(self, question: Question, context: CallContext, *, tools: Sequence[str] | None = None) -> Planned:
        """Return a plan for `question` with the tools of `context`, or with those of them that `tools` names.

        Raises:
            UnknownTool: the site does not have one of `tools`.
            UsageError, InvalidArguments: there is none.
        """
        return await make(_goal(question, context, tools), self._means(context))

    async def solve(self, goal: str, context: CallContext, *, tools: Sequence[str] | None = None) -> Result:
        """Plan for `goal`, run the plan, and return what its nodes gave.

        Each plan is recorded before it is run: within a node that is done again, it is the same one. What its nodes
        have not done a little before the call must have ended is cancelled, and told; the rest is given.

        Raises:
            DeadlineExceeded: nothing had been done by then.
        """
        asked = _goal(Question(goal, context.site, previous=context.previous), context, tools)
        about: dict[str, Json] = {"goal": goal, "tools": None if tools is None else [*tools]}
        name = digest_of(about)[:8]
        async with early_work(context) as early:

            async def plan() -> Json:
                planned = await make(asked, self._means(context, early.begin))
                context.emit(PlanMade(planned.to_json()))
                return planned.to_json()

            planned = _planned(await context.recorded(f"plan {name}", plan))
            seconds = _for_steps(context)
            given = replace(context, early=early)
            ran = await given.run(plan_json(planned.plan), seconds=seconds, used=so_far())
        ended = await self._further(asked, context, planned, ran, name)
        _tell_unfinished(ended[1], context)
        return gathered(ended[1], ended[0], language=context.language)

    async def _further(
        self, goal: Goal, context: CallContext, planned: Planned, ran: Ran, name: str
    ) -> tuple[Plan, Ran]:
        """Do further steps where an outcome calls for them; return all steps and what came of them."""
        if self.planner is None:
            return planned.plan, ran
        before = so_far()

        async def plan() -> Json:
            more = await further(goal, self._means(context), planned, ran)
            if more is None:
                return None
            context.emit(PlanMade(more.planned.to_json()))
            return {"planned": more.planned.to_json(), "plan": plan_json(more.plan), "inputs": dict(more.inputs)}

        told = await context.recorded(f"further {name}", plan)
        if not isinstance(told, dict):
            return planned.plan, ran
        inputs = told["inputs"]
        assert isinstance(inputs, dict)  # as it was written
        more, used = plan_json(read_plan(told["plan"])), so_far().minus(before)
        then = await context.run(more, inputs, seconds=_for_steps(context), used=used)
        return together(planned.plan, _planned(told["planned"]).plan, ran, then)

    async def further(
        self, plan: Plan, ran: Ran, context: CallContext, *, tools: Sequence[str] = ()
    ) -> dict[str, Json] | None:
        """Return further steps after `ran`, a run of `plan`; none of them, and why, where they cannot be done.

        Raises:
            UnknownTool: the site does not have one of `tools`.
        """
        wanted, means = wanting(ran, plan), self._means(context)
        if self.planner is None or not wanted or means.plan_timeout_seconds < LEAST_SECONDS:
            return None
        told: list[str] = []

        def emit(event: Event) -> None:
            told.extend([event.reason] if isinstance(event, Degraded) else [])

        goal = _goal(Question(context.question, context.site, previous=context.previous), context, tools or None)
        more = await further(goal, replace(means, emit=emit), Planned(plan, self.planner.name), ran)
        if more is None:
            return Planned(Plan(()), self.planner.name, degraded=" ".join(told), after=wanted).to_json()
        return more.planned.to_json()

    def _means(self, context: CallContext, begin: Begin | None = None) -> Means:
        async def names(text: str) -> list[str]:
            return [hit.item.name for hit in await context.search.named(text, limit=_NAMES_LOOKED_UP)]

        left = max(context.seconds_left(), 0.0)
        return Means(
            router=self.router,
            names=names,
            emit=context.emit,
            timeout_seconds=min(self.timeout_seconds, left),
            plan_timeout_seconds=min(self.plan_timeout_seconds, left / 2),  # what is planned must be done too
            planner=self.planner,
            scorer=self.scorer,
            writer=context.model,
            begin=begin,
        )


def _for_steps(context: CallContext) -> float | None:
    """Return for how long steps may work, so that what they gave can still be put into words; None: for ever."""
    left = context.seconds_left()
    if left == math.inf:
        return None
    most = _WRITING_SECONDS if context.model is not None else _MARGIN_SECONDS
    return max(left - min(most, left / _MARGIN_SHARE), 0.0)


def _tell_unfinished(ran: Ran, context: CallContext) -> None:
    """Tell which steps the time has ended.

    Raises:
        DeadlineExceeded: nothing was done before.
    """
    late = [end.tool for end in ran.nodes if end.state == "cancelled"]
    if not late:
        return
    if all(end.result is None for end in ran.nodes):
        raise DeadlineExceeded(f"No step of the plan had ended when the time was over: {named(late)}.", hint=_HINT)
    context.emit(Degraded(f"The time was over before these steps of the plan had ended: {named(late)}. {_HINT}"))


def _goal(question: Question, context: CallContext, tools: Sequence[str] | None) -> Goal:
    toolset = context.toolset
    if tools is not None:
        toolset = replace(toolset, tools=tuple(toolset.tool(name) for name in dict.fromkeys(tools)))
    return Goal(question, toolset, context.language)


def _planned(told: Json) -> Planned:
    assert isinstance(told, dict)  # as it was written
    return planned_from(told)

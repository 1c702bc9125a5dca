"""`Solving`: from a goal to what came of it; a plan is made, run, and gathered into one result."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import anyio

from pegboard.catalog.contract import Question, Result
from pegboard.catalog.gathered import gathered
from pegboard.llm.model import Model
from pegboard.plan.written import plan_json
from pegboard.planner.make import make
from pegboard.planner.planned import Goal, Means, Planned
from pegboard.route.router import Router
from pegboard.run.context import CallContext

_NAMES_LOOKED_UP = 5


@dataclass(frozen=True, slots=True)
class Solver:
    """Plans for one site; fulfils `run.context.Solving`."""

    router: Router
    planner: Model | None
    scorer: Model | None
    timeout_seconds: float
    """How long a model may take."""

    async def planned(self, question: Question, context: CallContext, *, tools: Sequence[str] | None = None) -> Planned:
        """Return a plan for `question` with the tools of `context`, or with those of them that `tools` names.

        Raises:
            UnknownTool: the site does not have one of `tools`.
            UsageError, InvalidArguments: there is none.
        """
        toolset = context.toolset
        if tools is not None:
            toolset = replace(toolset, tools=tuple(toolset.tool(name) for name in dict.fromkeys(tools)))

        async def names(text: str) -> list[str]:
            return [hit.item.name for hit in await context.search.named(text, limit=_NAMES_LOOKED_UP)]

        left = max(context.deadline - anyio.current_time(), 0.0)
        means = Means(
            router=self.router,
            names=names,
            emit=context.emit,
            timeout_seconds=min(self.timeout_seconds, left),
            planner=self.planner,
            scorer=self.scorer,
            writer=context.model,
        )
        return await make(Goal(question, toolset, context.language), means)

    async def solve(self, goal: str, context: CallContext, *, tools: Sequence[str] | None = None) -> Result:
        """Plan for `goal`, run the plan, and return what its nodes gave."""
        planned = await self.planned(Question(goal, context.site, previous=context.previous), context, tools=tools)
        ran = await context.run(plan_json(planned.plan))
        return gathered(ran, planned.plan, language=context.language)

"""`make`: from a goal to a sound plan, by the best way that there is."""

from dataclasses import replace

from pegboard.events import Degraded
from pegboard.planner.by_model import NoPlan, by_model
from pegboard.planner.by_rules import by_rules
from pegboard.planner.planned import Goal, Means, Planned
from pegboard.planner.single import single
from pegboard.route.gating import steps


async def make(goal: Goal, means: Means) -> Planned:
    """Plan `goal`: by a model, else by rules where it is of several parts, else as a single step.

    Emits `Degraded` where a model's plan cannot be used, and where rules leave a part of the goal out.

    Raises:
        UsageError: none of the site's tools fits it.
        InvalidArguments: something that a tool needs is not in the question.
    """
    goal = replace(goal, toolset=steps(goal.toolset))  # what plans is no step of a plan
    reason = ""
    if means.planner is not None:
        try:
            return await by_model(goal, means, means.planner)
        except NoPlan as error:
            reason = str(error)
            means.emit(Degraded(reason))
    planned = await by_rules(goal, means)
    if planned is None:
        planned = await single(goal, means)
    elif planned.degraded:
        means.emit(Degraded(planned.degraded))
    return replace(planned, degraded=" ".join(filter(None, (reason, planned.degraded))))

"""The plan of one step: the question is routed and bound as any other."""

from pegboard.bind.bind import bind
from pegboard.errors import UsageError
from pegboard.plan.graph import Node, Plan
from pegboard.planner.planned import AS_ONE_STEP, Goal, Means, Planned


async def single(goal: Goal, means: Means) -> Planned:
    """Plan `goal` as the one step that its question would be by itself.

    Raises:
        UsageError: none of the site's tools fits it.
        InvalidArguments: something that the tool needs is not in the question.
    """
    decision = await means.router.route(goal.question, goal.toolset, emit=means.emit, model=means.scorer)
    if decision.tool is None:
        raise UsageError(f"None of the tools of site {goal.toolset.site!r} fits this question.")
    bound = await bind(
        decision.tool,
        goal.question.text,
        language=goal.language,
        proposed=decision.arguments,
        model=means.writer,
        names=means.names,
        timeout_seconds=means.timeout_seconds,
    )
    node = Node("n1", decision.tool.name, bound.arguments)
    return Planned(Plan((node,)), AS_ONE_STEP, degraded=" ".join(filter(None, (decision.degraded, bound.degraded))))

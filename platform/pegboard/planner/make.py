"""`make`: from a goal to a sound plan, by the best way that there is."""

from pegboard.planner.planned import Goal, Means, Planned
from pegboard.planner.single import single


async def make(goal: Goal, means: Means) -> Planned:
    """Plan `goal`.

    Raises:
        UsageError: none of the site's tools fits it.
        InvalidArguments: something that a tool needs is not in the question.
    """
    return await single(goal, means)

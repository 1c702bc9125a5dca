"""Plan: what takes several tools; the steps are planned, done in parallel, and put together."""

from pegboard.catalog.contract import Context, Result, tool


@tool
async def plan(context: Context, goal: str = "") -> Result:
    """Plan what has to be done for `goal` (without one, for the question), and do it."""
    return await context.solve(goal or context.question)

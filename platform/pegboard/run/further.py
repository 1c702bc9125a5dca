"""`further_steps`: what is planned once more for a run whose nodes have ended, as its `plan_extended` tells it."""

from dataclasses import replace

import anyio

from pegboard.catalog.contract import Ran
from pegboard.errors import PegboardError
from pegboard.plan.written import read_plan
from pegboard.run.context import CallContext
from pegboard.run.node.specs import specs_of
from pegboard.run.past.growing import with_more
from pegboard.run.request import RunRequest
from pegboard.text import Json


async def further_steps(context: CallContext, request: RunRequest, ran: Ran, seconds: float) -> dict[str, Json] | None:
    """Return further steps of a run that came to `ran`, planned within `seconds`; None: none are called for.

    Where they cannot be planned there are none of them, and `degraded` says why: a run never breaks off by that.
    """
    if context.solving is None:
        return None
    told: dict[str, Json] | None = no_steps("the time of the run was up")
    deadline = min(context.deadline, anyio.current_time() + seconds)
    with anyio.move_on_at(deadline):
        try:
            given = replace(context, deadline=deadline)
            told = await context.solving.further(request.plan, ran, given, tools=request.tools)
        except PegboardError as error:
            told = no_steps(str(error))
    if told is None:
        return None
    more = read_plan(told["plan"])
    specs = specs_of(with_more(request.plan, more), context.toolset)
    return {**told, "specs": {node.id: specs[node.id] for node in more.nodes}}


def no_steps(why: str) -> dict[str, Json]:
    """Return what is told where none could be planned."""
    return {"plan": {"nodes": []}, "by": "", "degraded": f"No further steps were planned: {why}"}

"""`draw`: a plan as text, in one of the forms that there are."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from pegboard.plan.graph import Plan, in_order
from pegboard.plan.picture.boxes import boxes_of
from pegboard.plan.picture.canvas import Paint, unpainted
from pegboard.plan.picture.dot import dot
from pegboard.plan.picture.layered import layered
from pegboard.plan.picture.listed import listed
from pegboard.plan.picture.look import Look, Standing
from pegboard.plan.picture.mermaid import mermaid
from pegboard.plan.written import plan_json
from pegboard.text import to_json

Form: TypeAlias = Literal["text", "mermaid", "dot", "json"]

MOST_DRAWN = 60
"""Nodes; a larger plan is listed."""
_ROOMS = (40, 24, 16, 0)
"""Columns for the arguments in a box; the largest that fits."""


def draw(plan: Plan, form: Form = "text", standings: Mapping[str, Standing] | None = None) -> str:
    """Return `plan` in one form, without a line's end at the end; `standings` says how each node of a run stands."""
    match form:
        case "text":
            return "\n".join(drawn(plan, standings))
        case "mermaid":
            return mermaid(plan, standings)
        case "dot":
            return dot(plan, standings)
        case "json":
            return to_json(plan_json(plan), indent=2)


def drawn(
    plan: Plan,
    standings: Mapping[str, Standing] | None = None,
    *,
    look: Look | None = None,
    paint: Paint = unpainted,
) -> list[str]:
    """Return the lines of the picture for a terminal; what does not fit it is listed."""
    look = look or Look()
    if 0 < len(plan.nodes) <= MOST_DRAWN and len(in_order(plan)) == len(plan.nodes):
        for room in _ROOMS:
            canvas = layered(boxes_of(plan, standings, look, room), look)
            if canvas is not None:
                return canvas.lines(paint)
    return listed(plan, standings, look, paint)

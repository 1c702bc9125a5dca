"""Plans as JSON, for the edges: drawn, and what is wrong with those that somebody has written by hand."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pegboard.plan.faults import PlanFault, faults
from pegboard.plan.picture.canvas import Paint, unpainted
from pegboard.plan.picture.draw import Form, draw, drawn
from pegboard.plan.picture.look import Look, Standing
from pegboard.plan.written import read_plan
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.catalog.tool import Toolset

__all__ = ["Form", "Look", "PlanFault", "Standing", "draw_plan", "drawn_plan", "plan_faults", "plan_in"]


def plan_in(held: Json) -> Json:
    """Return the plan that JSON holds: itself, or what `platform plan --format json` has printed around it."""
    return held["plan"] if isinstance(held, dict) and "plan" in held else held


def draw_plan(plan: Json, form: Form, standings: Mapping[str, Standing] | None = None) -> str:
    """Return a plan in one form; `standings` says how each node of a run stands.

    Raises:
        UsageError: it is no plan.
    """
    return draw(read_plan(plan), form, standings)


def drawn_plan(
    plan: Json, standings: Mapping[str, Standing] | None = None, *, look: Look, paint: Paint = unpainted
) -> list[str]:
    """Return the lines of the picture of a plan for a terminal.

    Raises:
        UsageError: it is no plan.
    """
    return drawn(read_plan(plan), standings, look=look, paint=paint)


def plan_faults(toolset: "Toolset", plan: Json, inputs: Mapping[str, Json] | None = None) -> list[PlanFault]:
    """Return everything that is wrong with a plan of the tools of `toolset`; without `inputs`, it may name any.

    Raises:
        UsageError: it is no plan.
    """
    from pegboard.catalog.allowed import allowed

    return faults(read_plan(plan), allowed(toolset, inputs))

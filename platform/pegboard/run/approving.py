"""Whether an approval can still be given: what has become of the tool, and of the run, since it began. Pure."""

from collections.abc import Collection
from typing import Literal, TypeAlias

from pegboard.catalog.tool import Toolset
from pegboard.run.engine import Going, RunChanged, changed_since
from pegboard.run.held import PendingApproval, ToolIs
from pegboard.run.nested import outermost
from pegboard.run.node.specs import changed, specs_of
from pegboard.run.request import RunRequest

OnEdit: TypeAlias = Literal["refuse", "keep"]
"""What becomes of an approval whose tool was edited since: it is refused, or the tool is called as it was."""


def tool_is(request: RunRequest, node: str, toolset: Toolset | None) -> ToolIs:
    """Return what has become of the tool of a node of `request` by the toolset of now; None: its site is gone."""
    if toolset is None or toolset.get(request.plan.by_id[node].tool) is None:
        return "gone"
    return "" if specs_of(request.plan, toolset)[node] == request.specs.get(node) else "changed"


def changed_nodes(request: RunRequest, toolset: Toolset | None) -> Collection[str]:
    """Return the nodes of a run that would not be driven on as they are."""
    if toolset is None:
        return request.plan.by_id.keys()
    return changed(request.plan, request.specs, specs_of(request.plan, toolset))


def refuse_edited(found: PendingApproval, going: Going, on_edit: OnEdit, changed_around: Collection[str]) -> None:
    """Let an approval pass that comes to something, of a tool that is as it was.

    `changed_around` are the nodes of the outermost run that are not what they were.

    Raises:
        RunChanged: it comes to nothing, or nobody insists on it.
    """
    outer = outermost(found.run)
    if going == "not" and changed_around:
        raise changed_since(outer, changed_around)
    if not found.tool_is or (going == "as_begun" and on_edit == "keep"):
        return
    if going == "as_begun":
        hint = 'Deny it, or let the run call it as it was: `--changed keep`, in a body `"changed": "keep"`.'
    elif going == "not":
        hint = f"It is asked anew once somebody drives the run: platform runs resume {outer}"
    else:
        hint = f"Deny it, or let it be done with what is served now: platform runs resume {found.run} --changed reuse"
    raise RunChanged(f"Tool {found.tool!r} {_BECOME[found.tool_is]} since run {outer} began.", hint=hint)


_BECOME = {"changed": "has been edited", "gone": "has been taken from the toolset of its site"}

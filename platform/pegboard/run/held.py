"""Approvals that runs wait for, and which of them somebody means. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pegboard.errors import UsageError
from pegboard.text import Json, clipped, named, quoted

ToolIs: TypeAlias = Literal["", "changed", "gone"]
"""What has become of a tool since a run began; empty: nothing, as far as is known."""


@dataclass(frozen=True, slots=True)
class PendingApproval:
    """An approval that a run waits for."""

    run: str
    """The run of its node: the one that is looked at, or one inside of a node of that."""
    node: str
    tool: str
    arguments: Mapping[str, Json]
    """What the tool would be called with."""
    reason: str
    until: float
    """When it counts as denied, in seconds since 1970."""
    tool_is: ToolIs = ""
    """What has become of the tool meanwhile; whoever knows the toolset of now says so (`approving.py`)."""

    def to_json(self) -> dict[str, Json]:
        """Return it as `GET /runs/{id}` shows it."""
        told: dict[str, Json] = {
            "run": self.run,
            "node": self.node,
            "tool": self.tool,
            "arguments": dict(self.arguments),
            "reason": self.reason,
            "until": self.until,
        }
        return told | ({"tool_is": self.tool_is} if self.tool_is else {})


class NotHeld(UsageError):
    """A node that waits for nobody's approval, or more than one that does."""

    status = 409


def decided(run: str, node: str) -> NotHeld:
    """Return the error of who decides about a node after somebody else has."""
    message = f"Node {quoted(node)} of run {run} waits for no approval any more: somebody has decided."
    return NotHeld(message, hint=f"Look at it: platform runs show {run}")


def meant(run: str, node: str, pending: Sequence[PendingApproval], states: Mapping[str, str]) -> PendingApproval:
    """Return which of the approvals that `run` waits for is meant by `node`; by an empty one, the only one.

    That of the node itself, or the only one inside of it. `states` says how the nodes of `run` stand.

    Raises:
        NotHeld: there is none, or more than one.
    """
    of_node = [each for each in pending if not node or (each.run, each.node) == (run, node)]
    found = of_node or [each for each in pending if each.run.startswith(f"{run}.{node}.")]
    if len(found) == 1:
        return found[0]
    if found:
        where = f"node {quoted(node)} of run {run}" if node else f"run {run}"
        commands = clipped(", ".join(f"platform runs approve {each.run} {each.node}" for each in found), 1000)
        raise NotHeld(f"{len(found)} approvals are waited for in {where}.", hint=f"Approve one: {commands}")
    hint = f"Waiting: {_listed(pending)}." if pending else "Nothing of it waits for one."
    if not node:
        raise NotHeld(f"Run {run} waits for no approval.", hint=hint)
    how = f"it is {states[node]}" if node in states else "there is no such node"
    raise NotHeld(f"Node {quoted(node)} of run {run} waits for no approval: {how}.", hint=hint)


def _listed(pending: Sequence[PendingApproval]) -> str:
    return clipped(named([f"{each.run} {each.node}" for each in pending]), 1000)

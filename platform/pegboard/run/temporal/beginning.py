"""What a run is begun with: its request, and what it must know of its tools. Pure."""

import time

from pegboard.catalog.tool import Tool, Toolset
from pegboard.errors import UsageError
from pegboard.plan.graph import Plan
from pegboard.run.node.specs import specs_of, tool_digest
from pegboard.run.request import RunRequest
from pegboard.run.taint import needing_of
from pegboard.run.temporal.wire import MOST_BYTES, Begin, Tooled
from pegboard.text import to_json


def beginning(request: RunRequest, toolset: Toolset) -> Begin:
    """Return what a run of `request` is begun with.

    Raises:
        UsageError: it is too large.
    """
    text = to_json(request.with_specs(specs_of(request.plan, toolset)).to_json())
    if (size := len(text.encode())) > MOST_BYTES:
        message = f"The plan and its inputs are {size:,} bytes; with the engine `temporal` {MOST_BYTES:,} are allowed."
        raise UsageError(message, hint='Let a tool read what is large, or use `runs_engine = "local"`.')
    return Begin(text, tooled(request.plan, toolset), created=time.time())


def tooled(plan: Plan, toolset: Toolset) -> dict[str, Tooled]:
    """Return what a run of `plan` must know of its tools."""
    return {node.tool: _tooled(toolset.get(node.tool)) for node in plan.nodes}


def memo_of(request: RunRequest, parent: str, created: float) -> dict[str, object]:
    """Return what a list of runs shows of one that begins."""
    told = {"site": request.site, "question": request.question[:2000], "parent": parent}
    return {**told, "created": created, "status": "running", "ended": None, "seq": 1}


def _tooled(tool: Tool | None) -> Tooled:
    if tool is None:
        return Tooled(tool_digest(None))
    limits = tool.limits
    return Tooled(tool_digest(tool), needing_of(tool), limits.on_unknown == "fail", limits.per_request is not None)

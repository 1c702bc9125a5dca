"""What a plan may use of a site: its tools, each with a check of the arguments as far as they are known.

What a reference stands for is not known before the run: it may be anything, and is checked when its node starts.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from pegboard.catalog.schema.faults import Fault
from pegboard.catalog.schema.faults import faults as schema_faults
from pegboard.catalog.signature import signature
from pegboard.catalog.tool import Tool, Toolset
from pegboard.errors import UsageError
from pegboard.plan.faults import Allowed, explained, faults, shown
from pegboard.plan.graph import Node, Plan
from pegboard.text import Json


def allowed(toolset: Toolset, inputs: Mapping[str, Json] | None = None) -> Allowed:
    """Return what a plan may use; an agent is a tool.

    What is asked as an agent holds no slot while it waits for the calls it makes, so it is one that makes calls.
    """
    tools = {tool.name: partial(_wrong, tool) for tool in toolset.tools}
    agents = {tool.name: tools[tool.name] for tool in toolset.tools if tool.runs_others}
    return Allowed(tools, agents, None if inputs is None else frozenset(inputs))


def refuse_faulty(plan: Plan, toolset: Toolset, inputs: Mapping[str, Json]) -> None:
    """Let a plan pass that can work.

    Raises:
        UsageError: it cannot; with everything that is wrong with it.
    """
    if found := faults(plan, allowed(toolset, inputs)):
        raise UsageError(f"The plan cannot work:\n{explained(found)}")


def _wrong(tool: Tool, node: Node) -> Sequence[str]:
    found = [fault.message for fault in wrong(tool, node.arguments)]
    return [*found, signature(tool)] if found else []


def wrong(tool: Tool, arguments: Mapping[str, Json]) -> list[Fault]:
    """Return what is wrong with `arguments` as far as they are known."""
    unknown = {key for key, value in arguments.items() if shown(value)}
    known = {key: value for key, value in arguments.items() if key not in unknown}
    return [
        fault for fault in schema_faults(known, tool.parameters) if not (fault.missing in unknown and not fault.path)
    ]

"""What a node does, as a hash: its tool as it is declared now, its arguments, what it waits for and how.

Two nodes of the same hash that were given the same do the same; by that a stored run is compared with what is there
now. Of a tool counts what its declaration and its source say, the limits among it that change a result, and no secret:
one that is renewed changes nothing.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256

from pegboard.catalog.tool import Tool, Toolset
from pegboard.plan.graph import Node, Plan
from pegboard.text import Json


def specs_of(plan: Plan, toolset: Toolset) -> dict[str, str]:
    """Return the hash of each node."""
    tools: dict[str, Json] = {}
    for node in plan.nodes:
        if node.tool not in tools:
            tools[node.tool] = _tool_json(toolset.get(node.tool))
    return {node.id: digest_of(_node_json(plan, node, tools[node.tool])) for node in plan.nodes}


def tool_digest(tool: Tool | None) -> str:
    """Return a hash of what a tool does; None: there is none of its name."""
    return digest_of(_tool_json(tool))


def digest_of(value: Json) -> str:
    """Return a hash of `value`; the order of keys is none of it."""
    return digest_of_text(json.dumps(value, ensure_ascii=False, sort_keys=True))


def digest_of_text(text: str) -> str:
    """Return a hash of a text."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def changed(plan: Plan, before: Mapping[str, str], now: Mapping[str, str]) -> set[str]:
    """Return the nodes of `plan` that are not what they were, and all that wait for one of them."""
    found = {node.id for node in plan.nodes if before.get(node.id) != now[node.id]}
    while True:
        units = {plan.unit(name) for name in found}
        more = {
            node.id
            for node in plan.nodes
            if node.id not in found and (plan.unit(node.id) in units or units & {*plan.needs[node.id]})
        }
        if not more:
            return found
        found |= more


def _node_json(plan: Plan, node: Node, tool: Json) -> dict[str, Json]:
    race: Json = None if not node.race else {**asdict(plan.race(node.race)), "racers": list(plan.racers[node.race])}
    return {"node": node.to_json(), "needs": list(plan.needs[node.id]), "race": race, "tool": tool}


def _tool_json(tool: Tool | None) -> Json:
    if tool is None:
        return None
    limits = tool.limits
    return {
        "name": tool.name,
        "handler": tool.handler,
        "kind": None if tool.kind is None else type(tool.kind).__qualname__,
        "block": None if tool.block is None else tool.block.model_dump(mode="json"),
        "made": tool.spec,
        "parameters": dict(tool.parameters),
        "output": None if tool.output is None else dict(tool.output),
        "limits": [limits.fallback, limits.output_policy, limits.max_result_bytes],
    }

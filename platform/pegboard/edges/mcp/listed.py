"""What an MCP client is told of a site's tools. Pure."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import mcp_types as types

from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Tool, Toolset

_MOST_EXAMPLES = 5

ASKING: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1, "description": "The question, in any language."},
        "previous": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Earlier questions of the conversation, oldest first.",
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
"""The schema of the arguments of the tool that asks a site."""


def asking_name(names: Iterable[str]) -> str:
    """Return what the tool is called that asks a site with tools of these names: the site's own keep theirs."""
    taken = {*names}
    wanted = ["ask", "ask_site", *(f"ask_site_{number}" for number in range(2, len(taken) + 3))]
    return next(name for name in wanted if name not in taken)


def listed(toolset: "Toolset") -> list[types.Tool]:
    """Return the tools of a site: first the one that asks it, then its own in declared order."""
    name = asking_name(tool.name for tool in toolset.tools)
    return [_asking(name, toolset), *map(_told, toolset.tools)]


def _asking(name: str, toolset: "Toolset") -> types.Tool:
    about = f" {toolset.description.strip()}" if toolset.description.strip() else ""
    return types.Tool(
        name=name,
        title=f"Ask {toolset.site}",
        description=(
            f"Answers a question with the tools of the site {toolset.site!r}: the right one is chosen, its arguments "
            f"are found in the question, and where it takes several they are planned and run.{about}"
        ),
        input_schema=ASKING,
        annotations=types.ToolAnnotations(
            read_only_hint=all(tool.read_only for tool in toolset.tools),
            destructive_hint=any("destructive" in tool.effects for tool in toolset.tools),
            idempotent_hint=False,
            open_world_hint=any(map(_is_open, toolset.tools)),
        ),
    )


def _told(tool: "Tool") -> types.Tool:
    examples = "; ".join(tool.questions[:_MOST_EXAMPLES])
    return types.Tool(
        name=tool.name,
        description="\n".join(filter(None, (tool.description.strip(), examples and f"For example: {examples}"))),
        input_schema={"type": "object", **tool.shown},
        output_schema=dict(tool.output) if is_structured(tool.output) and tool.output else None,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint="destructive" in tool.effects,
            idempotent_hint=tool.read_only,
            open_world_hint=_is_open(tool),
        ),
    )


def _is_open(tool: "Tool") -> bool:
    return bool({"untrusted", "external"} & tool.effects)


def is_structured(schema: Mapping[str, Json] | None) -> bool:
    """Tell whether what fits a declared output is an object, which is what all versions of the protocol can carry."""
    return schema is not None and schema.get("type") == "object"

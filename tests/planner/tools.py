"""Toolsets that are planned with, and plans as models write them."""

import json
from dataclasses import replace

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool, Toolset
from pegboard.text import Json
from tests.twins import a_tool, a_toolset


async def nothing(context: Context, arguments: object) -> Result:
    """Do nothing: what is planned is not done."""
    return Result("done")


def tool(name: str, *takes: str, read_only: bool = True, handler: str = "", **kinds: str) -> Tool:
    """Return a tool that must be given `takes`, texts, and may be given what `kinds` says of which type."""
    properties: dict[str, Json] = {each: {"type": "string"} for each in takes}
    properties |= {each: {"type": kind} for each, kind in kinds.items()}
    needed: list[Json] = [*takes]
    schema: dict[str, Json] = {
        "type": "object", "properties": properties, "required": needed, "additionalProperties": False,
    }  # fmt: skip
    made = a_tool(name, nothing, read_only=read_only)
    return replace(made, parameters=schema, description=f"{name} does it.", handler=handler or made.handler)


SEARCH = tool("search", "query", limit="integer")
DETAILS = tool("details", "name")
SAVE = tool("save_note", "text", read_only=False)
DELETE = tool("delete_notes", "name", read_only=False)
WRITER = tool("writer", "goal", read_only=False, handler="pegboard.handlers.agent:agent")
PLAN = tool("plan", "goal", read_only=False, handler="pegboard.handlers.plan:plan")
TOOLS: Toolset = a_toolset(SEARCH, DETAILS, SAVE, DELETE, WRITER)


def step(name: str, called: str = "search", /, *, waits: tuple[str, ...] = (), **arguments: Json) -> dict[str, Json]:
    """Return a step in our shape."""
    return {"id": name, "type": "tool", "tool": called, "arguments": arguments, "depends_on": [*waits]}


def steps(*rows: dict[str, Json]) -> str:
    """Return a plan in our shape."""
    return json.dumps({"steps": [*rows]})

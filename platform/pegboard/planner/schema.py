"""The JSON Schema of a plan of these tools, for those endpoints that hold a model to one.

Each tool has a step of its own, with its arguments: what is asked for as any object, some endpoints give as text, and
small models then write a value, or the schema, where the arguments should be. Where that would be too large, a step may
have any arguments. It holds the model and judges nothing: what is read is judged by the tools themselves.
"""

from collections.abc import Mapping, Sequence

from pegboard.catalog.tool import Tool
from pegboard.llm.projection import projected
from pegboard.planner.reading.read import AGENT
from pegboard.text import Json, to_json

_LARGEST = 16_000
"""Characters; providers take some hundreds of properties in all."""
_TEXT: Json = {"type": "string"}
_REFERENCE: Json = {"type": "string", "description": "A reference, such as ${n1.value}."}


def reply_schema(tools: Sequence[Tool]) -> dict[str, Json]:
    """Return the schema of a plan of `tools`."""
    found = _plan({"anyOf": [_step([tool], _arguments(tool)) for tool in tools]}) if tools else {}
    if tools and len(to_json(found)) <= _LARGEST:
        return found
    return _plan(_step(tools, {"type": "object", "description": "What the tool takes; of a sub_agent its `goal`."}))


def _plan(step: Json) -> dict[str, Json]:
    return {"type": "object", "properties": {"steps": {"type": "array", "items": step}}, "required": ["steps"]}


def _step(tools: Sequence[Tool], arguments: Json) -> Json:
    """Return the schema of a step with one of `tools`."""
    types = {"sub_agent" if tool.handler.startswith(AGENT) else "tool" for tool in tools}
    names: list[Json] = [tool.name for tool in tools]
    properties: dict[str, Json] = {
        "id": _TEXT,
        "type": {"type": "string", "enum": [*sorted(types, reverse=True)] or ["tool", "sub_agent"]},
        "tool": {"type": "string", "enum": names, "description": "The tool, or the agent of a sub_agent."},
        "arguments": arguments,
        "depends_on": {"type": "array", "items": _TEXT},
        "race_group": _TEXT,
        "when": _TEXT,
    }
    return {"type": "object", "properties": properties, "required": ["id", "tool", "arguments"]}


def _arguments(tool: Tool) -> dict[str, Json]:
    """Return what a tool takes, each value of it or a reference."""
    made = projected(tool.shown, "subset")
    properties = made.get("properties")
    given = properties if isinstance(properties, Mapping) else {}
    return {
        "type": "object",
        "properties": {name: _or_reference(schema) for name, schema in given.items()},
        "required": made.get("required") or [],
        "additionalProperties": False,
    }


def _or_reference(schema: Json) -> Json:
    if not isinstance(schema, Mapping) or schema.get("type") == "string":
        return schema  # a text may be one; of several that are given, the tool takes one
    return {"anyOf": [schema, _REFERENCE]}

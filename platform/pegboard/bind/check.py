"""Arguments against a tool's schema, as messages for whoever sent them."""

from collections.abc import Mapping

from pegboard.catalog.redaction import scrubbed
from pegboard.catalog.schema.faults import Fault, faults
from pegboard.catalog.tool import Tool
from pegboard.errors import InvalidArguments, Wrong
from pegboard.text import Json


def checked(tool: Tool, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Return `arguments`, which were given by a caller and not found in a question.

    Raises:
        InvalidArguments: They do not fit the tool's schema; the message says everything that is wrong.
    """
    given = dict(arguments)
    if found := faults(given, tool.parameters):
        told = " ".join(fault.message for fault in found)
        raise InvalidArguments(
            f"Tool {tool.name!r} cannot take these arguments: {scrubbed(told, tool, given)}",
            hint=signature(tool),
            missing=missing(found),
            faults=wrong(found),
        )
    return given


def wrong(found: list[Fault]) -> list[Wrong]:
    """Return what is wrong and where, as callers are told."""
    return [Wrong(fault.pointer, fault.message) for fault in found]


def missing(found: list[Fault]) -> list[str]:
    """Return the names of required arguments that are not there."""
    return [fault.missing for fault in found if fault.missing and not fault.path]


def signature(tool: Tool) -> str:
    """Say what the tool takes: name and type of each argument, and which are optional."""
    properties = tool.parameters.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        return "It takes no arguments."
    required = tool.parameters.get("required")
    needed = required if isinstance(required, list) else []
    shown = [f"{name} ({_type(schema)}{'' if name in needed else ', optional'})" for name, schema in properties.items()]
    return f"It takes {', '.join(shown)}."


def _type(schema: Json) -> str:
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind or "anything")

"""Arguments against a tool's schema, as messages for whoever sent them."""

from collections.abc import Mapping
from dataclasses import replace

from pegboard.catalog.redaction import scrubbed
from pegboard.catalog.schema.faults import Fault, faults
from pegboard.catalog.signature import signature
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
        found = [_to_be_told(fault, tool, given) for fault in found]
        told = " ".join(fault.message for fault in found)
        raise InvalidArguments(
            f"Tool {tool.name!r} cannot take these arguments: {told}",
            hint=signature(tool),
            missing=missing(found),
            faults=wrong(found),
        )
    return given


def _to_be_told(fault: Fault, tool: Tool, given: Mapping[str, Json]) -> Fault:
    """Return `fault` without the values of arguments that are shown nowhere: of these it says what was wanted."""
    hidden = tool.limits.redact
    if not hidden:
        return fault
    if fault.wanted and (fault.path[0] in hidden if fault.path else not fault.missing):
        subject = f"Argument {fault.path[0]!r} does not" if fault.path else "The arguments do not"
        return Fault(fault.path[:1], fault.keyword, f"{subject} fit; wanted {fault.wanted}.")
    return replace(fault, message=scrubbed(fault.message, tool, given))


def wrong(found: list[Fault]) -> list[Wrong]:
    """Return what is wrong and where, as callers are told."""
    return [Wrong(fault.pointer, fault.message) for fault in found]


def missing(found: list[Fault]) -> list[str]:
    """Return the names of required arguments that are not there."""
    return [fault.missing for fault in found if fault.missing and not fault.path]

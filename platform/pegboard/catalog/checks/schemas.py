"""What a tool declares as schemas: `returns`, `parameters`, `output`."""

import re
from collections.abc import Mapping
from typing import Any

from pegboard.catalog.checks.nonsense import nonsense_in
from pegboard.catalog.findings import Findings
from pegboard.catalog.schema import returns
from pegboard.catalog.schema.sound import unsound
from pegboard.catalog.schema.words import articled
from pegboard.config.declarations import Declared, ToolDeclaration
from pegboard.text import Json

_SCORE_HINT = "Write `score: integer between 0 and 100`."
_RANGE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:and|to|through|[-–—~～]|到|至|和)\s*(\d+(?:\.\d+)?)")


def check_schemas(tool: Declared[ToolDeclaration], findings: Findings) -> None:
    """Report schemas that are none or cannot be meant, and a reply without a score that routing can use."""
    for key in ("parameters", "output"):
        if (schema := getattr(tool.value, key)) is not None:
            _check_schema(tool, key, schema, findings)
    if tool.value.returns:
        if returns.is_schema(tool.value.returns):
            _check_schema(tool, "returns", tool.value.returns, findings)
        _check_score(tool, findings)


def _check_schema(tool: Declared[ToolDeclaration], key: str, schema: Mapping[str, Json], findings: Findings) -> None:
    whose = f"{key} of tool {tool.value.name!r}"
    above = 1 if key != "returns" and returns.is_short(schema) else 0  # a short form has no `properties`
    whole = returns.formal(schema) if above else schema
    faults = unsound(whole)
    for fault in faults:
        message = f"{whose} is no JSON Schema: {fault.message}"
        findings.add("PB301", tool.at(key, *fault.path[above:]), message, dialect=tool.dialect)
    for path, message, hint in () if faults else nonsense_in(whole):
        findings.add("PB314", tool.at(key, *path[above:]), f"{whose}: {message}", hint=hint, dialect=tool.dialect)


def _check_score(tool: Declared[ToolDeclaration], findings: Findings) -> None:
    declared = returns.properties_of(tool.value.returns)
    if returns.SCORE not in declared:
        message = f"returns of tool {tool.value.name!r} has no `score`"
        hint = "Add `score: integer between 0 and 100`."
        findings.add("PB302", tool.at("returns"), message, hint=hint, dialect=tool.dialect)
        return
    is_formal = returns.is_schema(tool.value.returns)
    path = ("properties", returns.SCORE) if is_formal else (returns.SCORE,)
    if message := _wrong_score(declared[returns.SCORE], is_formal=is_formal):
        place = tool.at("returns", *path)
        message = f"the score of tool {tool.value.name!r} {message}"
        findings.add("PB312", place, message, hint=_SCORE_HINT, dialect=tool.dialect)


def _wrong_score(schema: Json, *, is_formal: bool) -> str:
    """Say why no model that answers as described gives a score from 0 to 100; empty when one does."""
    if schema is True:
        return ""
    if not isinstance(schema, dict) or schema == {}:
        return "is described by no text and no schema"
    kinds: Any = schema.get("type", "number")
    wanted = [kinds] if isinstance(kinds, str) else list(kinds)
    text = str(schema.get("description", ""))
    is_described = not is_formal and wanted == ["string"] and bool(text.strip())
    if not {"number", "integer"} & set(wanted) and not is_described:
        return f"is {articled(str(wanted[0]))}, not a number"
    most = schema.get("maximum")
    if (match := _RANGE.search(text)) is not None:
        most = most if most is not None else float(match[2])
    if isinstance(most, int | float) and not isinstance(most, bool) and most < 100:
        return f"goes up to {most:g}; scores go from 0 to 100"
    return ""

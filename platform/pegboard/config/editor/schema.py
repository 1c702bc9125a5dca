"""The schemas of documents: JSON Schema for YAML and JSON, RELAX NG for XML; and of what `platform check` says.

They are made of the declarations' types and lie in `schemas/` for editors: `platform schema` writes them, and a
test compares. What is served is judged by `load`, which says more, and says where.

The JSON Schema is 2020-12 and uses nothing that draft 7 reads otherwise, because most editors still speak that.
`patternErrorMessage` is a word of VS Code and of the YAML language server; validators read over it.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from pegboard.config.declaration import NAME_RULES
from pegboard.config.declarations import Document
from pegboard.config.editor.described import described
from pegboard.config.editor.relaxng import records_below, xml_schema
from pegboard.config.report import CheckShape
from pegboard.config.shape import Free, Leaf, ListOf, MapOf, Record, Shape, document_shape
from pegboard.text import Json, to_json

DOCUMENT_FILE = "document.json"
XML_FILE = "tools.rng"
CHECK_FILE = "check.json"
DOCUMENT_ID = "urn:pegboard:document:1"
"""The schema's name; a URN, because it is read from the project's own folder and never fetched."""

_VARIABLE = r"\$\{[A-Z_][A-Z0-9_]*(:[-?][^}]*)?\}"
_DURATION = (
    r"^\s*(([0-9]*[1-9][0-9]*(\.[0-9]+)?|[0-9]+\.[0-9]*[1-9][0-9]*)\s*(ms|s|m|h)"
    r"|[0-9]{1,9}h[0-9]{1,9}m([0-9]{1,9}s)?|[0-9]{1,9}h[0-9]{1,9}s|[0-9]{1,9}m[0-9]{1,9}s)\s*$"
)
_NO_VARIABLE = r"^([^$]|\$+[^${])*\$*$"
_MESSAGES = {
    "fixed": "Names, types and handlers are written out: no variable stands here.",
    "duration": "Write a number with its unit, such as 150ms, 5s, 2m or 1h, or a variable: ${NAME}.",
    "number": "Write a number without quotes, or a variable: ${NAME}.",
    "integer": "Write a whole number without quotes, or a variable: ${NAME}.",
    "boolean": "Write true or false without quotes, or a variable: ${NAME}.",
}


class _Schema(GenerateJsonSchema):
    """Without the titles that only repeat the names of fields."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def document_schema() -> dict[str, Json]:
    """Return the JSON Schema of a document in YAML or JSON."""
    schema: dict[str, Any] = Document.model_json_schema(schema_generator=_Schema, mode="validation")
    for record in records_below(document_shape()):
        is_document = record.model is Document
        target = schema if is_document else schema["$defs"][record.model.__name__]
        target["title"] = record.model.__name__.removesuffix("Declaration")
        for key, field in target["properties"].items():
            target["properties"][key] = _completed(field, key, record)
    schema["properties"]["$schema"] = {
        "type": "string",
        "description": "This schema, for editors.",
        "examples": ["../schemas/document.json"],
    }
    schema["patternProperties"] = {
        "^x-": {"description": "Yours: read over, and a home for anchors.", "examples": [{"timeout": "5s"}]}
    }
    return {"$schema": GenerateJsonSchema.schema_dialect, "$id": DOCUMENT_ID, **schema}


def check_schema() -> dict[str, Json]:
    """Return the JSON Schema (2020-12) of what `platform check --json` prints."""
    schema: dict[str, Any] = CheckShape.model_json_schema(schema_generator=_Schema, mode="serialization")
    return {"$schema": GenerateJsonSchema.schema_dialect, **schema, "title": "pegboard check"}


def schema_files() -> dict[str, str]:
    """Return what lies in `schemas/`: contents by file name."""
    return {
        DOCUMENT_FILE: to_json(document_schema(), indent=2) + "\n",
        XML_FILE: xml_schema(),
        CHECK_FILE: to_json(check_schema(), indent=2) + "\n",
    }


def _completed(field: dict[str, Any], key: str, record: Record) -> dict[str, Any]:
    """Return a field as editors want it: with all that the reader takes there, a default and examples."""
    said = described(record, key)
    bare = {word: value for word, value in field.items() if word not in {"description", "default", "examples"}}
    return {
        "description": said.text,
        **_taken(bare, record.keys[key], said.choices),
        **({} if said.default is None else {"default": said.default}),
        "examples": list(said.samples) or field.get("examples", []),
    }


def _taken(field: dict[str, Any], shape: Shape, choices: Mapping[str, str]) -> dict[str, Any]:
    """Widen a field by what the reader takes besides: variables, and texts that are read as what they must mean."""
    match shape:
        case Leaf():
            return _chosen(shape, choices) if shape.choices else _leaf(field, shape)
        case ListOf(item=Leaf() as item):
            return {**field, "items": _taken(field["items"], item, {})}
        case MapOf(value=Leaf() as value):
            return {**field, "additionalProperties": _taken(field["additionalProperties"], value, {})}
        case Free():
            kinds = [each["type"] for each in field.get("anyOf", ())]
            return {"type": kinds or "object"}
        case Record() if "$ref" in field:
            # Draft 7 reads over what stands beside a $ref, and some editors over what stands in it.
            return {"allOf": [{"$ref": field["$ref"]}]}
        case _:
            return field


def _chosen(leaf: Leaf, meanings: Mapping[str, str]) -> dict[str, Any]:
    """Return one alternative a choice, so that each has its own description."""
    alternatives = list[dict[str, Any]]()
    for choice in leaf.choices:
        described = {"description": meanings[choice]} if choice in meanings else {}
        alternatives += [{"const": value, **described} for value in _spellings(choice)]
    return {"anyOf": [*alternatives, {"type": "string", "pattern": _VARIABLE}]}


def _spellings(choice: str) -> list[Json]:
    """Return a choice, and the number or truth value that can only mean it: `1` for the text `"1"`."""
    try:
        value = json.loads(choice)
    except ValueError:
        return [choice]
    return [choice, value] if isinstance(value, bool | int | float) else [choice]


def _leaf(field: dict[str, Any], leaf: Leaf) -> dict[str, Any]:
    if leaf.takes_variables:
        return _with_variables(field, leaf)
    if "pattern" in field:
        return {**field, "patternErrorMessage": NAME_RULES[field["pattern"]]}
    return {**field, "pattern": _NO_VARIABLE, "patternErrorMessage": _MESSAGES["fixed"]}


def _with_variables(field: dict[str, Any], leaf: Leaf) -> dict[str, Any]:
    if "anyOf" in field:
        return {**field, "anyOf": [_with_variables(each, leaf) for each in field["anyOf"]]}
    kind = field.get("type")
    if leaf.kind == "duration" and kind == "string":
        field = {**field, "pattern": f"{_DURATION}|{_VARIABLE}", "patternErrorMessage": _MESSAGES["duration"]}
    elif kind in _MESSAGES:
        message = {"patternErrorMessage": _MESSAGES[kind]}
        field = {**field, "type": [kind, "string"], "pattern": _VARIABLE, **message}
    elif kind == "string" and "pattern" in field:
        field = {**field, "pattern": f"{field['pattern']}|{_VARIABLE}"}
    return field

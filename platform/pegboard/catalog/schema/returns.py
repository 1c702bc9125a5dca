"""From `returns` to two JSON Schemas: what a scoring reply holds, and what the handler takes.

`returns` is informal, a text that describes each key (NLWeb's `returnStruc`), or already a JSON Schema. So may be
`parameters` and `output`: `formal` makes a schema of them.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

from pegboard.catalog.schema.plain import KEYWORDS
from pegboard.text import Json, to_json

SCORE = "score"
REMARKS = frozenset({"reason", "justification", "explanation"})
"""Keys of a reply that are for people; every other key but `score` is an argument."""

FROM_QUERY = "x-from-query"
"""Keyword of ours beside a value's schema: true says that the value stands in the question, or is not known."""

MOST_OFFERED = 8 << 10
"""Characters of the arguments' schema that a scoring reply may hold: every candidate's is sent. Else binding asks."""

SCORE_SCHEMA: dict[str, Json] = {"type": "number", "minimum": 0, "maximum": 100}

_FROM_QUERY = re.compile(r"\(from query\)\s*$", re.IGNORECASE)
"""How a text says `FROM_QUERY`: `city: name of the city (from query)`."""
_TYPED = re.compile(r"^\s*(?:an?\s+)?(integer|number|float|boolean|true or false|(?:array|list) of)\b", re.IGNORECASE)
_TYPES = {
    "integer": "integer",
    "number": "number",
    "float": "number",
    "boolean": "boolean",
    "true or false": "boolean",
}


def is_schema(returns: Mapping[str, Any]) -> bool:
    """Tell whether `returns` is a JSON Schema rather than texts that describe."""
    return "$schema" in returns or (
        returns.get("type") == "object" and isinstance(returns.get("properties", {}), Mapping)
    )


_OPTIONAL = re.compile(r"^\s*\(?optional\b|\boptional\)?[.]?\s*$", re.IGNORECASE)
_FORMAL = frozenset({"$ref", "enum", "const", "anyOf", "oneOf", "allOf"})
"""Keywords that make of a value a schema, whatever else stands beside them."""
_KINDS = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def is_short(declared: Mapping[str, Any]) -> bool:
    """Tell whether `declared` describes each key, with no keyword of JSON Schema among them."""
    return (
        bool(declared)
        and not any(key in KEYWORDS or key.startswith(("$", "x-")) for key in declared)
        and all(isinstance(value, str | list | Mapping) for value in declared.values())
    )


def formal(declared: Mapping[str, Any], *, optional: Collection[str] = ()) -> Mapping[str, Json]:
    """Return the JSON Schema that `declared` is or, in short form, means.

    There, a key is required unless its text begins or ends with the word `optional`, or is among `optional`.
    """
    if not is_short(declared):
        return declared
    return {
        "type": "object",
        "properties": {key: described(value) for key, value in declared.items()},
        "required": [key for key, value in declared.items() if key not in optional and not _is_optional(value)],
    }


def _is_optional(value: Any) -> bool:
    return isinstance(value, str) and _OPTIONAL.search(value) is not None


def _is_formal(value: Mapping[str, Any]) -> bool:
    kind = value.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    return bool(value.keys() & _FORMAL) or all(isinstance(each, str) and each in _KINDS for each in kinds)


def properties_of(returns: Mapping[str, Any]) -> dict[str, Json]:
    """Return the JSON Schema of each key of `returns`."""
    if is_schema(returns):
        return dict(returns.get("properties", {}))
    return {key: described(value) for key, value in returns.items()}


def described(value: Any) -> Json:
    """Return the schema of a value that is described by a text, a list of one example, texts by key, or itself."""
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, list):
        return {"type": "array", "items": described(value[0]) if value else {"type": "string"}}
    if isinstance(value, Mapping) and _is_formal(value):
        return dict(value)
    if isinstance(value, Mapping):
        return {"type": "object", "properties": {key: described(inner) for key, inner in value.items()}}
    return {}


def _from_text(text: str) -> dict[str, Json]:
    match = _TYPED.match(text)
    word = match[1].lower() if match else ""
    marked: dict[str, Json] = {"description": text, **({FROM_QUERY: True} if _FROM_QUERY.search(text) else {})}
    if word.endswith(" of"):
        return {"type": "array", "items": {"type": "string"}, **marked}
    return {"type": _TYPES.get(word, "string"), **marked}


def arguments_of(returns: Mapping[str, Any]) -> dict[str, Json]:
    """Return the schemas of those keys of `returns` that are arguments."""
    return _arguments(properties_of(returns))


def _arguments(properties: Mapping[str, Json]) -> dict[str, Json]:
    return {key: schema for key, schema in properties.items() if key != SCORE and key not in REMARKS}


def completed(arguments: Mapping[str, Json], taken: Mapping[str, Mapping[str, Json]]) -> dict[str, Json]:
    """Return `arguments` with the handler's own schema, `taken`, for each whose text says nothing of a type."""
    return {name: _completed(schema, taken.get(name)) for name, schema in arguments.items()}


def _completed(schema: Json, taken: Json | Mapping[str, Json]) -> Json:
    if not isinstance(schema, dict) or not isinstance(taken, Mapping) or not taken or not _is_untyped(schema):
        return schema
    return {**taken, **{key: value for key, value in schema.items() if key != "type"}}


def _is_untyped(schema: Mapping[str, Json]) -> bool:
    """Tell whether a schema is that of a text which only describes."""
    return schema.get("type") == "string" and schema.keys() <= {"type", "description", FROM_QUERY}


def parameters_from(
    properties: Mapping[str, Json], required: Collection[str], definitions: Mapping[str, Json] | None = None
) -> dict[str, Json]:
    """Return the object schema of arguments; only those of `required` that are described can be required.

    `definitions` are what the properties refer to.
    """
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name in required],
        "additionalProperties": False,
        **({"$defs": dict(definitions)} if definitions else {}),
    }


def reply_schema(returns: Mapping[str, Any], parameters: Mapping[str, Json]) -> dict[str, Json]:
    """Return the schema of a scoring reply: the score, remarks that were declared, and arguments."""
    declared = properties_of(returns)
    remarks = {key: schema for key, schema in declared.items() if key in REMARKS}
    own = parameters.get("properties")
    taken = dict(own) if isinstance(own, Mapping) and len(to_json(dict(parameters))) <= MOST_OFFERED else {}
    arguments = {name: _completed(schema, taken.get(name)) for name, schema in _arguments(declared).items()} or taken
    described_score = declared.get(SCORE)
    score = {**described_score, **SCORE_SCHEMA} if isinstance(described_score, dict) else SCORE_SCHEMA
    reply: dict[str, Json] = {"type": "object", "properties": {SCORE: score, **remarks, **arguments}}
    named = ("$defs", "definitions", "$schema") if taken.keys() & arguments.keys() else ()
    return {**reply, "required": [SCORE], **{key: parameters[key] for key in named if key in parameters}}

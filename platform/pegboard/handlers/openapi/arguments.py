"""From an operation to the arguments of its tool: parameters and the properties of the body side by side."""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pegboard.handlers.openapi.api import Body, Operation, Parameter
from pegboard.handlers.openapi.naming import Names
from pegboard.handlers.openapi.parse import is_json
from pegboard.handlers.openapi.plain import brief
from pegboard.handlers.openapi.schemas import DEFS, MOST_COMPONENTS, Converted, Schemas, referred
from pegboard.text import Json

Given: TypeAlias = Collection[tuple[str, str]]
"""Place and name (headers in lower case) of parameters that the configuration gives a value."""

FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
FILE: Converted = {
    "description": "A file: its text, a data: URL, or an object with its name, media type, and text or base64.",
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {key: {"type": "string"} for key in ("name", "type", "text", "base64")},
            "additionalProperties": False,
            "minProperties": 1,
        },
    ],
}
_FLAT = frozenset({"type", "description", "properties", "required", "additionalProperties", "allOf", "$ref", "default"})
"""Keywords of an object whose properties can stand beside other arguments."""
_LONGEST_DESCRIPTION = 400
_MOST_FIELDS = 1_000
"""Properties of a body that stand beside other arguments; one of more is one argument."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a tool takes, and where each of it goes."""

    schema: Converted = field(repr=False)
    parameters: tuple[tuple[str, Parameter], ...] = ()
    """By the argument's name."""
    fields: tuple[tuple[str, str], ...] = ()
    """Arguments that are properties of the body, each with the property's name."""
    whole: str = ""
    """The argument that is the body; empty: there is none, or it is made of `fields`."""
    files: frozenset[str] = frozenset()
    """Properties of the body that are files."""
    is_cut: bool = False
    """They need more components than are read: what refers to one may be anything, and the service is the judge."""


@dataclass(slots=True)
class _Making:
    properties: dict[str, Json] = field(default_factory=dict)
    required: list[Json] = field(default_factory=list)
    names: Names = field(default_factory=Names)

    def add(self, name: str, place: str, schema: Converted, *, required: bool) -> str:
        argument = self.names.argument(name, place)
        self.properties[argument] = schema
        if required:
            self.required.append(argument)
        return argument


def arguments_of(operation: Operation, schemas: Schemas, given: Given = ()) -> Arguments:
    """Return the arguments of `operation`; those that the configuration gives are not among them."""
    making = _Making()
    parameters: list[tuple[str, Parameter]] = []
    for each in operation.parameters:
        key = each.name.lower() if each.place == "header" else each.name
        if (each.place, key) not in given:
            schema = _said(schemas.converted(each.schema), each.description)
            parameters.append((making.add(each.name, each.place, schema, required=each.required), each))
    made = Arguments({}, tuple(parameters))
    more: Converted = {}
    if operation.body is not None:
        made, more = _with_body(made, operation.body, schemas, making)
    schema = {
        "type": "object",
        "properties": making.properties,
        "required": making.required,
        "additionalProperties": False,
        **more,
    }
    definitions = schemas.definitions(schema)
    if definitions is None:
        properties: Converted = {name: _unreferred(each) for name, each in making.properties.items()}
        return replace(made, schema={**schema, "properties": properties}, is_cut=True)
    return replace(made, schema={**schema, **({"$defs": definitions} if definitions else {})})


def _unreferred(schema: Json) -> Json:
    """Return `schema`, or where it refers to others its description alone."""
    return schema if next(referred(schema), None) is None else _description(_mapping(schema))


def _said(schema: Converted, description: str) -> Converted:
    words = brief(description, _LONGEST_DESCRIPTION)
    return {**schema, "description": words} if words else schema


def _with_body(made: Arguments, body: Body, schemas: Schemas, making: _Making) -> tuple[Arguments, Converted]:
    """Add the body's arguments; the keywords that are returned say what they need of each other."""
    schema = schemas.converted(body.schema)
    takes_files = not is_json(body.content_type)
    is_form = body.content_type.partition(";")[0].strip().lower() in (FORM, MULTIPART)
    flat = _flat(schema, schemas) if is_form or is_json(body.content_type) else None
    if flat is None or not flat[0]:
        shown = schema if is_form or not takes_files else _of_bytes(schema)
        name = making.add("body", "body", _said(shown, body.description), required=body.required)
        return replace(made, whole=name), {}
    properties, needed = flat
    files = frozenset(name for name, each in properties.items() if takes_files and _is_file(each))
    fields: list[tuple[str, str]] = []
    for name, each in properties.items():
        told = _file(_mapping(each)) if name in files else _mapping(each)
        fields.append((making.add(name, "body", told, required=body.required and name in needed), name))
    return replace(made, fields=tuple(fields), files=files), {} if body.required else _together(fields, needed)


def _together(fields: Collection[tuple[str, str]], needed: Collection[str]) -> Converted:
    """Say that a body which may be left out needs what it needs once anything of it is given."""
    required: list[Json] = [argument for argument, name in fields if name in needed]
    given: list[Json] = [{"required": [argument]} for argument, _ in fields]
    return {"if": {"anyOf": given}, "then": {"required": required}} if required else {}


def _mapping(value: Json) -> Converted:
    return value if isinstance(value, dict) else {}


def _of_bytes(schema: Converted) -> Converted:
    """Return the schema of a body that is no form and no JSON: a file, or a text."""
    if _is_file(schema) or not schema:
        return _file(schema)
    return schema if schema.get("type") == "string" else {"type": "string", **_description(schema)}


def _file(schema: Converted) -> Converted:
    if schema.get("type") == "array":
        kept = {key: value for key, value in schema.items() if key != "items"}
        return {**kept, "items": FILE}
    return {**FILE, **_description(schema)}


def _description(schema: Converted) -> Converted:
    return {"description": schema["description"]} if "description" in schema else {}


def _is_file(schema: Json) -> bool:
    told = _mapping(schema)
    if told.get("type") == "array":
        return _is_file(told.get("items"))
    is_text = told.get("type") in ("string", ["string", "null"], None)
    is_media = "contentMediaType" in told and "contentEncoding" not in told
    return is_text and (told.get("format") == "binary" or is_media)


def _flat(schema: Converted, schemas: Schemas) -> tuple[dict[str, Json], set[str]] | None:
    """Return the properties of an object, and which are required; None where it is more than its properties."""
    properties: dict[str, list[Json]] = {}
    needed: set[str] = set()
    followed: set[str] = set()
    waiting = deque([schema])
    while waiting:
        part = waiting.popleft()
        if not _is_flat(part):
            return None
        for name, each in _mapping(part.get("properties")).items():
            properties.setdefault(name, []).append(each)
        if len(properties) > _MOST_FIELDS or len(followed) > MOST_COMPONENTS:
            return None
        required, parts, reference = part.get("required"), part.get("allOf"), part.get("$ref")
        needed |= {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
        waiting += [_mapping(each) for each in parts] if isinstance(parts, list) else []
        if isinstance(reference, str) and reference not in followed:
            followed.add(reference)
            waiting.append(schemas.definition(reference.removeprefix(DEFS)))
    whole: dict[str, Json] = {
        name: every[0] if len(every) == 1 else {"allOf": every} for name, every in properties.items()
    }
    return whole, needed & whole.keys()


def _is_flat(schema: Converted) -> bool:
    kind = schema.get("type", "object")
    is_object = kind == "object" or (isinstance(kind, list) and "object" in kind)
    return is_object and not schema.keys() - _FLAT and schema.get("additionalProperties", False) is False

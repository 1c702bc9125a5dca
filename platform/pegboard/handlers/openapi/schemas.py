"""From schemas as OpenAPI has them (3.0, 3.1, Swagger 2.0) to JSON Schema 2020-12, as requests need them.

What a document says wrongly is left out rather than passed on: a schema made here is always valid. References stay
references, into `$defs`; what only concerns replies (`readOnly`) and people (examples) is dropped.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from pegboard.catalog.schema.linear import unusable
from pegboard.handlers.openapi.naming import Names, legal
from pegboard.handlers.openapi.plain import brief
from pegboard.handlers.openapi.reading import is_shallow, items, mapping, words
from pegboard.text import Json

Converted: TypeAlias = dict[str, Json]

DEFS = "#/$defs/"
_DEEPEST = 20
"""Levels of schemas within one definition; what lies deeper may be anything."""
_DEEPEST_VALUE = 16
"""Levels of a value that a schema names; both together stay within what is judged."""
_LONGEST_DESCRIPTION = 400
_LONGEST_NAME = 80
MOST_COMPONENTS = 2_000
"""Definitions that the arguments of one operation may need, by way of others too."""
_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_pattern(value: Json) -> bool:
    return isinstance(value, str) and unusable(value) is None


_PLAIN: Mapping[str, Callable[[Json], bool]] = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("minContains", "maxContains"), _is_count),
    **dict.fromkeys(("format", "contentEncoding", "contentMediaType"), lambda value: isinstance(value, str)),
    "pattern": _is_pattern,
    "uniqueItems": lambda value: isinstance(value, bool),
    "multipleOf": lambda value: _is_number(value) and isinstance(value, int | float) and value > 0,
    "enum": lambda value: isinstance(value, list) and bool(value) and is_shallow(value, _DEEPEST_VALUE),
    "const": lambda value: is_shallow(value, _DEEPEST_VALUE),
    "default": lambda value: is_shallow(value, _DEEPEST_VALUE),
}
"""Keywords that are taken over as they are, where their value is one that they may have."""
_ONE = ("items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else")
_SEVERAL = ("allOf", "anyOf", "oneOf", "prefixItems")
_NAMED = ("patternProperties", "dependentSchemas")


class Schemas:
    """Makes the schemas of one document, each definition once."""

    def __init__(self, references: Mapping[str, Json]) -> None:
        self._references = references
        self._names: dict[str, str] = {}
        """What the definition that a reference leads to is called."""
        self._by_name: dict[str, str] = {}
        self._given = Names()
        self._made: dict[str, Converted] = {}

    def converted(self, schema: Json) -> Converted:
        """Return `schema` in the form of 2020-12, its references into `$defs`, which it does not hold."""
        return self._schema(schema, 0)

    def definition(self, name: str) -> Converted:
        """Return what is called `name` under `$defs`."""
        if name not in self._made:
            self._made[name] = self._schema(self._references[self._by_name[name]], 0)
        return self._made[name]

    def definitions(self, schema: Converted) -> dict[str, Json] | None:
        """Return the `$defs` that `schema` needs: what it refers to, and what that does; None: they are too many."""
        found: dict[str, Json] = {}
        waiting: list[Converted] = [schema]
        while waiting:
            for name in referred(waiting.pop()):
                if name not in found:
                    if len(found) == MOST_COMPONENTS:
                        return None
                    found[name] = made = self.definition(name)
                    waiting.append(made)
        return found

    def _schema(self, schema: Json, depth: int) -> Converted:
        if schema is False:
            return {"not": {}}
        if not isinstance(schema, dict) or depth > _DEEPEST:
            return {}
        reference = schema.get("$ref")
        if isinstance(reference, str):
            return self._referring(reference, schema, depth)
        return _with_null(self._own(schema, depth)) if schema.get("nullable") is True else self._own(schema, depth)

    def _referring(self, reference: str, schema: Mapping[str, Json], depth: int) -> Converted:
        beside = self._own({key: value for key, value in schema.items() if key != "$ref"}, depth)
        if reference not in self._references:
            return beside
        made: Converted = {"$ref": f"{DEFS}{self._named(reference)}", **beside}
        return _with_null(made) if schema.get("nullable") is True else made

    def _named(self, reference: str) -> str:
        if reference not in self._names:
            base = legal(reference.rsplit("/", 1)[-1])[:_LONGEST_NAME] or "part"
            name = self._given.unique(base)
            self._names[reference], self._by_name[name] = name, reference
        return self._names[reference]

    def _own(self, schema: Mapping[str, Json], depth: int) -> Converted:
        made: Converted = {}
        if kinds := _types(schema):
            made["type"] = kinds[0] if len(kinds) == 1 else [*kinds]
        if description := brief(words(schema.get("description")), _LONGEST_DESCRIPTION):
            made["description"] = description
        made |= {key: schema[key] for key, fits in _PLAIN.items() if key in schema and fits(schema[key])}
        if schema.get("type") == "file":
            made["format"] = "binary"
        made |= _exclusive(schema)
        made |= self._inner(schema, depth + 1)
        return made | self._properties(schema, depth + 1)

    def _inner(self, schema: Mapping[str, Json], depth: int) -> Converted:
        made: Converted = {}
        for key in _ONE:
            if isinstance(value := schema.get(key), bool) and key == "additionalProperties":
                made[key] = value
            elif isinstance(value, dict | bool):
                made[key] = self._schema(value, depth)
        for key in _SEVERAL:
            if several := [self._schema(each, depth) for each in items(schema.get(key)) if isinstance(each, dict)]:
                made[key] = [*several]
        for key in _NAMED:
            if isinstance(value := schema.get(key), dict) and (key != _NAMED[0] or all(map(_is_pattern, value))):
                made[key] = {name: self._schema(each, depth) for name, each in value.items()}
        return made

    def _properties(self, schema: Mapping[str, Json], depth: int) -> Converted:
        """Return the properties that a request may have, and which of them it needs."""
        declared = mapping(schema.get("properties"))
        hidden = {name for name, each in declared.items() if mapping(each).get("readOnly") is True}
        made: Converted = {}
        if "properties" in schema:
            made["properties"] = {n: self._schema(each, depth) for n, each in declared.items() if n not in hidden}
        named = dict.fromkeys(name for name in items(schema.get("required")) if isinstance(name, str))
        needed: list[Json] = [name for name in named if name not in hidden]
        return made | ({"required": needed} if needed else {})


def _types(schema: Mapping[str, Json]) -> list[str]:
    kind = schema.get("type")
    if kind == "file":
        return ["string"]
    named = [kind] if isinstance(kind, str) else items(kind)
    return list(dict.fromkeys(each for each in named if isinstance(each, str) and each in _TYPES))


def _exclusive(schema: Mapping[str, Json]) -> Converted:
    """Return the bounds that 3.0 says by a flag beside them."""
    made: Converted = {}
    for flag, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if schema.get(flag) is True and _is_number(schema.get(bound)):
            made[flag] = schema[bound]
    return made


def _with_null(schema: Converted) -> Converted:
    """Return `schema` as one that takes null too."""
    kind = schema.get("type")
    if not isinstance(kind, str) or schema.keys() & {"$ref", "allOf", "anyOf", "oneOf", "not", "const"}:
        description: Converted = {"description": schema["description"]} if "description" in schema else {}
        return {"anyOf": [schema, {"type": "null"}], **description} if schema else {}
    values = schema.get("enum")
    if isinstance(values, list) and None not in values:
        return {**schema, "type": [kind, "null"], "enum": [*values, None]}
    return {**schema, "type": [kind, "null"]}


def referred(schema: Json) -> Iterator[str]:
    """Yield the names under `$defs` that `schema` refers to."""
    waiting: list[Json] = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(reference := value.get("$ref"), str) and reference.startswith(DEFS):
                yield reference.removeprefix(DEFS)
            waiting += [each for key, each in value.items() if key not in ("enum", "const", "default")]
        elif isinstance(value, list):
            waiting += value

"""One JSON Schema in the place of several that all hold, as `allOf` says: for providers that do not know it.

What cannot be said of all of them in one is said of the first: the full schema stays the judge.
"""

from collections.abc import Mapping, Sequence

from pegboard.llm.references import Schema, kinds
from pegboard.text import Json

_UNITED = frozenset({"properties", "required", "type", "enum", "items", "const"})
FOLLOWED = frozenset({"$ref", "allOf"})
"""Keywords that name parts which `together` is given."""


def together(schemas: Sequence[Schema]) -> dict[str, Json]:
    """Return what holds where all of `schemas` hold."""
    if len(schemas) == 1:
        return {key: value for key, value in schemas[0].items() if key not in FOLLOWED}
    united: dict[str, Json] = {}
    for schema in schemas:
        for key, value in schema.items():
            if key not in FOLLOWED | _UNITED:
                united.setdefault(key, value)
    if any(schema.get("additionalProperties") is False for schema in schemas):
        united["additionalProperties"] = False
    return united | _properties(schemas) | _types(schemas) | _values(schemas) | _items(schemas)


def _properties(schemas: Sequence[Schema]) -> dict[str, Json]:
    named: dict[str, Json] = {}
    wanted: dict[str, None] = {}
    for schema in schemas:
        own = schema.get("properties")
        for name, below in own.items() if isinstance(own, Mapping) else ():
            named[name] = _both(named[name], below) if name in named else below
        names = schema.get("required")
        wanted |= {name: None for name in names if isinstance(name, str)} if isinstance(names, list) else {}
    found: dict[str, Json] = {}
    if any("properties" in schema for schema in schemas):
        found["properties"] = named
    if wanted:
        found["required"] = list(wanted)
    return found


def _items(schemas: Sequence[Schema]) -> dict[str, Json]:
    held = [schema["items"] for schema in schemas if "items" in schema]
    if not held:
        return {}
    found = held[0]
    for below in held[1:]:
        found = _both(found, below)
    return {"items": found}


def _both(first: Json, second: Json) -> Json:
    return first if first == second else {"allOf": [first, second]}


def _types(schemas: Sequence[Schema]) -> dict[str, Json]:
    named = [kinds(schema) for schema in schemas if kinds(schema)]
    if not named:
        return {}
    found = named[0]
    for others in named[1:]:
        found = [kind for each in found if (kind := _narrowed(each, others))]
    left: list[Json] = list(found or named[0])
    return {"type": left[0] if len(left) == 1 else left}


def _narrowed(kind: str, others: Sequence[str]) -> str:
    """Return `kind` as far as `others` allow it; an integer is a number."""
    if kind in others:
        return kind
    if {kind, *others} >= {"integer", "number"}:
        return "integer"
    return ""


def _values(schemas: Sequence[Schema]) -> dict[str, Json]:
    lists = [values for schema in schemas if (values := choices(schema)) is not None]
    if not lists:
        return {}
    found = lists[0]
    for others in lists[1:]:
        found = [value for value in found if value in others]
    return {"enum": found or lists[0]}


def choices(schema: Schema) -> list[Json] | None:
    """Return the values that `schema` names one by one; None where it names none."""
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    return values if isinstance(values, list) and values else None


def joined(schemas: list[Schema], outer: Schema) -> dict[str, Json]:
    """Return the properties of all alternatives together; required is what each of them requires."""
    if not schemas:
        return {}
    named: dict[str, Json] = {}
    for schema in (outer, *schemas):
        own = schema.get("properties")
        for name, below in own.items() if isinstance(own, Mapping) else ():
            known = named.get(name)
            named[name] = below if known is None or known == below else {"anyOf": [known, below]}
    lists = [set(map(str, names)) if isinstance(names := one.get("required"), list) else set() for one in schemas]
    own_names = outer.get("required")
    needed = set(map(str, own_names)) if isinstance(own_names, list) else set()
    needed |= set.intersection(*lists)
    return {"properties": named, "required": [name for name in named if name in needed]}

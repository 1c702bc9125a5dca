"""Whether two JSON Schemas of one value can agree: what both say of its type."""

from collections.abc import Mapping

from pegboard.catalog.schema.words import articled
from pegboard.text import Json

_EVERY = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def disagreement(declared: Json, taken: Json) -> tuple[str, str] | None:
    """Return the types of each in words, `("a string", "an integer")`, where no value has one of both; else None."""
    one, other = types_of(declared), types_of(taken)
    if one & other or not one or not other:
        return None
    return _said(one), _said(other)


def types_of(schema: Json) -> frozenset[str]:
    """Return the types that `schema` allows as far as it says so itself; an integer is a number too."""
    if not isinstance(schema, Mapping):
        return _EVERY
    found = _EVERY
    kind = schema.get("type")
    if isinstance(kind, str | list):
        found &= _widened({kind} if isinstance(kind, str) else {str(each) for each in kind})
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(values, list):
        found &= _widened({_type_of(value) for value in values})
    for keyword in ("anyOf", "oneOf"):
        if isinstance(forms := schema.get(keyword), list) and forms:
            found &= frozenset().union(*(types_of(form) for form in forms))
    return found


def _widened(kinds: set[str]) -> frozenset[str]:
    return frozenset(kinds | ({"integer"} if "number" in kinds else set()))


def _type_of(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case list():
            return "array"
    return "object"


def _said(kinds: frozenset[str]) -> str:
    shown = kinds - {"integer"} if "number" in kinds else kinds
    return " or ".join(articled(kind) for kind in sorted(shown - {"null"} or shown))

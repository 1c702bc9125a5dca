"""What a JSON Schema wants and what was found, in words for people."""

from collections.abc import Callable, Mapping
from typing import Any

from jsonschema.exceptions import ValidationError

from pegboard.text import clipped

Path = tuple[str | int, ...]
"""Where a value is: keys and positions from the outside in."""


def wanted(keyword: str, error: ValidationError) -> str:
    """Say what the keyword that refused a value wants, and what its judge says where there are no better words."""
    words = _plainly_wanted(keyword, error)
    return words if words is not None else f"{_in_schema(keyword)} ({clipped(error.message, 200)})"


def wanted_of_hidden(keyword: str, error: ValidationError) -> str:
    """Say what the keyword wants, in words that hold nothing of the value."""
    words = _plainly_wanted(keyword, error)
    return words if words is not None else _in_schema(keyword)


def _in_schema(keyword: str) -> str:
    return f"what {keyword!r} says in its schema"


def _plainly_wanted(keyword: str, error: ValidationError) -> str | None:
    """Say what the keyword wants by its value in the schema alone; None where there are no words for it."""
    value = error.validator_value
    if (words := _WANTED.get(keyword)) is not None:
        return words(value)
    if keyword in {"anyOf", "oneOf"}:
        return _one_of(error)
    if keyword in {"allOf", "not", "if", "$ref", "False schema"}:
        return "another value: none of the forms that its schema allows fits"
    return None


def forms(error: ValidationError) -> list[list[ValidationError]]:
    """Return what is wrong with each form of an `anyOf` or `oneOf`; empty where several fit."""
    found: dict[object, list[ValidationError]] = {}
    for each in error.context or ():
        form = each.schema_path[0] if each.schema_path else id(each)  # `false` has no path
        found.setdefault(form, []).append(each)
    return list(found.values())


_KINDS = ("type", "const", "enum")


def is_of_another_kind(error: ValidationError) -> bool:
    """Tell whether the value that a form was tried on, and not something in it, is of another kind."""
    return not error.relative_path and error.validator in _KINDS


def _one_of(error: ValidationError) -> str:
    """Say which forms there are, where each is plain: `an integer or null`."""
    found = forms(error)
    if not found:
        return "a value that fits one form of its schema, and it fits several"
    wants = [wanted(str(each.validator), each) for below in found for each in below if is_of_another_kind(each)]
    if len(wants) == len(found):
        return " or ".join(dict.fromkeys(wants))
    return "another value: none of the forms that its schema allows fits"


def shown(value: object) -> str:
    """Show a value in a message: JSON-like, short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "an object" if len(value) > 2 else clipped(repr(dict(value)), 60)
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if len(value) > 4 else clipped(repr(list(value)), 60)
    return repr(clipped(value, 60)) if isinstance(value, str) else clipped(repr(value), 60)


def _kinds(value: Any) -> str:
    kinds = [value] if isinstance(value, str) else list(value)
    return " or ".join(articled(kind) for kind in kinds)


def articled(kind: str) -> str:
    """Return the name of a type with its article: `an array`, `a string`, `null`."""
    if kind == "null":
        return "null"
    return f"an {kind}" if kind[0] in "aio" else f"a {kind}"


_WANTED: dict[str, Callable[[Any], str]] = {
    "type": _kinds,
    "enum": lambda value: "one of " + ", ".join(shown(choice) for choice in value),
    "const": shown,
    "minimum": lambda value: f"{value} or more",
    "maximum": lambda value: f"{value} or less",
    "exclusiveMinimum": lambda value: f"more than {value}",
    "exclusiveMaximum": lambda value: f"less than {value}",
    "multipleOf": lambda value: f"a multiple of {value}",
    "minLength": lambda value: f"at least {value} characters",
    "maxLength": lambda value: f"at most {value} characters",
    "minItems": lambda value: f"at least {value} items",
    "maxItems": lambda value: f"at most {value} items",
    "uniqueItems": lambda value: "items that differ",
    "pattern": lambda value: f"text that matches {value!r}",
    "minProperties": lambda value: f"at least {value} keys",
    "maxProperties": lambda value: f"at most {value} keys",
}

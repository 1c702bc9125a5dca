"""Which keys of an object its schema has looked at: what `unevaluatedProperties` needs (JSON Schema 2020-12, core 11).

`jsonschema` has this too, with patterns on `re`, whose time can explode; here whoever calls says what matches.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

Matches: TypeAlias = Callable[[str, str], bool]
"""Whether a pattern is found in a name."""

_IN_PLACE = ("allOf", "anyOf", "oneOf")


def evaluated(validator: Any, instance: dict[str, Any], schema: Any, *, matches: Matches) -> set[str]:
    """Return the keys of `instance` that `schema`, which holds at its place, has evaluated."""
    if not isinstance(schema, dict):
        return set()
    found = _named(validator, instance, schema, matches)
    for below, resolving in _at_same_place(validator, instance, schema):
        found |= evaluated(resolving, instance, below, matches=matches)
    return found


def _named(validator: Any, instance: dict[str, Any], schema: dict[str, Any], matches: Matches) -> set[str]:
    """Return the keys that keywords of this very schema evaluate."""
    named, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    found = {key for key in instance if key in named or any(matches(pattern, key) for pattern in patterns)}
    if "additionalProperties" in schema:
        return set(instance)  # what is left over is what that keyword judges
    if (rest := schema.get("unevaluatedProperties")) is not None:
        found |= {key for key, value in instance.items() if _fits(validator, value, rest)}
    return found


def _at_same_place(validator: Any, instance: dict[str, Any], schema: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the schemas that hold for the whole of `instance` as well, each with what resolves its references."""
    for keyword in ("$ref", "$dynamicRef"):
        if isinstance(reference := schema.get(keyword), str):
            resolved = validator._resolver.lookup(reference)
            yield resolved.contents, validator.evolve(schema=resolved.contents, _resolver=resolved.resolver)
    for keyword in _IN_PLACE:
        yield from ((below, validator) for below in schema.get(keyword, ()) if _fits(validator, instance, below))
    for key, below in schema.get("dependentSchemas", {}).items():
        if key in instance:
            yield below, validator
    if "if" in schema:
        is_so = _fits(validator, instance, schema["if"])
        if is_so:
            yield schema["if"], validator
        if (then := schema.get("then" if is_so else "else")) is not None:
            yield then, validator


def _fits(validator: Any, instance: Any, schema: Any) -> bool:
    return next(validator.descend(instance, schema), None) is None

"""References in a schema that is plain data, and the value that a path in it leads to; nothing is changed in place."""

from collections.abc import Iterator, Mapping
from typing import Any

from pegboard.config.syntax.node import Path as Steps

_DATA = frozenset({"enum", "const", "default", "examples"})


def references(schema: Any, path: Steps) -> Iterator[tuple[Steps, Mapping[str, Any]]]:
    """Yield each mapping with a `$ref`, and its path; the values of `enum` and the like are data."""
    if isinstance(schema, Mapping):
        if isinstance(schema.get("$ref"), str):
            yield path, schema
        for key, value in schema.items():
            if key not in _DATA or path[-1:] == ("properties",):
                yield from references(value, (*path, key))
    elif isinstance(schema, list):
        for position, value in enumerate(schema):
            yield from references(value, (*path, position))


def steps_of(fragment: str, schema: object) -> Steps | None:
    """Return the path that a pointer or an anchor names in a file; None where there is no such anchor."""
    if not fragment or fragment.startswith("/"):
        steps = [step.replace("~1", "/").replace("~0", "~") for step in fragment.split("/")[1:]]
        return tuple(_typed(schema, steps))
    return next((path for path, part in _mappings(schema, ()) if part.get("$anchor") == fragment), None)


def _typed(schema: object, steps: list[str]) -> Iterator[str | int]:
    """Yield the steps of a pointer, positions of lists as numbers."""
    for step in steps:
        is_position = isinstance(schema, list) and step.isdigit()
        yield int(step) if is_position else step
        schema = value_in(schema, (int(step) if is_position else step,))


def _mappings(schema: object, path: Steps) -> Iterator[tuple[Steps, Mapping[str, Any]]]:
    if isinstance(schema, dict):
        yield path, schema
        for key, value in schema.items():
            yield from _mappings(value, (*path, key))
    elif isinstance(schema, list):
        for position, value in enumerate(schema):
            yield from _mappings(value, (*path, position))


def value_in(schema: object, steps: Steps) -> object:
    """Return the value that `steps` lead to; None where they lead nowhere."""
    found = schema
    for step in steps:
        match found, step:
            case dict(), _ if step in found:
                found = found[step]
            case list(), int() if step < len(found):
                found = found[step]
            case _:
                return None
    return found


def with_value(schema: Any, path: Steps, value: object) -> Any:
    """Return a copy of `schema` with `value` at `path`."""
    if not path:
        return value
    if isinstance(schema, list):
        return [with_value(each, path[1:], value) if index == path[0] else each for index, each in enumerate(schema)]
    return {**schema, path[0]: with_value(schema.get(path[0]), path[1:], value)}


def without(schema: Any, path: Steps) -> Any:
    """Return a copy of `schema` without the key at `path`."""
    holder = value_in(schema, path[:-1])
    assert isinstance(holder, dict)
    return with_value(schema, path[:-1], {key: each for key, each in holder.items() if key != path[-1]})

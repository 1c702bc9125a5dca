"""Parts of a JSON Schema that stand elsewhere in it: `$ref` and `allOf` followed, without end nowhere.

Pure, and nothing is fetched. Not here: whether a schema or a value is right (`catalog/schema`).
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias
from urllib.parse import unquote

from pegboard.text import Json

Schema: TypeAlias = Mapping[str, Json]

MOST_FOLLOWED = 64
"""Parts that are put together for one place."""


def target(reference: Json, root: Schema) -> Schema | None:
    """Return what a `$ref` within `root` leads to; None where it leads nowhere, or to no object."""
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        return None
    found: Json | Schema = root
    for step in reference.removeprefix("#").split("/")[1:]:
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdigit() and int(name) < len(found):
            found = found[int(name)]
        else:
            return None
    return found if isinstance(found, Mapping) else None


def parts(schema: Json | Schema, root: Schema) -> list[Schema]:
    """Return every schema that holds at the place of `schema`: itself, what it refers to, what `allOf` adds."""
    found: list[Schema] = []
    waiting: list[Json | Schema] = [schema]
    followed: set[str] = set()
    while waiting and len(found) < MOST_FOLLOWED:
        part = waiting.pop(0)
        if not isinstance(part, Mapping):
            continue
        found.append(part)
        reference = part.get("$ref")
        if isinstance(reference, str) and reference not in followed:
            followed.add(reference)
            waiting.append(target(reference, root))
        every = part.get("allOf")
        waiting.extend(every if isinstance(every, list) else ())
    return found


def alternatives(schema: Schema) -> list[Json]:
    """Return the alternatives of `anyOf`, else of `oneOf`; empty where there are none."""
    for keyword in ("anyOf", "oneOf"):
        if isinstance(choices := schema.get(keyword), list) and choices:
            return choices
    return []


def kinds(schema: Schema) -> list[str]:
    """Return the types that `schema` names; empty where it names none."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return [kind]
    return [one for one in kind if isinstance(one, str)] if isinstance(kind, list) else []


def properties(schemas: list[Schema]) -> Iterator[tuple[str, Json]]:
    """Yield the properties that any of `schemas` names."""
    for schema in schemas:
        if isinstance(declared := schema.get("properties"), Mapping):
            yield from declared.items()


def required(schemas: list[Schema]) -> set[str]:
    """Return the names that any of `schemas` requires."""
    lists = (schema.get("required") for schema in schemas)
    return {name for names in lists if isinstance(names, list) for name in names if isinstance(name, str)}

"""`restored`: a reply to a projected schema as the full schema means it.

Undoes what `llm/projection.py` does: a null that stands for nothing is left out, JSON text becomes the value that it
holds. A value that needs neither stays as it is. Pure; whether it fits is for the full schema to judge.
"""

import json
from collections.abc import Mapping

from pegboard.llm.references import Schema, alternatives, kinds, parts, properties, required
from pegboard.llm.together import choices
from pegboard.text import Json

_DEEPEST = 64
_LONGEST_TEXT = 100_000


def restored(value: Json, schema: Json | Schema, root: Schema | None = None) -> Json:
    """Return `value` without the nulls that stand for optional properties, and with JSON text read.

    A null stays where the schema names null as a value, and no other default. `root` is what references lead into;
    `schema` itself when it is not given.
    """
    whole = root if root is not None else schema if isinstance(schema, Mapping) else {}
    return _restored(value, schema, whole, 0)


def _restored(value: Json, schema: Json | Schema, root: Schema, depth: int) -> Json:
    if depth > _DEEPEST:
        return value
    found = parts(schema, root)
    every = [one for part in found for one in alternatives(part)]
    chosen = [_chosen(value, alternatives(part), root) for part in found]
    found += [inner for one in chosen for inner in parts(one, root)]
    value = _read(value, {kind for part in found for kind in kinds(part)})
    if isinstance(value, dict):
        others = {name for one in every for name, _ in properties(parts(one, root))}
        return _object(value, found, root, depth, others)
    if isinstance(value, list):
        items = next((part["items"] for part in found if "items" in part), None)
        return value if items is None else [_restored(one, items, root, depth + 1) for one in value]
    return value


def _object(value: dict[str, Json], found: list[Schema], root: Schema, depth: int, others: set[str]) -> dict[str, Json]:
    """Restore an object; `others` are the properties of alternatives, those that were not chosen too."""
    declared = dict(properties(found))
    needed = required(found)
    free = next((part["additionalProperties"] for part in found if "additionalProperties" in part), None)
    made: dict[str, Json] = {}
    for name, inner in value.items():
        below = declared.get(name, free)
        is_known = name in declared or name in others
        if inner is None and is_known and name not in needed and not _names_null(below, root):
            continue
        made[name] = _restored(inner, below, root, depth + 1) if isinstance(below, Mapping) else inner
    return made


def _names_null(schema: Json, root: Schema) -> bool:
    """Tell whether null is a value of its own here, and not what stands for nothing."""
    found = parts(schema, root)
    if any(part.get("default") is not None for part in found):
        return False
    return any(
        "null" in kinds(part) or None in (choices(part) or ()) or part.get("nullable") is True for part in found
    ) or any(_is_null(one) for part in found for one in alternatives(part))


def _is_null(schema: Json) -> bool:
    return isinstance(schema, Mapping) and ("null" in kinds(schema) or None in (choices(schema) or ()))


def _read(value: Json, wanted: set[str]) -> Json:
    """Return the object or array that a text holds, where one is wanted and no text is."""
    if not isinstance(value, str) or "string" in wanted or not wanted & {"object", "array"}:
        return value
    if len(value) > _LONGEST_TEXT or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        held: Json = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return held if ("object" if isinstance(held, dict) else "array") in wanted else value


def _chosen(value: Json, choice: list[Json], root: Schema) -> Json:
    """Return the alternative that `value` looks most like; None where it is like none."""
    rated = ((_likeness(value, one, root), -place, one) for place, one in enumerate(choice))
    best = max(rated, key=lambda each: each[:2], default=None)
    return best[2] if best is not None and best[0] > 0 else None


def _likeness(value: Json, schema: Json, root: Schema) -> float:
    """Say how much a value looks like one of a schema: 0 not at all; an object by the names of its properties."""
    found = parts(schema, root)
    named = {kind for part in found for kind in kinds(part)}
    if isinstance(value, dict):
        declared = dict(properties(found))
        if (named and "object" not in named) or any(value.get(name) is None for name in required(found)):
            return 0.0
        if any(_differs(inner, declared[name]) for name, inner in value.items() if name in declared):
            return 0.0
        return 1.0 + sum(name in declared for name in value) / (1 + len(value))
    kind = "array" if isinstance(value, list) else "string" if isinstance(value, str) else "other"
    return 1.0 if kind in named or (kind == "string" and named & {"object", "array"}) else 0.5 * (not named)


def _differs(value: Json, schema: Json) -> bool:
    """Tell whether the values of a property are named, and `value` is none of them."""
    values = choices(schema) if isinstance(schema, Mapping) else None
    return values is not None and value not in values

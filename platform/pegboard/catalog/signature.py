"""What a tool takes, in words: for whoever sent it what does not fit, and for models that plan."""

from collections.abc import Mapping
from itertools import islice

from pegboard.catalog.tool import Tool
from pegboard.llm.references import Schema, alternatives, parts
from pegboard.llm.together import together
from pegboard.text import Json, clipped, to_json


def signature(tool: Tool) -> str:
    """Say what the tool takes: of each argument its name, type, default and description, and which are optional."""
    told = _arguments(tool.parameters)
    if not told:
        return "It takes no arguments."
    shown = [f"{name} ({kind}){said}" for name, kind, said in islice(told, _MOST_SHOWN)]
    rest = len(told) - len(shown)
    listed = "; ".join(shown) + (f"; and {rest} more" if rest > 0 else "")
    return f"It takes {listed.removesuffix('.')}."


def template(tool: Tool) -> dict[str, Json]:
    """Return what a model is shown of it in the form of arguments: of each its type and description."""
    return {name: f"{kind}{said}" for name, kind, said in _arguments(tool.shown)}


_MOST_SHOWN = 30
_LONGEST_WORDS = 100


def _arguments(parameters: Schema) -> list[tuple[str, str, str]]:
    """Return of each argument its name, its type with what else holds for it, and what is said of it."""
    merged = together(parts(parameters, parameters))
    properties, required = merged.get("properties"), merged.get("required")
    needed = required if isinstance(required, list) else []
    given = properties.items() if isinstance(properties, Mapping) else ()
    return [(name, *_argument(schema, parameters, is_needed=name in needed)) for name, schema in given]


def _argument(schema: Json, root: Schema, *, is_needed: bool) -> tuple[str, str]:
    whole = together(parts(schema, root)) if isinstance(schema, Mapping) else {}
    default = f", default {to_json(whole['default'])}" if whole.get("default") is not None else ""
    words = whole.get("description")
    said = f": {clipped(' '.join(words.split()), _LONGEST_WORDS)}" if isinstance(words, str) and words.strip() else ""
    return f"{_type(whole, root)}{'' if is_needed else ', optional'}{default}", said.removesuffix(".")


def _type(schema: Mapping[str, Json], root: Mapping[str, Json]) -> str:
    """Return what a value is, in a word or two: its choices, its type, or those of its forms."""
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(choices, list) and choices:
        return clipped(
            " or ".join(each if isinstance(each, str) else to_json(each) for each in choices), _LONGEST_WORDS
        )
    if forms := alternatives(schema):
        wholes = [together(parts(form, root)) for form in forms]
        return " or ".join(dict.fromkeys(_type(whole, {}) for whole in wholes))
    kind = schema.get("type", "object" if "properties" in schema else None)
    items = schema.get("items")
    if kind == "array" and isinstance(items, Mapping):
        return f"array of {_type(together(parts(items, root)), {})}"
    return " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind or "anything")

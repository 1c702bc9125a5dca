"""What a tool takes, in words, for whoever sent it what does not fit."""

from collections.abc import Mapping

from pegboard.catalog.tool import Tool
from pegboard.llm.references import alternatives, parts
from pegboard.llm.together import together
from pegboard.text import Json, clipped, to_json


def signature(tool: Tool) -> str:
    """Say what the tool takes: of each argument its name, type, default and description, and which are optional."""
    merged = together(parts(tool.parameters, tool.parameters))
    properties = merged.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        return "It takes no arguments."
    required = merged.get("required")
    needed = required if isinstance(required, list) else []
    shown = [_argument(name, inner, tool.parameters, is_needed=name in needed) for name, inner in properties.items()]
    rest = len(shown) - _MOST_SHOWN
    told = "; ".join(shown[:_MOST_SHOWN]) + (f"; and {rest} more" if rest > 0 else "")
    return f"It takes {told.removesuffix('.')}."


_MOST_SHOWN = 30
_LONGEST_WORDS = 100


def _argument(name: str, schema: Json, root: Mapping[str, Json], *, is_needed: bool) -> str:
    whole = together(parts(schema, root)) if isinstance(schema, Mapping) else {}
    default = f", default {to_json(whole['default'])}" if whole.get("default") is not None else ""
    words = whole.get("description")
    said = f": {clipped(' '.join(words.split()), _LONGEST_WORDS)}" if isinstance(words, str) and words.strip() else ""
    return f"{name} ({_type(whole, root)}{'' if is_needed else ', optional'}{default}){said.removesuffix('.')}"


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

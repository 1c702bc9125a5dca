"""Whether an argument is another plan as a whole: what stands in a value is never run."""

import json
from collections.abc import Collection
from typing import cast

from pegboard.llm.shapes import STEPS
from pegboard.text import Json

_NAMING = ("tool", "tool_name", "agent", "function", "action")
_BESIDE = frozenset({"arguments", "params", "parameters", "args", "depends_on", "goal", "race_group"})
_DEEPEST = 4


def holds_plan(value: Json, tools: Collection[str], depth: int = 0) -> bool:
    """Tell whether `value` is, or holds, steps of a plan: objects in a list that name a tool, as JSON in a text too."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, str):
        inner = _in_text(value)
        return inner is not None and holds_plan(inner, tools, depth + 1)
    if isinstance(value, list):
        rows = [row for row in value if isinstance(row, dict)]
        if rows and len(rows) == len(value) and any(_is_step(row, tools) for row in rows):
            return True
        return any(holds_plan(inner, tools, depth + 1) for inner in value if isinstance(inner, dict | list))
    if isinstance(value, dict):
        return any(holds_plan(inner, tools, depth + 1) for inner in value.values() if isinstance(inner, dict | list))
    return False


def _is_step(row: dict[str, Json], tools: Collection[str]) -> bool:
    named = next((row[key] for key in _NAMING if key in row), None)
    if isinstance(named, dict):
        named = named.get("name")
    return isinstance(named, str) and (named in tools or bool(_BESIDE & row.keys()))


def _in_text(text: str) -> Json:
    """Read JSON that stands in a text; None where there is none that could be a plan."""
    bare = text.strip()
    if not bare.startswith(("[", "{")) or not any(f'"{key}"' in bare for key in (*_NAMING, *STEPS)):
        return None
    try:
        return cast(Json, json.loads(bare))
    except (ValueError, RecursionError):
        return None

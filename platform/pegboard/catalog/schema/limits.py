"""How large a value may be that is shown to a schema."""

from collections.abc import Iterable, Mapping

DEEPEST = 64
"""Levels of nesting that a value may have."""
MOST_NODES = 100_000
"""Values, inner ones included, that a value may hold."""


def excess(value: object) -> str | None:
    """Say by what `value` goes beyond the limits, without recursion; None when it is within them."""
    nodes = 0
    level: list[object] = [value]
    for _depth in range(DEEPEST + 1):
        nodes += len(level)
        if nodes > MOST_NODES:
            return f"too large: more than {MOST_NODES:,} values"
        if not level:
            return None
        level = [child for node in level for child in _children(node)]
    return f"nested too deeply: more than {DEEPEST} levels" if level else None


def _children(node: object) -> Iterable[object]:
    if isinstance(node, dict | Mapping):  # the first is asked in a tenth of the time
        return node.values()
    return node if isinstance(node, list | tuple) else ()

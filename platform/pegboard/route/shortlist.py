"""Which of many candidates a model is asked about: the locally best, and those that are pinned. Pure."""

from collections.abc import Sequence

from pegboard.catalog.tool import Tool
from pegboard.route.score import Score


def ranking(local: Sequence[Score]) -> list[int]:
    """Return the candidates from the locally best to the worst; of equal ones, the first declared first."""
    return sorted(range(len(local)), key=lambda index: -(local[index].value or 0.0))


def shortlist(tools: Sequence[Tool], local: Sequence[Score], most: int) -> list[int]:
    """Return which candidates are asked about, in declared order: `most` of them, and all that are pinned.

    Pinned ones count among the `most`; `local[i]` belongs to `tools[i]`.
    """
    if len(tools) <= most:
        return list(range(len(tools)))
    pinned = [index for index, tool in enumerate(tools) if tool.pinned]
    others = [index for index in ranking(local) if not tools[index].pinned]
    return sorted([*pinned, *others[: max(most - len(pinned), 0)]])

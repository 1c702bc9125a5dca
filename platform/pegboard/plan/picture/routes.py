"""Which lines lead from one layer to the next, and where they come in: above each box from left to right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pegboard.plan.picture.boxes import Box
from pegboard.plan.picture.channel import Net, Tangled, rows_of
from pegboard.plan.picture.layers import Layers, Spot
from pegboard.plan.picture.spread import spread

_Targets: TypeAlias = tuple[Spot, ...]
_ASIDE = (0, 1, -1, 2, -2)
"""How far from where they would best come in lines may do so, where they could not be told apart otherwise."""
_PORT_GAP = 2
_MARGIN = 2
"""How far from a box's corner a line comes in."""


@dataclass(frozen=True, slots=True)
class Routes:
    """The lines between two layers."""

    nets: Sequence[Net]
    rows: Mapping[Net, int]
    ends: Mapping[int, bool]
    """The columns where lines come in below, each with whether it is at a box."""


def routed(found: Layers, layer: int, boxes: Mapping[str, Box]) -> Routes:
    """Return the lines that lead to the spots of `layer` from those above.

    Raises:
        Tangled: they cannot be told apart.
    """
    sources: dict[_Targets, list[int]] = {}
    for spot in found.layers[layer - 1]:
        if targets := found.below.get(spot):
            sources.setdefault(tuple(sorted(targets)), []).append(found.middles[spot])
    for aside in _ASIDE:
        ports, ends = _ends(found, layer, sources, boxes, aside)
        nets = [Net(frozenset(sources[targets]), frozenset(columns)) for targets, columns in ports.items()]
        try:
            return Routes(nets, rows_of(nets), ends)
        except Tangled:
            continue
    raise Tangled


def _ends(
    found: Layers, layer: int, sources: Mapping[_Targets, Sequence[int]], boxes: Mapping[str, Box], aside: int
) -> tuple[dict[_Targets, list[int]], dict[int, bool]]:
    """Return by line the columns where it comes in, and of all of them whether there is a box."""
    ports: dict[_Targets, list[int]] = {targets: [] for targets in sources}
    ends: dict[int, bool] = {}
    for spot in found.layers[layer]:
        half = boxes[spot[0]].width // 2 - _MARGIN if found.is_box(spot) else 0
        leading = sorted((targets for targets in sources if spot in targets), key=lambda each: _mean(sources[each]))
        middle = found.middles[spot]
        wishes = [_wish(sources[targets], targets, middle) + (aside if half else 0) for targets in leading]
        for targets, column in zip(leading, _ports(middle, half, wishes), strict=True):
            ports[targets].append(column)
            ends[column] = found.is_box(spot)
    return ports, ends


def _ports(middle: int, half: int, wishes: Sequence[float]) -> list[int]:
    """Return where so many lines come in, at most `half` from the middle, each near to its wish.

    Raises:
        Tangled: it is too narrow for them.
    """
    if _PORT_GAP * (len(wishes) - 1) > 2 * half:
        raise Tangled
    left, right = middle - half, middle + half
    gaps = [_PORT_GAP] * (len(wishes) - 1)
    columns = spread([min(max(wish, left), right) for wish in wishes], gaps) if wishes else []
    columns = [max(column, left + _PORT_GAP * place) for place, column in enumerate(columns)]
    return [min(column, right - _PORT_GAP * place) for place, column in enumerate(reversed(columns))][::-1]


def _wish(sources: Sequence[int], targets: _Targets, middle: int) -> float:
    """Return where a line best comes in: straight below its source, or in the middle where it has several ends."""
    return sources[0] if len(sources) == len(targets) == 1 else middle


def _mean(columns: Sequence[int]) -> float:
    return sum(columns) / len(columns)

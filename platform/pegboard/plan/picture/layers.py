"""Where boxes stand: each below all that it waits for, beside the others of its layer, lines as straight as can be.

The usual way of layered drawings (Sugiyama, Tagawa, Toda 1981): a line over several layers has a place in each of them,
layers are ordered by where their neighbours stand, and places are those that are nearest to the neighbours' middle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from pegboard.plan.picture.boxes import Box
from pegboard.plan.picture.spread import spread

Spot: TypeAlias = tuple[str, int]
"""A box in a layer; in a layer that is not the box's own, the line that leads down from it."""

_SWEEPS = 4
_BOX_GAP = 3
_LINE_GAP = 1


@dataclass(slots=True)
class Layers:
    """The layers from the top, each from left to right."""

    levels: Mapping[str, int]
    """By box, its layer."""
    layers: list[list[Spot]]
    below: dict[Spot, list[Spot]]
    """What a spot leads to in the next layer."""
    above: dict[Spot, list[Spot]] = field(default_factory=dict)
    middles: dict[Spot, int] = field(default_factory=dict)
    """The column of each spot's middle; the leftmost box begins at 0."""

    def is_box(self, spot: Spot) -> bool:
        """Tell whether a box stands there, and not a line."""
        return self.levels[spot[0]] == spot[1]


def levels_of(boxes: Sequence[Box]) -> dict[str, int]:
    """Return how many boxes stand above each on the longest way; what waits in a circle is left out."""
    levels: dict[str, int] = {}
    left = list(boxes)
    while left:
        ready = [box for box in left if all(need in levels for need in box.needs)]
        if not ready:
            return levels
        levels |= {box.name: 1 + max((levels[need] for need in box.needs), default=-1) for box in ready}
        left = [box for box in left if box.name not in levels]
    return levels


def layers_of(boxes: Sequence[Box]) -> Layers:
    """Return `boxes`, none of which waits in a circle, in their places."""
    levels = levels_of(boxes)
    found = Layers(levels, [[] for _ in range(max(levels.values()) + 1)], {})
    followers: dict[str, list[str]] = {box.name: [] for box in boxes}
    for box in boxes:
        for need in box.needs:
            followers[need].append(box.name)
    for box in boxes:
        level, after = levels[box.name], followers[box.name]
        last = max((levels[name] for name in after), default=level)
        for at in range(level, max(last, level + 1)):
            found.layers[at].append((box.name, at))
            further = [(box.name, at + 1)] if at + 1 < last else []
            found.below[box.name, at] = [*((name, at + 1) for name in after if levels[name] == at + 1), *further]
    for spot, targets in found.below.items():
        for target in targets:
            found.above.setdefault(target, []).append(spot)
    _order(found)
    _place(found, {box.name: box.width for box in boxes})
    return found


def _order(found: Layers) -> None:
    """Put spots in the order of the middle of their neighbours: downwards, upwards, and again."""
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        near = found.above if downwards else found.below
        places: dict[Spot, float] = {}
        for layer in found.layers if downwards else reversed(found.layers):
            own = {spot: _mean([places[each] for each in near.get(spot, ())], at) for at, spot in enumerate(layer)}
            layer.sort(key=own.__getitem__)
            places |= {spot: float(at) for at, spot in enumerate(layer)}


def _place(found: Layers, widths: Mapping[str, int]) -> None:
    """Give each spot its column: as near to the middle of its neighbours as the others of its layer allow."""
    halves = {spot: widths[spot[0]] // 2 if found.is_box(spot) else 0 for layer in found.layers for spot in layer}
    for layer in found.layers:
        found.middles |= _spread(found, layer, [0.0] * len(layer), halves)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 1
        near = found.above if downwards else found.below
        for layer in found.layers if downwards else reversed(found.layers):
            wanted = [
                _mean([found.middles[each] for each in near.get(spot, ())], found.middles[spot]) for spot in layer
            ]
            found.middles |= _spread(found, layer, wanted, halves)
    left = min(middle - halves[spot] for spot, middle in found.middles.items())
    found.middles = {spot: middle - left for spot, middle in found.middles.items()}


def _spread(
    found: Layers, layer: Sequence[Spot], wanted: Sequence[float], halves: Mapping[Spot, int]
) -> dict[Spot, int]:
    """Return columns in the order of `layer`, far enough apart, nearest to `wanted`."""
    distances = [
        halves[one] + 1 + (_BOX_GAP if found.is_box(one) and found.is_box(other) else _LINE_GAP) + halves[other]
        for one, other in pairwise(layer)
    ]
    return dict(zip(layer, spread(wanted, distances), strict=True))


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise

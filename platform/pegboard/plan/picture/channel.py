"""The lines between two layers: each in a row of its own where they would touch, so that none is taken for another.

Sources that lead to the same targets share a line; no others do, nor do they come in at the same column of a target.
Lines that cross do not meet: the upright one goes over the other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
_LINES = {
    UP: "│", DOWN: "│", UP | DOWN: "│", LEFT: "─", RIGHT: "─", LEFT | RIGHT: "─",
    UP | RIGHT: "└", UP | LEFT: "┘", DOWN | RIGHT: "┌", DOWN | LEFT: "┐",
    UP | DOWN | RIGHT: "├", UP | DOWN | LEFT: "┤", LEFT | RIGHT | UP: "┴", LEFT | RIGHT | DOWN: "┬",
    UP | DOWN | LEFT | RIGHT: "┼",
}  # fmt: skip


class Tangled(Exception):
    """Two lines cannot be told apart, in whatever rows they are."""


@dataclass(frozen=True, slots=True)
class Net:
    """One line, from the columns of its sources to those of its targets."""

    sources: frozenset[int]
    targets: frozenset[int]

    @property
    def is_straight(self) -> bool:
        """It only goes down."""
        return self.sources == self.targets and len(self.sources) == 1

    @property
    def span(self) -> tuple[int, int]:
        """Its leftmost and its rightmost column."""
        columns = self.sources | self.targets
        return min(columns), max(columns)


def rows_of(nets: Sequence[Net]) -> dict[Net, int]:
    """Return the row of each line that does not only go down, from 0 at the top.

    Raises:
        Tangled: there are none in which all can be told apart.
    """
    bent = [net for net in nets if not net.is_straight]
    before = {net: {other for other in bent if other is not net and other.sources & net.targets} for net in bent}
    rows: dict[Net, int] = {}
    while len(rows) < len(bent):
        ready = [net for net in bent if net not in rows and before[net] <= rows.keys()]
        if not ready:
            raise Tangled
        for net in sorted(ready, key=lambda each: each.span):
            row = 1 + max((rows[other] for other in before[net]), default=-1)
            while any(at == row and _touch(net, other) for other, at in rows.items()):
                row += 1
            rows[net] = row
    return rows


def _touch(one: Net, other: Net) -> bool:
    (left, right), (other_left, other_right) = one.span, other.span
    return left <= other_right + 1 and other_left <= right + 1


def drawn(nets: Sequence[Net], rows: Mapping[Net, int], height: int) -> Iterator[tuple[int, int, str]]:
    """Yield column, row and character of all lines in a channel of so many rows."""
    across: dict[tuple[int, int], int] = {}
    upright: set[tuple[int, int]] = set()
    for net in nets:
        row = rows.get(net, 0)
        if net.is_straight:
            upright |= {(column, at) for column in net.sources for at in range(height)}
            continue
        left, right = net.span
        for column in range(left, right + 1):
            ways = (LEFT if column > left else 0) | (RIGHT if column < right else 0)
            ways |= (UP if column in net.sources else 0) | (DOWN if column in net.targets else 0)
            across[column, row] = ways
        upright |= {(column, at) for column in net.sources for at in range(row)}
        upright |= {(column, at) for column in net.targets for at in range(row + 1, height)}
    for place in across.keys() | upright:
        yield (*place, _LINES[UP | DOWN if place in upright else across[place]])

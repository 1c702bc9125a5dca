"""Reads a picture as a person does: follows each line from the box that it leaves to the boxes that it comes in at."""

import re

WAYS = {
    "│": "ud", "─": "lr", "└": "ur", "┘": "ul", "┌": "dr", "┐": "dl",
    "├": "udr", "┤": "udl", "┴": "lru", "┬": "lrd", "┼": "udlr", "▼": "u",
}  # fmt: skip
STEPS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
BACK = {"u": "d", "d": "u", "l": "r", "r": "l"}


class Traced:
    """A picture whose boxes hold one line each, the name of the box first."""

    def __init__(self, lines: list[str]) -> None:
        self._cells = {(x, y): sign for y, line in enumerate(lines) for x, sign in enumerate(line)}
        self._names: dict[tuple[int, int], str] = {}
        self._tops: dict[tuple[int, int], str] = {}
        for (x, y), sign in self._cells.items():
            if sign == "┌" and (name := self._name(x, y)):
                right = x + 1
                while self._cells[right, y] != "┐":
                    right += 1
                self._tops |= {(at, y): name for at in range(x, right + 1)}
                self._names |= {(at, y + 2): name for at in range(x, right + 1)}

    def _name(self, x: int, y: int) -> str:
        below = "".join(self._cells.get((x + at, y + 1), " ") for at in range(12))
        found = re.match(r"│ (n\d+) ", below)
        return found[1] if found else ""

    @property
    def boxes(self) -> set[str]:
        return set(self._tops.values())

    def arrows(self) -> set[tuple[str, str]]:
        """Return from which box to which lines lead."""
        found: set[tuple[str, str]] = set()
        for (x, y), name in self._names.items():
            if self._cells.get((x, y)) == "┬":
                found |= {(name, end) for end in self._ends(x, y + 1)}
        return found

    def _ends(self, x: int, y: int) -> set[str]:
        ends: set[str] = set()
        seen: set[tuple[int, int, str]] = set()
        left = [(x, y, "d")]
        while left:
            x, y, way = left.pop()
            if (x, y, way) in seen or (x, y) in self._names:
                continue
            seen.add((x, y, way))
            sign = self._cells[x, y]
            if sign == "▼":
                ends.add(self._tops[x, y + 1])
                continue
            ways = WAYS[sign]
            if BACK[way] not in ways:  # a line that goes over this one
                assert sign == "│", (sign, way)
                ways = way
            for on in ways:
                if on not in ("u", BACK[way]):  # all lines lead down
                    step = STEPS[on]
                    left.append((x + step[0], y + step[1], on))
        return ends

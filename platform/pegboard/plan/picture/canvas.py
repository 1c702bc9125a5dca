"""`Canvas`: characters at places, each with the state that it is painted by."""

from collections.abc import Callable
from typing import TypeAlias

from pegboard.plan.picture.look import width

Paint: TypeAlias = Callable[[str, str], str]
"""Returns a text as a state is shown; without one, the text itself."""


def unpainted(text: str, state: str) -> str:
    """Return `text` as it is."""
    return text


class Canvas:
    """Rows of cells; a wide character takes two, and one without a width goes with that before it."""

    def __init__(self) -> None:
        self._rows: list[dict[int, tuple[str, str]]] = []

    def put(self, x: int, y: int, text: str, state: str = "") -> None:
        """Write `text` from column `x` of row `y` on."""
        while len(self._rows) <= y:
            self._rows.append({})
        row, last = self._rows[y], x
        for sign in text:
            if not (taken := width(sign)) and last in row:
                row[last] = (row[last][0] + sign, state)
                continue
            last = x
            row[x] = (sign, state)
            if taken > 1:
                row[x + 1] = ("", state)
            x += max(taken, 1)

    def lines(self, paint: Paint = unpainted) -> list[str]:
        """Return the rows as text, nothing behind the last character."""
        return [_painted(row, paint) for row in self._rows]


def _painted(row: dict[int, tuple[str, str]], paint: Paint) -> str:
    said, text, state = "", "", ""
    for x in range(max(row, default=-1) + 1):
        sign, own = row.get(x, (" ", ""))
        if own != state:
            said, text, state = said + _in(state, text, paint), "", own
        text += sign
    return (said + _in(state, text, paint)).rstrip()


def _in(state: str, text: str, paint: Paint) -> str:
    return paint(text, state) if text and state else text

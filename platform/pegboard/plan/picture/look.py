"""How a picture looks: its signs, how much of a text is shown, and what of it would harm a terminal."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

_SIGNS: Mapping[str, tuple[str, str]] = {
    "waiting": ("○", "."),
    "judging": ("○", "."),
    "held": ("?", "?"),
    "running": ("●", ">"),
    "succeeded": ("✓", "+"),
    "failed": ("✗", "x"),
    "skipped": ("–", "-"),
    "lost": ("≠", "/"),
    "cancelled": ("×", "!"),
}
"""By state, in Unicode and in ASCII."""
_LINES = {"│": "|", "─": "-", "▼": "v"}
"""What is no corner; those are all `+`."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of characters that drive a terminal, turn the direction of its text, or break its lines."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a node of a run stands."""

    state: str
    seconds: float | None = None
    """How long it took, or has taken so far; None: it is not known."""
    reason: str = ""
    """Why it did not succeed, or why it is held."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a picture looks."""

    columns: int = 100
    """How wide it may be."""
    rows: int | None = None
    """How high; what is higher is listed. None: it does not matter."""
    encoding: str = "utf-8"
    """What the characters must fit into."""
    is_ascii: bool = False
    """Only ASCII signs, whatever the encoding holds."""

    @property
    def has_lines(self) -> bool:
        """It has box-drawing characters."""
        return not self.is_ascii and _fits("┌┼▼○●✓✗≠", self.encoding)

    def sign(self, state: str) -> str:
        """Return the sign of a node's state."""
        return _SIGNS.get(state, ("?", "?"))[0 if self.has_lines else 1]

    def line(self, character: str) -> str:
        """Return a box-drawing character, or what stands for it."""
        return character if self.has_lines else _LINES.get(character, "+")

    def shown(self, text: str, columns: int) -> str:
        """Return `text` in one line that takes at most `columns`, without what would drive a terminal."""
        harmless = "".join(" " if unicodedata.category(sign) in _UNSEEN else sign for sign in text[: 4 * columns])
        if self.encoding != "utf-8":
            harmless = "".join(sign if _fits(sign, self.encoding) else "?" for sign in harmless)
        return self.cut(" ".join(harmless.split()), columns, is_whole=len(text) <= 4 * columns)

    def cut(self, line: str, columns: int, *, is_whole: bool = True) -> str:
        """Return a harmless line so that it takes at most `columns`, with a sign where there is more of it."""
        if is_whole and width(line) <= columns:
            return line
        return cut(line, columns - 1) + ("…" if self.has_lines else "~")


def width(text: str) -> int:
    """Return how many columns `text` takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, columns: int) -> str:
    """Return the beginning of `text` that takes at most `columns`."""
    taken = 0
    for place, sign in enumerate(text):
        taken += _columns(sign)
        if taken > columns:
            return text[:place]
    return text


def _columns(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True

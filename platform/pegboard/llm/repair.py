"""The last resort for broken JSON: the library json-repair, within limits.

On hostile text json-repair takes more than the square of its length (16 KB took 27 s), so it is asked only about
what is short, shallow and poor in marks, and of one reply only about so much.
"""

import re

from pegboard.text import Json

MAX_CHARACTERS = 4096
"""What is longer is not repaired."""
MAX_NESTING = 16
"""What seems to be nested deeper is not repaired."""
MAX_DIGITS = 64
"""What holds a longer run of digits is not repaired."""
MAX_COST = 1 << 19
"""Characters times quotes, brackets and commas, as each of these may make json-repair read all again. What costs more
is not repaired, nor is more than this in one reply."""

_MARKS = re.compile(r"""["'“”‘’`{}\[\](),:\\]""")
_LONG_NUMBER = re.compile(rf"\d{{{MAX_DIGITS + 1}}}")


_RAISED = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What json-repair raises where it has not thought of a text; RecursionError is a RuntimeError."""


class Repairs:
    """The repairs of one reply."""

    def __init__(self) -> None:
        self._left = MAX_COST

    def repaired(self, text: str) -> dict[str, Json] | list[Json] | None:
        """Return the object or array that `text`, which begins with its bracket, was probably meant to be.

        None: there is no telling, or the text is beyond the limits.
        """
        from json_repair import repair_json  # noqa: PLC0415 - seldom needed

        cost = len(text) * len(_MARKS.findall(text[:MAX_CHARACTERS]))
        if cost > self._left or not _is_repairable(text):
            return None
        self._left -= cost
        try:
            value = repair_json(_without_half_escape(text), return_objects=True, skip_json_loads=True)
        except _RAISED:
            return None
        return value if isinstance(value, dict | list) else None


def depth_of_brackets(text: str) -> tuple[int, int]:
    """Count how deep `text` can nest at most, and how many brackets stay open; those inside of strings count too."""
    depth = deepest = 0
    for character in text:
        if character in "{[(":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "}])":
            depth -= 1
    return deepest, depth


def _is_repairable(text: str) -> bool:
    is_short = len(text) <= MAX_CHARACTERS and _LONG_NUMBER.search(text) is None
    return is_short and depth_of_brackets(text)[0] <= MAX_NESTING


def _without_half_escape(text: str) -> str:
    """Drop the backslash that a cut left at the end."""
    return text[:-1] if (len(text) - len(text.rstrip("\\"))) % 2 else text

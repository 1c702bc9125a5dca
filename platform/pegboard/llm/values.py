"""Where in a text JSON values stand, and which defence each needed.

Not here: which of them is meant by a schema, and what is too large or too deep (`llm/reply.py`).
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, cast

from pegboard.llm.lenient import read_lenient
from pegboard.llm.marks import bare
from pegboard.llm.repair import Repairs, depth_of_brackets
from pegboard.llm.scalars import GOES_ON
from pegboard.text import Json

Defence: TypeAlias = Literal["none", "cleaned", "lenient", "repaired"]
"""What a reply needed before it could be read: nothing; to be found among other text; looser rules than JSON's, or
to be completed; a guess."""

MAX_BROKEN_CHARACTERS = 1 << 17
"""Of a longer text only strict JSON is read."""
MAX_VALUES = 64
"""How many values in one text are looked at."""

_FENCE = re.compile(r"```[ \t]*(?:[\w+-]*[ \t]*\r?\n\s*|(?:json\w*|javascript|js|python|py)?\s*)\Z", re.IGNORECASE)
_FENCE_CHARACTERS = 40
_ESCAPED = re.compile(r"[{\[\s]+\\[\"n]")
_BETWEEN = re.compile(r"[\s,，;]*")
_ASIDE = re.compile(r"""\[[^\[\]{}"'\n]{0,200}\]""")
"""Words in brackets, as prose has them."""


@dataclass(frozen=True, slots=True)
class Found:
    """A value, and where in the text it stands."""

    value: Json
    defence: Defence
    start: int
    end: int
    is_fenced: bool = False
    is_cut_off: bool = False


def found_in(text: str) -> list[Found]:
    """Return the values that `text` holds, the likeliest first: what is fenced, then the longest, then the last.

    Raises:
        TooDeep: one is nested too deep.
    """
    if (whole := _strict(text)) is not None:
        return [Found(whole[0], "none", 0, len(text))]
    kept = bare(text)
    if (whole := _strict(kept)) is not None:
        return [Found(whole[0], "cleaned", 0, len(kept))]
    values = _Search(kept).values()
    return [*_without_brackets(kept, values), *sorted(values, key=_likelihood, reverse=True)]


def _refuse(constant: str) -> Json:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
"""Made once: `json.loads` makes one for each text."""


def _strict(text: str) -> tuple[Json] | None:
    """Parse JSON; in a tuple, so that null is not taken for nothing."""
    try:
        return (cast(Json, _DECODER.decode(text)),)
    except (ValueError, RecursionError):
        return None


class _Search:
    """The search for objects and arrays in one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._repairs = Repairs()

    def values(self) -> list[Found]:
        """Return what is found, in its order.

        Where a value can be read no further the search ends: a piece from its inside would be a wrong answer that
        looks right.
        """
        found = list[Found]()
        position = 0
        while len(found) < MAX_VALUES and (start := _next_bracket(self._text, position)) >= 0:
            value = self._value_at(start)
            aside = _ASIDE.match(self._text, start)
            if value is not None:
                found.append(value)
            elif aside is None:
                break
            position = value.end if value else aside.end() if aside else len(self._text)
        return found

    def _value_at(self, start: int) -> Found | None:
        is_fenced = _FENCE.search(self._text, max(0, start - _FENCE_CHARACTERS), start) is not None
        try:
            value, end = _DECODER.raw_decode(self._text, start)
        except (ValueError, RecursionError):
            return self._broken_value_at(start, is_fenced=is_fenced)
        if isinstance(value, dict) and GOES_ON.match(self._text, end - 1):
            return self._broken_value_at(start, is_fenced=is_fenced)
        return Found(cast(Json, value), "cleaned", start, end, is_fenced)

    def _broken_value_at(self, start: int, *, is_fenced: bool) -> Found | None:
        if len(self._text) > MAX_BROKEN_CHARACTERS:
            return None
        fence = self._text.find("```", start) if is_fenced else -1
        end = fence if fence >= 0 else len(self._text)
        if (inner := _unescaped(self._text[start:end])) is not None:
            return Found(inner[0], "lenient", start, end, is_fenced)
        read = read_lenient(self._text, start, end)
        guess = Found(read.value, "repaired", start, read.end, is_fenced, read.is_cut_off) if read else None
        if read and guess and not read.is_guess:
            return replace(guess, defence="lenient")
        if _ASIDE.match(self._text, start):
            return guess
        part = self._text[start : end if read is None or read.is_cut_off else read.end]
        if (value := self._repairs.repaired(part)) is None:
            return guess
        is_cut_off = depth_of_brackets(part)[1] > 0
        return Found(cast(Json, value), "repaired", start, start + len(part), is_fenced, is_cut_off)


def _unescaped(text: str) -> tuple[Json] | None:
    """Parse JSON that was escaped as if it stood in a string, and lost the quotes around it."""
    if not _ESCAPED.match(text):
        return None
    try:
        return _strict(json.loads(f'"{text.rstrip()}"', strict=False))
    except (ValueError, RecursionError):
        return None


def _likelihood(found: Found) -> tuple[bool, bool, int, int]:
    """Tell how likely a value is meant; words in brackets, guessed to be an array, are often just prose."""
    is_prose = found.defence == "repaired" and isinstance(found.value, list)
    return (found.is_fenced, not is_prose, found.end - found.start, found.start)


def _without_brackets(text: str, values: Sequence[Found]) -> list[Found]:
    """Put values with nothing between them into the array that they were meant to be; the same one twice is one."""
    ends = [0, *(one.end for one in values)]
    starts = [*(one.start for one in values), len(text)]
    gaps = (_BETWEEN.fullmatch(text, end, start) for end, start in zip(ends, starts, strict=True))
    if len(values) < 2 or not all(gaps) or all(one.value == values[0].value for one in values):
        return []
    worst = max((one.defence for one in values), key=("cleaned", "lenient", "repaired").index)
    return [Found([one.value for one in values], worst, 0, len(text), is_cut_off=values[-1].is_cut_off)]


def _next_bracket(text: str, position: int) -> int:
    found = [at for bracket in "{[" if (at := text.find(bracket, position)) >= 0]
    return min(found, default=-1)

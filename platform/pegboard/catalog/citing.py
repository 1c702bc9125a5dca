"""Citations, `[n]`: how they are written, and how their numbers change when several texts become one. Pure."""

import re
from collections.abc import Mapping

MARK = re.compile(r"[ \t]?[\[【](\d{1,3}(?:\s*[,，、]\s*\d{1,3})*)[\]】]")
"""A citation, with the blank before it: `[1]`, `[1, 2]`, `【1】`."""


def numbers_of(mark: re.Match[str]) -> list[int]:
    """Return the numbers that a mark names."""
    return [int(number) for number in re.findall(r"\d+", mark[1])]


def renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """Return `text` with the marks of its own evidence under new numbers, `numbers` by the old ones.

    What only looks like a citation stands in round brackets then: under the new numbers it could be taken for one.
    """

    def kept(mark: re.Match[str]) -> str:
        space = mark[0][0] if mark[0][0] in " \t" else ""
        known = [numbers[number] for number in numbers_of(mark) if number in numbers]
        return space + ("".join(f"[{number}]" for number in known) or f"({mark[1]})")

    return MARK.sub(kept, text)

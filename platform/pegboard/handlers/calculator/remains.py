"""What a question holds besides the sum that was read in it, and whether that may be left aside.

A sum is right only where the whole question was read: a number, an operator or a word of arithmetic that is left
over (`sin(30) * 2`, `1_000 + 1`) would make the result a wrong one that looks right.
"""

import re


class Unread(ValueError):
    """There is a sum in the question, and more that was not read."""


_ARITHMETIC = re.compile(
    r"\b(?:a?(?:sin|cos|tan)h?|cot|log\w*|ln|exp|abs\w*|max\w*|minimum|factorial|roots?|cubic|cube[sd]?|squared?|squares"
    r"|power|average|mean|median|(?:sum|product|quotient|difference|ratio)s?\s+of|remainder|modul\w+|hal(?:f|ves)"
    r"|thirds?|quarters?|dozens?|doubled?|tripled?|twice|thrice|hundreds?|thousands?|[mb]illions?|percent\w*|off|times"
    r"|plus|minus|less|divided|multipl\w+|subtract\w*|negative|pi|per|bin|hex|octal)\b"
    "|[零〇一二两三四五六七八九十百千万亿半倍每乘减]|平方|立方|次方|根号|对数|阶乘|绝对值|平均|余数|取余|[正余]弦|最[大小]"
    "|分之|打折|除以|加上",
    re.IGNORECASE,
)
_SYMBOLS = "_*+/^%<>~&|\\√∛∜∑∏π∞±#@×·÷∗−‑–—-⁄$¥€£"
_SYMBOLS_BEHIND = _SYMBOLS.replace("#", "").replace("@", "") + "!°'’′″"
_BRACKETED = re.compile(r"\s\(\s*[^\W\d]|\s*（")
_LETTER = re.compile("[A-Za-z_]")


def may_be_left(before: str, behind: str) -> bool:
    """Tell whether what stands around a sum has no part in it."""
    rest = f"{before} {behind}"
    if any(character.isdigit() or character.isdecimal() for character in rest) or _ARITHMETIC.search(rest):
        return False
    return _ends_plainly(before) and _begins_plainly(behind)


def _ends_plainly(before: str) -> bool:
    last = before.rstrip()[-1:]
    return not (_LETTER.fullmatch(before[-1:]) or (last and last in _SYMBOLS) or last in {"(", "[", "{"} or last == "!")


def _begins_plainly(behind: str) -> bool:
    first = behind.lstrip()[:1]
    if first in {"(", "["}:
        return _BRACKETED.match(behind) is not None
    return not (_LETTER.fullmatch(behind[:1]) or (first and first in _SYMBOLS_BEHIND))

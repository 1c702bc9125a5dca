"""The smallest parts of JSON as people write it: how strings begin and end, escapes, numbers, constants.

Pure functions on a text, a place in it and an end before which they stay.

Not here: what is built of them (`llm/lenient.py`).
"""

import json
import re
import sys
from typing import Literal, TypeAlias

from pegboard.llm.marks import SPECIAL
from pegboard.text import Json

Place: TypeAlias = Literal["key", "field", "item", "member"]
"""What a string is: a key, the value of one, an item of an array, or a member of a tuple."""


QUOTES = {
    '"': '"',
    "'": "'",
    "`": "`´",
    "´": "´`",
    "“": '”“"',
    "”": '”"',
    "„": '”“"',
    "‘": "’‘'",
    "’": "’'",
}
"""What closes a string, by what opens it."""
BRACKETS = {"{": "}", "[": "]", "(": ")"}
COMMAS = ",，"
COLONS = ":："
_OPENING = "".join(map(re.escape, QUOTES))
PLAIN = {opening: re.compile(rf"[^\\{re.escape(closing)}]+") for opening, closing in QUOTES.items()}
_COMMENT = r"//[^\n]*|/\*.*?(?:\*/|\Z)|\#(?:[ \t\#!][^\n]*)?(?=\n|\Z)"
SKIPPED = re.compile(rf"(?:[\s\u200b-\u200f\u2060\ufeff]+|{_COMMENT}|\.\.\.+|…+|[-+]\Z|{SPECIAL.pattern})+", re.DOTALL)
"""What stands between the parts and means nothing: space, comments, what is left out, a sign without its number."""
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_ESCAPE = re.compile(
    r"\\(?:(?:u[0-9a-fA-F]{4})(?:\\u[0-9a-fA-F]{4})*|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|\r\n|.)", re.DOTALL
)
_HALF_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]?|U[0-9a-fA-F]{0,7})?\Z")
HALF_CHARACTER = re.compile(r"[\ud800-\udbff]\Z")
"""What the cut through a pair of surrogates leaves."""
_ENDS = r"\s*(?:[,，}\])\n{\[\"'“]|//|/\*|\#|\Z|" + SPECIAL.pattern + ")"
"""What ends a value without quotes."""
_NUMBER = re.compile(
    rf"([-+]?)(0[xX][0-9a-fA-F]+|(?:\d[\d_]*)?\.?\d*)((?:[eE][-+]?\d*)?)(?={_ENDS})",
)
_WORD = re.compile(rf"[-+]?[A-Za-z]+(?={_ENDS})")
BARE_KEY = re.compile(r"[\w$][\w$.-]*(?=\s*[:：])")
_BARE = re.compile(r"[^\s,，{}\[\]()\"“”:：][^,，{}\[\]\"“”\n]*")
_CONSTANTS: dict[str, Json] = {
    "true": True,
    "false": False,
    **dict.fromkeys(("null", "none", "undefined", "nan", "infinity", "-infinity", "+infinity", "inf", "-inf")),
}
_LITERALS = ("true", "false", "null", "True", "False", "None")
_LITERAL_CHARACTERS = 6
"""One more than the longest has."""
_QUOTED_KEY = rf"[{_OPENING}][^{_OPENING}’\n]{{0,80}}[{_OPENING}’]\s*[:：]"
_NEXT_KEY = rf"(?:{_QUOTED_KEY}|[\w$][\w$.-]{{0,80}}\s*[:：])"
_REMARK = r"//|/\*|\#"
_ITEM = rf"""[}}\])({{\[\d,-]|[{_OPENING}]|{_REMARK}|\.\.\.|\Z|(?:true|false|null|none)\b"""
_LAST = rf"\Z|{_REMARK}|{SPECIAL.pattern}"
_AFTER: dict[Place, re.Pattern[str]] = {
    "key": re.compile(rf"\s*(?:[:：]|\Z|[-\d{{\[]|(?:true|false|null|none)\b)|\s+[{_OPENING}]", re.IGNORECASE),
    "field": re.compile(
        rf"\s*(?:[}}\]]|{_LAST}|{_QUOTED_KEY}|[{COMMAS}]\s*(?:[}}\],]|{_REMARK}|\.\.\.|\Z|{_NEXT_KEY}))"
    ),
    "item": re.compile(rf"\s*(?:[}}\]]|{_LAST}|[{COMMAS}]\s*(?:{_ITEM}))|\s+[{_OPENING}{{\[\d]", re.IGNORECASE),
    "member": re.compile(rf"\s*(?:\)|{_LAST}|[{COMMAS}]\s*(?:{_ITEM}))", re.IGNORECASE),
}
"""What stands behind the quote that ends a string; another quote is part of it."""
GOES_ON = re.compile(rf"\}}\s*[{COMMAS}]\s*{_QUOTED_KEY}")
"""A brace that closes an object too early: another key follows."""


def ends_string(text: str, at: int, end: int, place: Place) -> bool:
    """Say whether the closing quote at `at` ends a string in `place`, by what follows; if not, it is part of it."""
    return _AFTER[place].match(text, at + 1, end) is not None


def escape_at(text: str, at: int, end: int) -> tuple[str, int]:
    """Return what the backslash at `at` and what follows it stand for, and where that ends.

    The text's end may cut an escape off: then it stands for nothing. One that does not exist stays as it is, as in
    a Windows path; a line that a backslash breaks goes on.
    """
    if _HALF_ESCAPE.match(text, at, end):
        return "", end
    found = _ESCAPE.match(text, at, end)
    assert found, "a backslash with a character behind it"
    return _unescaped(found[0]), found.end()


def _unescaped(escape: str) -> str:
    escaped = escape[1:]
    if escaped[0] == "u" and len(escaped) > 1:
        return str(json.loads(f'"{escape}"'))
    if escaped[0] in "xU" and len(escaped) > 1:
        code = int(escaped[1:], 16)
        return chr(code) if code <= sys.maxunicode else escape
    if escaped in _ESCAPES:
        return _ESCAPES[escaped]
    return escape if escaped.isalnum() else escaped


def scalar_at(text: str, at: int, end: int) -> tuple[Json, int] | None:
    """Return the number or constant at `at`, and where it ends; None when there is none.

    Of a constant the text's end may have cut off all but the first letters, of a number the last digits.
    """
    if (number := _NUMBER.match(text, at, end)) and any(map(str.isdigit, number[2])):
        return _number(number), number.end()
    if (word := _WORD.match(text, at, end)) and word[0].lower() in _CONSTANTS:
        return _CONSTANTS[word[0].lower()], word.end()
    rest = text[at : min(end, at + _LITERAL_CHARACTERS)]
    whole = next((literal for literal in _LITERALS if literal.startswith(rest)), None)
    return (_CONSTANTS[whole.lower()], end) if whole and at + len(rest) == end else None


def words_at(text: str, at: int, end: int) -> tuple[str, int] | None:
    """Return the words without quotes at `at`, up to a comma, a bracket or the line's end, and where they end."""
    words = _BARE.match(text, at, end)
    return (words[0].rstrip(), words.end()) if words else None


def _number(found: re.Match[str]) -> Json:
    """Make a number of what was found; with zeros before it, as a postal code has, or too long, it stays text."""
    sign, digits, exponent = found[1], found[2].replace("_", ""), found[3].rstrip("eE+-")
    try:
        if digits[:2] in {"0x", "0X"}:
            return int(sign + digits, 16)
        if "." in digits or exponent:
            return float(sign + digits + exponent)
        return found[0] if len(digits) > 1 and digits[0] == "0" else int(sign + digits)
    except ValueError:
        return found[0]

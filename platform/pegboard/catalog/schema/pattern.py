r"""Patterns of JSON Schema, which are ECMA-262's, as google-re2 takes them: `translated`.

The two spell some things differently (`\u00e9`, `\cA`, `\p{Letter}`) and mean other characters by `\s`. Look-around
and back-references exist only in the one; they are left as they are, for RE2 to refuse.
"""

import re

_TOKEN = re.compile(
    r"\\u\{(?P<code>[0-9A-Fa-f]{1,6})\}|\\u(?P<high>[Dd][89ABab]..)\\u(?P<low>[Dd][C-Fc-f]..)|\\u(?P<unit>[0-9A-Fa-f]{4})"
    r"|\\c(?P<control>[A-Za-z])|\\(?P<kind>[pP])\{(?P<name>\w+(?:=\w+)?)\}|\\(?P<space>[sS])|\\.|(?P<bracket>[\[\]])",
    re.DOTALL,
)
_SPACES = r"\t-\r \x{a0}\x{feff}\p{Z}"
"""What `\\s` means in ECMA-262."""
_CATEGORIES = {
    "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc",
    "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl",
    "Other_Number": "No", "Punctuation": "P", "punct": "P", "Symbol": "S", "Math_Symbol": "Sm",
    "Currency_Symbol": "Sc", "Separator": "Z", "Space_Separator": "Zs", "Other": "C", "Control": "Cc",
}  # fmt: skip
"""Long names of Unicode's general categories, by which RE2 does not know them."""


def translated(pattern: str) -> str:
    """Return `pattern`, written as ECMA-262 has it, as RE2 reads it."""
    if "\\" not in pattern:
        return pattern
    pieces: list[str] = []
    at, is_inside = 0, False
    for token in _TOKEN.finditer(pattern):
        pieces += (pattern[at : token.start()], _written(token, is_inside=is_inside))
        at = token.end()
        if token["bracket"]:
            is_inside = token["bracket"] == "["
    return "".join([*pieces, pattern[at:]])


def _written(token: "re.Match[str]", *, is_inside: bool) -> str:
    if code := token["code"] or token["unit"]:
        return rf"\x{{{code}}}"
    if token["high"]:
        return _paired(token)
    if token["control"]:
        return rf"\x{{{ord(token['control']) % 32:02x}}}"
    if token["name"]:
        name = token["name"].rpartition("=")[2]
        return rf"\{token['kind']}{{{_CATEGORIES.get(name, name)}}}"
    if token["space"] == "s":
        return _SPACES if is_inside else f"[{_SPACES}]"
    return f"[^{_SPACES}]" if token["space"] and not is_inside else token[0]


def _paired(token: "re.Match[str]") -> str:
    """Write two halves of a surrogate pair as the one character that they are."""
    try:
        high, low = int(token["high"], 16), int(token["low"], 16)
    except ValueError:
        return token[0]
    return rf"\x{{{0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00):x}}}"

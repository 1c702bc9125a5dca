"""What a plain YAML scalar means, and where YAML 1.1 and YAML 1.2 disagree about it.

PyYAML resolves by YAML 1.1, most editors by YAML 1.2. What both read alike is taken; the rest (`no`, `1_000`,
`010`, `1:30`, dates) is marked, so that it can be named where it matters.
"""

import re
from typing import TypeAlias

import yaml

_PREFIX = "tag:yaml.org,2002:"
_RESOLVERS: dict[str, list[tuple[str, re.Pattern[str]]]] = yaml.SafeLoader.yaml_implicit_resolvers
MEANINGFUL = frozenset(_RESOLVERS)
"""First characters of plain scalars that may be another thing than a text; `""` is that of an empty one."""
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_LONGEST_TO_BASE_60 = 100
"""Characters; a longer one is a text."""
_JSON_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?")

Meaning: TypeAlias = tuple[bool | int | float | str | None, bool]
"""The value, and whether the two versions of YAML disagree about it."""


def kind_of(text: str) -> str:
    """Name the type that YAML 1.1 gives to a plain scalar: `str`, `int`, `bool`, `timestamp` ..."""
    if len(text) > _LONGEST_TO_BASE_60 and ":" in text:
        return "str"
    for tag, pattern in _RESOLVERS.get(text[:1], ()):
        if pattern.match(text):
            return tag.removeprefix(_PREFIX)
    return "str"


def notation_of(text: str) -> str:
    """Name the notation of a number that is not to base 10, in words behind "a number"; empty for all others."""
    if kind_of(text) not in {"int", "float"}:
        return ""
    digits = text.lstrip("+-").replace("_", "")
    if ":" in digits:
        return "to base 60"
    if digits[:2] in {"0x", "0b"}:
        return "to base 16" if digits[1] == "x" else "to base 2"
    return "to base 8" if len(digits) > 1 and digits.startswith("0") and digits.isdigit() else ""


def read_plain(text: str) -> Meaning:
    """Read a plain scalar.

    Raises:
        ValueError: a number that no JSON can hold (`.nan`, `.inf`, thousands of digits), or what only begins like
            one (`0x_`).
    """
    match kind_of(text):
        case "null":
            return None, False
        case "bool":
            lowered = text.lower()
            return lowered in {"true", "yes", "on"}, text not in _TRUE and text not in _FALSE
        case "int" | "float" as kind:
            return _number(text, kind), _JSON_NUMBER.fullmatch(text) is None
        case "timestamp":
            return text, True
        case _:
            return text, False


def _number(text: str, kind: str) -> int | float:
    if kind == "int" and len(text) > 40:
        raise ValueError(f"the number {text[:12]}… is too long")
    if text.lstrip("+-").lower() in {".nan", ".inf"}:
        raise ValueError(f"{text} is no number that JSON can hold")
    try:
        value = _integer(text) if kind == "int" else _decimal(text)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"`{text[:40]}` begins like a number and is none") from error
    if value in {float("inf"), float("-inf")}:
        raise ValueError(f"the number {text[:12]} is too large")
    return value


def _integer(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-").replace("_", "")
    if ":" in digits:
        return sign * int(_sexagesimal(digits))
    if digits.startswith("0b"):
        return sign * int(digits[2:], 2)
    if digits.startswith("0x"):
        return sign * int(digits[2:], 16)
    return sign * int(digits, 8 if len(digits) > 1 and digits.startswith("0") else 10)


def _decimal(text: str) -> float:
    sign = -1.0 if text.startswith("-") else 1.0
    digits = text.lstrip("+-").replace("_", "")
    return sign * (_sexagesimal(digits) if ":" in digits else float(digits))


def _sexagesimal(digits: str) -> float:
    value = 0.0
    for part in digits.split(":"):
        value = value * 60 + float(part)
    return value

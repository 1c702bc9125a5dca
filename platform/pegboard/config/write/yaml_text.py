"""How YAML writes a text so that YAML 1.1, YAML 1.2 and people read the same."""

import io
import json
import re

from yaml.emitter import Emitter

from pegboard.config.syntax.yaml_scalars import kind_of

_NUMBER = re.compile(
    r"[-+]?(?:\.[0-9_]+|[0-9][0-9_,]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?|0[box][0-9a-fA-F_]+|[-+]?[0-9]+(?::[0-9]+)+"
    r"|[-+]?\.inf|\.nan",
    re.IGNORECASE,
)
_WORDS = frozenset({"", "~", "y", "n", "yes", "no", "on", "off", "true", "false", "null", "=", "<<"})
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")
_NOT_IN_BLOCK = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_BREAK = re.compile("[\n\r\x85\u2028\u2029]")
_LONGEST_KEY = 900
"""YAML finds the `:` of a longer key only behind a `? `."""
_WIDTH = 100
_ANALYSER = Emitter(io.StringIO(), allow_unicode=True)


def scalar(value: bool | int | float | str | None) -> str:
    """Return a value on one line."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _number(value)
        case _:
            return value if is_plain(value) else quoted(value)


def key(text: str) -> str:
    """Return a key, with what stands before it where it is very long."""
    written = text if is_plain(text) else quoted(text)
    return f"? {written}\n" if is_too_long(written) else written


def is_too_long(spelled: str) -> bool:
    """Tell whether a key that is spelled so cannot stand on the line of its value."""
    return len(spelled) > _LONGEST_KEY or _BREAK.search(spelled) is not None


def _number(value: float) -> str:
    """Return a float as both versions read it: YAML 1.1 wants a point and the sign of the exponent."""
    digits, mark, exponent = repr(value).partition("e")
    if "." not in digits:
        digits += ".0"
    return digits + (f"e{exponent}" if exponent[:1] in "+-" else f"e+{exponent}") if mark else digits


def is_plain(text: str) -> bool:
    """Tell whether a text can stand without quotes."""
    if text.lower() in _WORDS or _NUMBER.fullmatch(text) or kind_of(text) != "str":
        return False
    return bool(_ANALYSER.analyze_scalar(text).allow_block_plain)


def quoted(text: str) -> str:
    """Return a text in double quotes."""
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def literal(text: str) -> tuple[str, list[str]] | None:
    """Return the header and the lines of a block scalar, or None where none can hold exactly this text."""
    body = text.removesuffix("\n")
    if not body[body.rfind("\n") + 1 :].strip() or _NOT_IN_BLOCK.search(text):  # an empty line at its end is lost
        return None
    indent = "2" if body[0] in " \t\n" else ""
    return f"|{indent}{'' if text.endswith(chr(10)) else '-'}", body.split("\n")


def folded(text: str) -> tuple[str, list[str]] | None:
    """Return the header and the lines of a long text that is folded at its blanks, or None."""
    if len(text) <= _WIDTH or "\n" in text or "  " in text or text != text.strip() or _NOT_IN_BLOCK.search(text):
        return None
    lines, line = list[str](), ""
    for word in text.split(" "):
        if line and len(line) + len(word) >= _WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return ">-", [*lines, line]


def _refolded(spelled: str) -> tuple[str, list[str]] | None:
    """Return the header and the lines of a folded scalar, folded as its author did; None where that is not simple."""
    header, _, body = spelled.partition("\n")
    header = re.split(r"[ \t]", header.rstrip())[0]
    lines = body.rstrip("\n").split("\n")
    indents = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" ")]
    if header not in {">", ">-"} or not indents or not lines[0].strip(" "):
        return None
    return header, [line[indents[0] :] for line in lines]


def text(value: str, spelled: str) -> tuple[str, list[str]]:
    """Return how a text stands in the house form: its first line, and those below it.

    `spelled` is how YAML spelled it, which is kept where it is one line; empty where it comes from elsewhere.
    """
    is_line = bool(spelled) and not _BREAK.search(spelled)
    if spelled.startswith(">") and (found := _refolded(spelled)):
        return found
    if "\n" in value and (found := literal(value)):
        return found
    if spelled and not is_line and (found := folded(value)):
        return found
    return spelled if is_line and not spelled.startswith(("|", ">")) else scalar(value), []

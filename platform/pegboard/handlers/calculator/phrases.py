"""A question -> the expression or the conversion in it, English and Chinese."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pegboard.handlers.calculator.numerals import with_digits
from pegboard.handlers.calculator.units import UNITS, Unit

_N = r"\d+(?:\.\d+)?"
_REWRITES = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (rf"what\s+(?:percent|percentage|%)\s+of\s+({_N})\s+(?:is|are)\s+({_N})", r"\2 / \1 * 100"),
        (rf"({_N})\s+(?:is|are)\s+what\s+(?:percent|percentage|%)\s+of\s+({_N})", r"\1 / \2 * 100"),
        (rf"({_N})\s*(?:是|占)\s*({_N})\s*的?(?:百分之几|百分之多少|百分比|几成)", r"\1 / \2 * 100"),
        (
            rf"({_N})\s*(?:%|percent)\s*(?:off|discount\s+(?:on|from))\s*(?:of\s+)?[$¥€£]?\s*({_N})",
            r"\2 - \1%",
        ),
        (rf"({_N})\s*(?:元|块)?\s*(?:打|的)\s*(\d)(\d)?\s*折", r"\1 * 0.\2\3"),
        (rf"\bsplit\s+[$€£]?({_N})\s+(?:between|among|by|into)\s+({_N})", r"\1 / \2"),
        (rf"({_N})\s*成(?=$|[^功为本])", r"\1 * 10%"),
        (r"\bper ?cent\b", "%"),
        (r"除以|÷", " / "),
        (rf"({_N})\s*除\s*({_N})", r"\2 / \1"),
        (r"乘以|乘|×|·|✕", " * "),
        (r"(?<=[\d\s)])[xX](?=[\s\d(])", " * "),
        (r"加上|加|＋", " + "),
        (r"减去|减掉|减|−|–", " - "),
        (r"的\s*平方根", " sqrtof "),
        (r"的\s*平方", " ** 2 "),
        (r"的\s*立方", " ** 3 "),
        (rf"的\s*({_N})\s*次方", r" ** \1 "),
        (rf"(?:根号|平方根)\s*({_N})|({_N})\s*sqrtof", r"sqrt(\1\2)"),
        (r"(?<=[\d%)])\s*的\s*(?=[\d(])", " of "),
        (r"\b(?:multiplied by|times)\b", " * "),
        (r"\b(?:divided by|over)\b", " / "),
        (r"\b(?:plus|added to)\b", " + "),
        (r"\b(?:minus|less)\b", " - "),
        (r"\b(?:modulo|mod)\b", " % "),
        (r"\b(?:to the power of|raised to(?: the power of)?)\b", " ** "),
        (r"\bsquared\b", " ** 2 "),
        (r"\bcubed\b", " ** 3 "),
        (rf"\bsquare root of\s+({_N})", r"sqrt(\1)"),
        (rf"\b(?:double|twice)\s+(?={_N})", "2 * "),
        (r"[$¥€£￥]\s*(?=[\d.])|(?<=\d)\s*(?:元|块|dollars?|yuan|USD|CNY)", " "),
    )
)
_SPAN = re.compile(r"(?:sqrt|[-+(.\d])(?:\s*(?:sqrt|\bof\b|\d[eE][+-]?\d|[-+*/%^().\d]))*", re.IGNORECASE)
_HAS_OPERATOR = re.compile(r"[\d)%]\s*(?:\*\*|//|[-+*/^(]|%\s*[\d(]|%|of\b)|sqrt", re.IGNORECASE)

_AMOUNT = rf"(?:{_N}\s+\d+/\d+|\d+/\d+|-?{_N})"
_WORDS = sorted((re.escape(name) for name in UNITS), key=len, reverse=True)
_UNIT = "|".join(rf"{word}(?![a-z])" if word.isascii() or "°" in word else word for word in _WORDS)
_QUANTITY = re.compile(rf"({_AMOUNT})\s*(?:个|degrees?\s+|deg\s+|度)?\s*({_UNIT})", re.IGNORECASE)
_LONE = re.compile(rf"(?<![a-z°])(?:{_UNIT})", re.IGNORECASE)
_TOO_SHORT = frozenset({"in", "m", "s", "h", "两", "米", "天", "周", "码", "day", "days", "min", "second", "stone"})
"""Units that are other words too: as a target only behind `to`, `into`, `in` or `how many`."""
_BEFORE_TARGET = re.compile(r"(?:\bto|\binto|\bin|\bhow many|=|多少|几|成|为|作)\s*(?:个|degrees?)?\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Conversion:
    """An amount of one unit that is wanted in another."""

    amount: Fraction
    source: Unit
    target: Unit


def conversion(question: str) -> Conversion | None:
    """Find a conversion: one amount with its unit, and another unit without an amount."""
    text = with_digits(question).lower()
    quantity = _QUANTITY.search(text)
    if quantity is None:
        return None
    source = UNITS[quantity[2]]
    rest = text[: quantity.start()] + "\x00" + text[quantity.end() :]
    targets = list(dict.fromkeys(unit for unit in _targets(rest) if unit.symbol != source.symbol))
    fitting = [unit for unit in targets if unit.kind == source.kind] or targets
    return Conversion(_amount(quantity[1]), source, fitting[0]) if fitting else None


def _targets(text: str) -> Iterator[Unit]:
    for match in _LONE.finditer(text):
        before = text[: match.start()]
        is_word = match[0] in _TOO_SHORT or len(match[0]) == 1
        if is_word and not _BEFORE_TARGET.search(before):
            continue
        if match[0].isascii() and before[-1:].isalnum():
            continue
        yield UNITS[match[0]]


def _amount(text: str) -> Fraction:
    return sum((Fraction(part) for part in text.split()), Fraction(0))


def expressions(question: str) -> list[str]:
    """Return what may be meant as an expression, the likeliest first."""
    text = with_digits(question)
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    text = re.sub(r"\s+", " ", text)
    spans = [_trimmed(match[0]) for match in _SPAN.finditer(text)]
    calculations = [span for span in spans if _HAS_OPERATOR.search(span)]
    whole = text.strip(" ?？=。")
    return list(dict.fromkeys([whole, *sorted(calculations, key=len, reverse=True)]))


def _trimmed(span: str) -> str:
    span = re.sub(r"(?:\bof|[-+*/(.\s^])+$", "", span.strip(), flags=re.IGNORECASE)
    while span.count(")") > span.count("(") and span.endswith(")"):
        span = span[:-1]
    return re.sub(r"\s+", " ", span).strip()

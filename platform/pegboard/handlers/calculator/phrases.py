"""A question -> the expression in it, English and Chinese."""

import re
from functools import partial

from pegboard.handlers.calculator.numerals import with_digits
from pegboard.handlers.calculator.remains import Unread, may_be_left
from pegboard.handlers.calculator.units import asks_for_unit

_N = r"(?<![\d.,_])\d+(?:\.\d+)?(?![\d_]|[.,]\d|[eE]\d)"
_LIST = rf"{_N}(?:\s*(?:,\s*and\b|[,、和与及]|\band\b)\s*{_N})+"

_CURRENCIES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (r"[$]|(?<=\d)\s*(?:dollars?|USD)\b", r"[¥￥元块]|(?<=\d)\s*(?:yuan|CNY|RMB)\b", "€|euros?", "£")
)
_MONEY = re.compile(
    r"[$¥€£￥]\s*(?=[\d.])|(?<=\d)\s*(?:元|块钱?|(?:dollars?|yuan|euros?|USD|CNY|RMB|EUR)\b)", re.IGNORECASE
)

_OPERATORS = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"\bper ?cent\b", "%"),
        (r"除以|÷", " / "),
        (r"乘以|乘|×|·|✕", " * "),
        (r"(?<=[\d)])(?<!\b0)\s*[xX]\s*(?=[\d(])", " * "),
        (r"加上|加|＋", " + "),
        (r"减去|减掉|减|−|–", " - "),
        (r"\b(?:multiplied by|times)\b", " * "),
        (r"\b(?:divided by|over)\b", " / "),
        (r"\b(?:plus|added to)\b", " + "),
        (r"\b(?:minus|less(?! than))\b", " - "),
        (r"\b(?:modulo|mod)\b", " % "),
        (r"\b(?:to the power of|raised to(?: the power of)?)\b", " ** "),
        (r"\bsquared\b|的\s*平方(?!根)", " ** 2 "),
        (r"\bcubed\b|的\s*立方(?!根)", " ** 3 "),
        (rf"的\s*({_N})\s*次方", r" ** \1 "),
        (rf"(?:\bsquare root of|√|根号|平方根)\s*({_N})", r"sqrt(\1)"),
        (rf"\b(?:double|twice)\s+(?={_N})", "2 * "),
        (rf"\b(?:triple|thrice)\s+(?={_N})", "3 * "),
        (rf"({_N})\s*(?:打|的)\s*([\d零一二三四五六七八九])(\d?)\s*折", r"\1 * 0.\2\3"),
        (rf"({_N})\s*成(?=$|[^功为本])", r"\1 * 10%"),
    )
)
_PHRASES = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (rf"what\s+(?:percent|percentage|%)\s+of\s+({_N})\s+(?:is|are)\s+({_N})", r"\2 / \1 * 100"),
        (rf"({_N})\s+(?:is|are)\s+what\s+(?:percent|percentage|%)\s+of\s+({_N})", r"\1 / \2 * 100"),
        (rf"({_N})\s*(?:是|占)\s*({_N})\s*的?(?:百分之几|百分之多少|百分比|几成)", r"\1 / \2 * 100"),
        (rf"({_N})\s*%\s*(?:off|discount\s+(?:on|from))\s*(?:of\s+)?({_N})", r"\2 - \1%"),
        (rf"\bsplit\s+({_N})\s+(?:between|among|by|into)\s+({_N})", r"\1 / \2"),
        (rf"({_N})\s*(?:平均)?分(?:成|给|为)\s*({_N})", r"\1 / \2"),
        (rf"({_N})\s*的\s*平方根", r"sqrt(\1)"),
        (rf"({_N})\s*除\s*({_N})", r"\2 / \1"),
        (rf"\bsubtract\s+({_N})\s+from\s+({_N})", r"\2 - \1"),
        (rf"\badd\s+({_N})\s+(?:and|to)\s+({_N})", r"\1 + \2"),
        (rf"\bmultiply\s+({_N})\s+(?:by|and|with)\s+({_N})", r"\1 * \2"),
        (rf"\bdivide\s+({_N})\s+by\s+({_N})", r"\1 / \2"),
        (rf"\b(?:average|mean)\s+of\s+({_LIST})|({_LIST})\s*的?\s*平均(?:数|值)?", "average"),
        (rf"\b(?:sum|total)\s+of\s+({_LIST})|({_LIST})\s*(?:的\s*总?和|之和|相加)", "sum"),
    )
)
"""Phrases that are a whole sum: where an operator follows them, nobody can tell what it belongs to."""

_PART = r"(?:\*\*|//|[-+*/%^()⁄.\d]|(?<=\d)[eE](?=[+-]?\d)|sqrt|\bof\b)"
_SPAN = re.compile(rf"{_PART}(?:\s*{_PART})*", re.IGNORECASE)
_SO_FAR = re.compile(
    rf"(?<![-+*/%^()⁄.\d])({_PART}(?:\s*{_PART})*)\s*[,，]?\s*(?:再|然后再?|(?:and\s+)?then\b)\s*(?=[-+*/])"
)
_HAS_OPERATOR = re.compile(r"[\d)%]\s*(?:\*\*|//|[-+*/^(]|%\s*[-+*/\d(]|%?\s*of\b)|sqrt|\d⁄", re.IGNORECASE)
_RANGE = re.compile(r"\d+-\d+")
_LEADS_TO_SIGN = re.compile(
    r"(?:^|[:：,，。]|\b(?:is|are|of|calculate|compute|evaluate|out)|计算|算|求|下)\s*$", re.IGNORECASE
)


def expressions(question: str) -> list[str]:
    """Return what may be meant as an expression, the likeliest first; what stands around each has no part in it.

    Raises:
        Unread: The question adds up two currencies.
    """
    text = with_digits(question)
    if sum(currency.search(text) is not None for currency in _CURRENCIES) > 1:
        raise Unread("two currencies")
    text = _rewritten(_MONEY.sub(" ", text))
    whole = text.strip(" ?=。").rstrip(".")
    found = [span for span in map(_trimmed, _SPAN.finditer(text)) if _is_whole(text, *span)]
    return list(dict.fromkeys([whole, *sorted((text[start:end] for start, end in found), key=len, reverse=True)]))


def _rewritten(text: str) -> str:
    for pattern, replacement in _OPERATORS:
        text = pattern.sub(replacement, text)
    for pattern, replacement in _PHRASES:
        text = pattern.sub(partial(_phrase, wanted=replacement), text)
    text = re.sub(r"(?<=[\d%)])\s*的\s*(?=[\d(])", " of ", text)
    text = re.sub(r"\s+", " ", text)
    while (match := _SO_FAR.search(text)) is not None:
        text = f"{text[: match.start()]}({match[1].strip()}) {text[match.end() :]}"
    return text


def _phrase(match: re.Match[str], wanted: str) -> str:
    around = match.string[: match.start()].rstrip()[-1:] + match.string[match.end() :].lstrip()[:1]
    if any(character in "+-*/%^()⁄." for character in around):
        return match[0]
    if wanted not in {"average", "sum"}:
        return match.expand(wanted)
    parts = re.findall(r"[\d.]+", match[0])
    return f"({' + '.join(parts)})" + (f" / {len(parts)}" if wanted == "average" else "")


def _trimmed(match: re.Match[str]) -> tuple[int, int]:
    """Return the place of a span without the full stop, the blank space or the closing bracket behind it."""
    span = match[0]
    while True:
        kept = re.sub(r"\s+\($|\.$", "", span.rstrip())
        if kept == span:
            return match.start(), match.start() + len(span)
        span = kept


def _is_whole(text: str, start: int, end: int) -> bool:
    """Tell whether the expression at a place is all of the sum that `text` holds."""
    span, before, behind = text[start:end], text[:start], text[end:]
    if not _HAS_OPERATOR.search(span) or asks_for_unit(behind) or asks_for_unit(before):
        return False
    if _RANGE.fullmatch(span) and behind.strip(" ?=。."):  # 2-3 people
        return False
    is_operator = re.match(r"[-+]\s", span) or (re.match("[-+]", span) and before[-1:].isalnum())
    return not (is_operator and not _LEADS_TO_SIGN.search(before)) and may_be_left(before, behind)

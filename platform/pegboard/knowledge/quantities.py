"""Quantities in questions, English and Chinese: how they are written, and what they come to.

Each measure has a pattern (linear-time, RE2) and a reader of what the pattern matched.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import re2

_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: float(value) for value, word in enumerate(_ONES + _TEENS)}
_WORDS |= {word: 20.0 + 10 * place for place, word in enumerate(_TENS)}
_WORDS |= {"a": 1.0, "an": 1.0, "half": 0.5, "quarter": 0.25}
_MULTIPLES = {"hundred": 100.0, "thousand": 1000.0, "k": 1000.0, "千": 1e3, "万": 1e4}
_HAN_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}

_WORD = "|".join([*sorted(_WORDS, key=len, reverse=True)])
NUMBER = (
    r"(?:\d(?:[\d,]{0,13}\d)?(?:\.\d{1,6})?(?:\s?(?:k\b|千|万|hundred\b|thousand\b))?"
    r"|[零〇一二两三四五六七八九十百千万半]{1,14}(?:点[零一二三四五六七八九]{1,4})?"
    rf"|\b(?:{_WORD})(?:[ -](?:{'|'.join(_ONES[1:])}|an?|hundred|thousand))?(?: hundred| thousand)?\b)"
)
"""A number: digits, English words, or Chinese numerals."""

_SYMBOL_BEFORE = r"(?:US\$|AU?\$|CA?\$|HK\$|NT\$|NZ\$|S\$|[$€£¥￥₹₩])"
_CODES = "USD|EUR|GBP|CNY|RMB|JPY|AUD|CAD|HKD|TWD|NZD|SGD|CHF|INR|KRW|SEK|NOK|DKK|PLN|BRL|MXN"
_MONEY_WORDS = {
    "dollar": "$", "dollars": "$", "buck": "$", "bucks": "$", "刀": "$", "us dollars": "USD", "euro": "EUR",
    "euros": "EUR", "pound": "GBP", "pounds": "GBP", "quid": "GBP", "yuan": "¥", "yen": "JPY",
    "rupees": "INR", "francs": "CHF", "元": "¥", "块钱": "¥", "块": "¥", "人民币": "CNY", "元人民币": "CNY",
    "美元": "USD", "美金": "USD", "欧元": "EUR", "欧": "EUR", "英镑": "GBP", "日元": "JPY", "港币": "HKD",
    "港元": "HKD", "新台币": "TWD", "台币": "TWD", "澳元": "AUD", "加元": "CAD",
}  # fmt: skip
_SYMBOLS = {
    "$": "$", "us$": "USD", "a$": "AUD", "au$": "AUD", "c$": "CAD", "ca$": "CAD", "hk$": "HKD", "nt$": "TWD",
    "nz$": "NZD", "s$": "SGD", "€": "EUR", "£": "GBP", "¥": "¥", "￥": "¥", "₹": "INR", "₩": "KRW",
    "rmb": "CNY",
}  # fmt: skip
_LATIN_MONEY = "|".join(sorted((w for w in _MONEY_WORDS if w.isascii()), key=len, reverse=True))
_HAN_MONEY = "|".join(sorted((w for w in _MONEY_WORDS if not w.isascii()), key=len, reverse=True))
MONEY = (
    rf"(?:(?:{_SYMBOL_BEFORE}|\b(?:{_CODES}) ?)\s?{NUMBER}"
    rf"|{NUMBER}\s?(?:(?:{_LATIN_MONEY}|{_CODES})\b|{_HAN_MONEY}|[$€£]))"
)
"""An amount of money."""

_HOURS = r"(?:hours?\b|hrs?\b|h\b|个?半?小时|个?半?钟头)"
_MINUTES = r"(?:minutes?\b|mins?\b|m\b|分钟|分鐘|刻钟)"
TIME = (
    rf"(?:{NUMBER}(?:\s|-)?{_HOURS}(?:\s?(?:and )?(?:a half\b|半|{NUMBER}\s?{_MINUTES}))?"
    rf"|(?:three )?quarters? of an hour\b|{NUMBER}(?:\s|-)?{_MINUTES})"
)
"""A duration."""

ENERGY = rf"{NUMBER}\s?(?:(?:k?cals?|(?:kilo)?calories|calorie)\b|大卡|千卡|卡路里|卡)"
"""Energy of food."""

STARS = rf"{NUMBER}[\s-]?(?:stars?\b|★|颗星|星|分)"
"""A rating."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and what it counts."""

    value: float
    unit: str
    """`minutes`, `kcal`, `stars`, a currency, or `$` and `¥` where the content must say which is meant."""


def number(text: str) -> float | None:
    """Return what a match of `NUMBER` comes to; None if it is no number after all."""
    text = text.strip().lower()
    if text[:1].isdigit():
        return _digits(text)
    if text and not text.isascii():
        return _han_number(text)
    return _english_number(text)


def _digits(text: str) -> float | None:
    multiple = next((name for name in _MULTIPLES if text.endswith(name)), "")
    plain = text.removesuffix(multiple).strip().replace(",", "")
    try:
        value = float(plain) * _MULTIPLES.get(multiple, 1.0)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _english_number(text: str) -> float | None:
    total, seen = 0.0, False
    for word in text.replace("-", " ").split():
        if word in _MULTIPLES:
            total = max(total, 1.0) * _MULTIPLES[word]
        elif word in ("a", "an") and seen:
            continue  # half an
        elif word in _WORDS:
            total += _WORDS[word]
        else:
            return None
        seen = True
    return total if seen else None


def _han_number(text: str) -> float | None:
    if text == "半":
        return 0.5
    whole, _, fraction = text.partition("点")
    is_half = whole.endswith("半")
    total, part, digit, last_unit = 0, 0, 0, 1
    for character in whole.removesuffix("半"):
        if character in _HAN_DIGITS:
            digit = _HAN_DIGITS[character]
            last_unit = 1 if not digit else last_unit
        elif character in _HAN_UNITS:
            last_unit = _HAN_UNITS[character]
            part, digit = part + (digit or 1) * last_unit, 0
        else:  # 万
            total, part, digit, last_unit = (part + digit or 1) * 10_000, 0, 0, 10_000
    short = digit * last_unit // 10 if digit and last_unit >= 100 else digit  # 一百五 is 150
    value = float(total + part + short)
    if fraction:
        value += float("0." + "".join(str(_HAN_DIGITS[c]) for c in fraction))
    return value + (0.5 if is_half else 0.0)


_NUMBER = re2.compile(f"(?i){NUMBER}")


def money(text: str) -> Quantity | None:
    """Read a match of `MONEY`."""
    match = _NUMBER.search(text)
    value = number(match[0]) if match else None
    if match is None or value is None:
        return None
    before, after = text[: match.start()].strip().lower(), text[match.end() :].strip().lower()
    name = before or after
    unit = _SYMBOLS.get(name) or _MONEY_WORDS.get(name) or name.upper()
    return Quantity(value, unit)


def minutes(text: str) -> Quantity | None:
    """Read a match of `TIME`."""
    text = text.lower()
    if "quarter" in text and "hour" in text and not text.startswith("quarter hour"):
        return Quantity(45.0 if "three" in text else 15.0, "minutes")
    total, rest = 0.0, text
    for pattern, factor in _TIME_PARTS:
        if (match := pattern.search(rest)) is None:
            continue
        if (value := number(match[1])) is None:
            return None
        half = 0.5 if "个半" in match[2] else 0.0
        total += (value + half) * (15.0 if "刻钟" in match[2] else factor)
        rest = rest[match.end() :]
    if rest.strip() in ("and a half", "a half", "半"):
        total += 30.0
    return Quantity(total, "minutes")


_TIME_PARTS = (
    (re2.compile(rf"(?i)({NUMBER})[\s-]?({_HOURS})"), 60.0),
    (re2.compile(rf"(?i)({NUMBER})[\s-]?({_MINUTES})"), 1.0),
)


def kilocalories(text: str) -> Quantity | None:
    """Read a match of `ENERGY`."""
    return _counted(text, "kcal")


def stars(text: str) -> Quantity | None:
    """Read a match of `STARS`, out of five; a number above five counts out of ten."""
    found = _counted(text, "stars")
    if found is None or found.value > 10:
        return None
    return found if found.value <= 5 else Quantity(found.value / 2, "stars")


def _counted(text: str, unit: str) -> Quantity | None:
    match = _NUMBER.search(text)
    value = number(match[0]) if match else None
    return None if value is None else Quantity(value, unit)


Reader = Callable[[str], Quantity | None]

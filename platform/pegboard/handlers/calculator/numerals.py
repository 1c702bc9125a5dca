"""Numbers in words, English and Chinese, written as digits: `three quarters`, `百分之十五`, `½`."""

import re
import unicodedata
from fractions import Fraction

_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_SMALL = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "亿": 10**8}
_HAN_NUMBER = re.compile("[零〇一二两三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?|半(?=[^斤个小])")
_NOT_NUMBERS = re.compile("一(?:下|些|样|共|起|般|点|定|直)|万一|千万别")

_UP_TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_WORDS = {word: value for value, word in enumerate(_UP_TO_NINETEEN.split())}
_TENS_IN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * tens for tens, word in enumerate(_TENS_IN_WORDS.split(), 2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_ONE = "|".join([*_WORDS, *_TENS, *_SCALES])
_ENGLISH = re.compile(rf"\b(?:{_ONE})(?:(?:[\s-]+(?:and\s+)?)(?:{_ONE}))*\b", re.IGNORECASE)
_AFTER_PART = "(?:of|an?|the|cup|teaspoon|tablespoon|pound|hour|litre|liter)"
_PARTS = {
    "half": "1/2",
    "a third": "1/3",
    "one third": "1/3",
    "a quarter": "1/4",
    "one quarter": "1/4",
    "three quarters": "3/4",
    "two thirds": "2/3",
    "a dozen": "12",
}


def with_digits(text: str) -> str:
    """Return `text` with its number words, vulgar fractions and full-width digits as plain digits."""
    text = re.sub("[¼-¾⅐-⅞]", lambda match: f" {_vulgar(match[0])} ", text)
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return _english(_chinese(text))


def _vulgar(character: str) -> Fraction:
    return Fraction(unicodedata.numeric(character)).limit_denominator(10)


def _chinese(text: str) -> str:
    kept = _NOT_NUMBERS.sub(lambda match: " " * len(match[0]), text)
    text = _HAN_NUMBER.sub(lambda match: chinese_number(match[0]), kept.replace("百分之", "%分之"))
    text = re.sub(r"%分之\s*(\d+(?:\.\d+)?)", r"\1%", text).replace("%分之", "百分之")
    return re.sub(r"(\d+)分之(\d+)", r"\2/\1", text)


def chinese_number(text: str) -> str:
    """Read a Chinese number: `一百二十`, `两千零五`, `三点五`, `二零二六`."""
    if text == "半":
        return "0.5"
    whole, _, decimals = text.partition("点")
    value = _chinese_whole(whole)
    return f"{value}.{''.join(str(_DIGITS[digit]) for digit in decimals)}" if decimals else str(value)


def _chinese_whole(text: str) -> int:
    if all(digit in _DIGITS for digit in text):
        return int("".join(str(_DIGITS[digit]) for digit in text))
    total = section = digit = 0
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character in _SMALL:
            section += (digit or 1) * _SMALL[character]
            digit = 0
        else:
            total = (total + section + digit) * _LARGE[character]
            section = digit = 0
    return total + section + digit


def _english(text: str) -> str:
    for words, digits in _PARTS.items():
        text = re.sub(rf"\b{words}\b(?=\s+{_AFTER_PART})", digits, text, flags=re.IGNORECASE)
    return _ENGLISH.sub(lambda match: str(_english_number(match[0])), text)


def _english_number(text: str) -> int:
    total = section = 0
    for word in re.split(r"[\s-]+", text.lower()):
        if word in _SCALES:
            scale = _SCALES[word]
            section = (section or 1) * scale
            if scale > 100:
                total, section = total + section, 0
        else:
            section += _WORDS.get(word, _TENS.get(word, 0))
    return total + section

"""Numbers in words, English and Chinese, written as digits: `three quarters`, `百分之十五`, `½`.

A fraction that is one number is written with `⁄` (U+2044), so that it binds tighter than any operator: `6 ÷ ½` is
12. What is no well-formed number (`三四`, `one two`, `0,125`) is left as it is: the reader then finds it unread.
"""

import re
import unicodedata
from fractions import Fraction

# Characters

_GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])")
_RAISED = re.compile("(?<=[0-9)])[⁰¹²³⁴-⁹]+")
_KEPT = ("<super>", "<sub>", "<circle>", "<square>")
"""Characters that a plain digit must not stand for: `²` is no 2."""


def with_digits(text: str) -> str:
    """Return `text` with its number words, vulgar fractions and full-width digits as plain digits."""
    text = _GROUPED.sub(lambda match: match[0].replace(",", ""), text.replace("！", "。"))
    text = _RAISED.sub(lambda match: f"**{unicodedata.normalize('NFKC', match[0])}", text)
    text = "".join(map(_plain, text))
    text = _english(_chinese(text))
    text = re.sub(r"(\d)\s*(?:又|\band\s+(?:an?\s+)?)\s*(\d+⁄\d+)", r"\1 \2", text)
    return re.sub(
        r"(?<![\d.])(\d+(?:\.\d+)?)\s+(hundred|thousand|million|billion)\b", _scaled, text, flags=re.IGNORECASE
    )


def _plain(character: str) -> str:
    kind = unicodedata.decomposition(character).partition(" ")[0]
    if kind == "<fraction>":
        return f" {unicodedata.normalize('NFKC', character)} "
    if kind in _KEPT and unicodedata.numeric(character, None) is not None:
        return character
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    return unicodedata.normalize("NFKC", character)


def _scaled(match: re.Match[str]) -> str:
    return _product(match, _SCALES[match[2].lower()])


def _product(match: re.Match[str], scale: int) -> str:
    value = Fraction(match[1]) * scale
    return str(value) if value.denominator == 1 else match[0]


# Chinese

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_SMALL = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "亿": 10**8}
_D, _SECTION = "[一二两三四五六七八九]", "(?:{d}千)?(?:[零〇]?{d}百)?(?:[零〇]?{d}?十)?(?:[零〇]?{d})?"
_S = _SECTION.format(d=_D)
_WELL_FORMED = re.compile(f"(?=[十一二两三四五六七八九])(?:{_S}亿)?(?:[零〇]?(?={_D}|十){_S}万)?(?:{_S})?")
_HAN = "零〇一二两三四五六七八九十百千万亿"
_HAN_NUMBER = re.compile(f"(?<![\\d.{_HAN}])[{_HAN}]+(?:点[零〇一二三四五六七八九]+)?(?![\\d.])")
_HALF = re.compile(f"(?<![\\d{_HAN}个点半])半(?=个|[^\\s\\d。？?个])个?")
_NOT_NUMBERS = re.compile(
    "一(?:下|些|样|共|起|般|点|定|直|会|切|边|方)|[统唯单专同]一|万一|千万别|第[零一二三四五六七八九十\\d]+"
)
_DIGITS_AND_SCALE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*(万亿|亿|万|百|千(?![克米卡焦瓦]))")


def _chinese(text: str) -> str:
    text = _NOT_NUMBERS.sub(lambda match: " " * len(match[0]), text).replace("百分之", "%分之")
    text = _DIGITS_AND_SCALE.sub(_scaled_in_chinese, text)
    text = _HAN_NUMBER.sub(lambda match: chinese_number(match[0], text[match.end() : match.end() + 1]), text)
    text = _HALF.sub("0.5", text)
    text = re.sub(r"%分之\s*(\d+(?:\.\d+)?)", r"\1%", text).replace("%分之", "百分之")
    return re.sub(r"(?<!\d)(\d+)分之(\d+)", r"\2⁄\1", text)


def _scaled_in_chinese(match: re.Match[str]) -> str:
    scale = 1
    for character in match[2]:
        scale *= (_SMALL | _LARGE)[character]
    return _product(match, scale)


def chinese_number(text: str, following: str = "") -> str:
    """Read a Chinese number: `一百二十`, `两千零五`, `三点五`, `二零二六`; what is none is returned as it is.

    Two digits in a row are a guess (`三四个`) and no number, unless `following` makes them a discount (`八五折`).
    """
    whole, _, decimals = text.partition("点")
    if all(character in _DIGITS for character in whole):
        is_guess = len(whole) == 2 and not set(whole) & {"零", "〇"} and following != "折"
        value = None if is_guess else "".join(str(_DIGITS[character]) for character in whole)
    else:
        value = str(_chinese_whole(whole)) if _WELL_FORMED.fullmatch(whole) else None
    if value is None:
        return text
    return f"{value}.{''.join(str(_DIGITS[digit]) for digit in decimals)}" if decimals else value


def _chinese_whole(text: str) -> int:
    total = section = digit = 0
    last = 1
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
            last = last if digit else 1
        elif character in _SMALL:
            section, last = section + (digit or 1) * _SMALL[character], _SMALL[character]
            digit = 0
        else:
            total, last = total + (section + digit) * _LARGE[character], _LARGE[character]
            section = digit = 0
    return total + section + digit * (last // 10 if last >= 100 else 1)  # 一千二 is 1,200


# English

_ONES = "one two three four five six seven eight nine"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_WORDS = {word: value for value, word in enumerate(f"zero {_ONES} {_TEENS}".split())}
_TENS_IN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * tens for tens, word in enumerate(_TENS_IN_WORDS.split(), 2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_BELOW_100 = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-]+(?:{_ONES.replace(' ', '|')})\b)?|(?:{'|'.join(_WORDS)})\b)"
_AND = r"(?:,?\s+(?:and\s+)?)"
_BELOW_1000 = rf"(?:{_BELOW_100}[\s-]+hundred\b(?:{_AND}{_BELOW_100})?|{_BELOW_100})"
_NUMBER = _BELOW_1000
for _scale in ("thousand", "million", "billion"):
    _NUMBER = rf"(?:{_BELOW_1000}\s+{_scale}\b(?:{_AND}{_NUMBER})?|{_NUMBER})"
_PRONOUN = "".join(rf"(?<!\b{word} )" for word in ("which", "this", "that", "any", "some", "no", "every", "each"))
_ENGLISH = re.compile(rf"{_PRONOUN}\b{_NUMBER}\b", re.IGNORECASE)
_AFTER_PART = r"(?:of|an?|the|cups?|teaspoons?|tablespoons?|pounds?|hours?|lit(?:re|er)s?|kilos?|miles?)\b"
_PARTS = {
    "half": "1⁄2",
    "(?:a|one) third": "1⁄3",
    "(?:a|one) quarter": "1⁄4",
    "three quarters": "3⁄4",
    "two thirds": "2⁄3",
    "a dozen": "12",
}


def _english(text: str) -> str:
    text = re.sub(r"\band\s+a\s+half\b", "and 1⁄2", text, flags=re.IGNORECASE)
    text = re.sub(r"\ban?\s+(?=(?:hundred|thousand|million|billion)\b)", "one ", text, flags=re.IGNORECASE)
    for words, digits in _PARTS.items():
        text = re.sub(rf"\b{words}\b(?:\s+an?\b)?(?=\s+{_AFTER_PART})", digits, text, flags=re.IGNORECASE)
    return _ENGLISH.sub(lambda match: str(_english_number(match[0])), text)


def _english_number(text: str) -> int:
    total = section = 0
    for word in re.split(r"[\s,-]+", text.lower()):
        if word in _SCALES:
            scale = _SCALES[word]
            section *= scale
            if scale > 100:
                total, section = total + section, 0
        elif word != "and":
            section += _WORDS.get(word, _TENS.get(word, 0))
    return total + section

"""What stands in a JSON-LD object, read tolerantly: texts, numbers, durations.

schema.org allows almost every value to be a text, an object, or a list of either; these functions take all of
them and give one form. None of them raises: what cannot be read is empty or None.
"""

import html
import math
import re
from collections.abc import Iterator, Mapping

import re2

from pegboard.text import Json

Object = Mapping[str, Json]
"""A JSON-LD object."""

_TAG = re2.compile(r"</?[a-zA-Z][^<>]*>")
_NUMBER = re2.compile("\\d[\\d.,' \u00a0]*")
_DURATION = re2.compile(
    r"P(?:([\d.]+)Y)?(?:([\d.]+)M)?(?:([\d.]+)W)?(?:([\d.]+)D)?"
    r"(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?"
)
_MINUTES_OF_PART = (525_600.0, 43_200.0, 10_080.0, 1_440.0, 60.0, 1.0, 1 / 60)
_PLAIN_DURATION = re2.compile(r"(?i)([\d.]+)\s*(h(?:ou)?rs?\b|h\b|小时|m(?:in(?:ute)?s?)?\b|分钟)")
_DEEPEST = 6


def many(value: Json) -> list[Json]:
    """Return `value` as a list: nothing for None, the parts of a list, else the value alone."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def objects(value: Json) -> list[dict[str, Json]]:
    """Return the objects in `value`, which is one object or a list."""
    return [part for part in many(value) if isinstance(part, dict)]


def object_of(value: Json) -> Object:
    """Return the first object in `value`; an empty one if there is none."""
    return next(iter(objects(value)), {})


def text_of(value: Json) -> str:
    """Return `value` as plain text without tags and entities: objects by name or value, lists with commas."""
    return ", ".join(texts_of(value))


def texts_of(value: Json) -> list[str]:
    """Return every text in `value`, each as plain text, in order; empty ones are left out."""
    return [text for text in _texts(value, 0) if text]


def _texts(value: Json, depth: int) -> Iterator[str]:
    match value:
        case None:
            return
        case bool():
            yield "yes" if value else "no"
        case int() | float():
            yield number_text(value)
        case str():
            yield plain(value)
        case list():
            for part in value:
                yield from _texts(part, depth)
        case _ if depth < _DEEPEST:
            yield from _texts(_telling(value), depth + 1)


def steps_of(value: Json, depth: int = 0) -> list[str]:
    """Return the steps of a recipe: the lines of a text, `HowToStep`s, and those in `HowToSection`s."""
    found: list[str] = []
    for part in many(value):
        if isinstance(part, dict) and part.get("itemListElement") and depth < _DEEPEST:
            found += steps_of(part["itemListElement"], depth + 1)
        elif isinstance(part, dict):
            found.append(text_of(part.get("text") or part.get("description") or part.get("name")))
        else:
            found += text_of(part).split("\n")
    return [step for step in found if step]


def remarks_of(value: Json) -> list[str]:
    """Return what comments say, without who said it."""
    told = (text_of(part.get("text") or part) if isinstance(part, dict) else text_of(part) for part in many(value))
    return [remark for remark in told if remark]


def _telling(value: Object) -> Json:
    """Return the part of an object that says what it is."""
    if "value" in value and (unit := value.get("unitText") or value.get("unitCode")):
        return f"{text_of(value['value'])} {text_of(unit)}"
    keys = ("@value", "name", "headline", "text", "value", "description", "reviewBody", "url", "@id")
    return next((value[key] for key in keys if value.get(key) not in (None, "")), None)


def plain(text: str) -> str:
    """Return `text` without HTML tags and entities, each line's spaces made one."""
    if "<" in text or "&" in text:
        text = html.unescape(_TAG.sub(" ", text))
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def number_text(number: float) -> str:
    """Write a number as a reader would: `89` for 89.0, `4.6` for 4.6."""
    if abs(number) < 1e15 and float(number).is_integer():
        return str(int(number))
    return str(number)


def number_of(value: Json) -> float | None:
    """Return the first number in `value`, or None: 410 in `410 kcal`, 1299 in `1,299.00` and `1.299,00`."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e15 else None  # also refuses NaN and infinity
    for text in texts_of(value):
        if match := _NUMBER.search(text):
            return _number(match[0])
    return None


def _number(digits: str) -> float | None:
    digits = re.sub(r"[' \u00a0]", "", digits).strip(".,")
    decimal = max(digits.rfind("."), digits.rfind(","))
    mark = digits[decimal] if decimal >= 0 else ""
    is_decimal = bool(mark) and digits.count(mark) == 1 and (mark == "." or len(digits) - decimal - 1 != 3)
    whole = digits[:decimal] if is_decimal else digits
    fraction = digits[decimal + 1 :] if is_decimal else ""
    number = float(f"{whole.replace(',', '').replace('.', '') or '0'}.{fraction or '0'}")
    return number if math.isfinite(number) else None


def minutes_of(value: Json) -> float | None:
    """Return a duration in minutes: ISO 8601 (`PT1H10M`), a plain `1 h 10 min`, or a number of minutes."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number_of(value)
    text = text_of(value).strip()
    if (iso := iso_minutes_of(text)) is not None:
        return iso
    found = _PLAIN_DURATION.findall(text)
    if not found:
        return None
    return sum(_part(amount) * (60 if unit[0] in "hH小" else 1) for amount, unit in found)


def iso_minutes_of(value: Json) -> float | None:
    """Return an ISO 8601 duration in minutes: `PT1H10M`; None for any other text, and for `PT` alone."""
    iso = _DURATION.fullmatch(value.strip().upper()) if isinstance(value, str) else None
    if iso is None or not any(iso.groups()):
        return None
    return sum(_part(part) * minutes for part, minutes in zip(iso.groups(), _MINUTES_OF_PART, strict=True))


def _part(digits: str | None) -> float:
    try:
        return float(digits or 0)
    except ValueError:
        return 0.0


def last_word(value: Json) -> str:
    """Return the last part of an address or a prefixed name: `InStock` of `https://schema.org/InStock`."""
    return re.split(r"[/#:]", text_of(value).strip().rstrip("/"))[-1]


def types_of(value: Object) -> list[str]:
    """Return the schema.org classes of an object, without prefixes."""
    return [name for part in many(value.get("@type")) if (name := last_word(part))]

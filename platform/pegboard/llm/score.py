"""One tolerant reading of a scoring reply: a score between 0 and 100, a reason, and the tool's arguments.

Not here: how JSON is got out of a model's text (`llm/reply.py`), nor what a score leads to (`route`).
"""

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.errors import ModelMalformed
from pegboard.llm.marks import clean
from pegboard.llm.reply import Reply, read_all
from pegboard.llm.values import Defence
from pegboard.text import Json, clipped, to_json

ScoreDefence: TypeAlias = Defence | Literal["prose"]
"""What a scoring reply needed before it could be read; `prose`: the score stood in plain words."""

_SCORE_KEYS = ("score", "relevance_score", "relevance", "rating", "评分", "得分", "分数")
_REASON_KEYS = ("reason", "justification", "explanation", "理由", "原因")
_PROSE_CHARACTERS = 4096
_NUMBER_CHARACTERS = 200
_RUNS = re.compile(r"\s+")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_RATIO = re.compile(r"(-?\d+(?:\.\d+)?)\s*(?:/|out of|of)\s*(\d+(?:\.\d+)?)", re.IGNORECASE)
_FULL_MARKS = re.compile(r"满分\s*(?:是|为)?\s*\d+\s*分?", re.IGNORECASE)
_WHOLE = r"(?<!\d)(?<!\d[.,])\d{1,12}(?!\d)"
"""All digits of a whole number. A longer run is none: a search that tries it from each digit on would be slow."""
_PART = r"\d{1,40}(?!\d)"
_SHOWN = rf"[-+]?{_WHOLE}(?:\.{_PART})?(?:\s*(?:%|/\s*{_WHOLE}))?"
_NAMED = re.compile(
    rf"(?:\bscore\b|\brating\b|\brate\b|评分|得分|分数|打分)[^\d\n+-]{{0,24}}({_SHOWN})"
    rf"|({_SHOWN})\s*(?:分|out of 100\b)"
    rf"|({_WHOLE}(?:\.{_PART})?\s*/\s*100)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(
    rf"\W*(?:about|around|roughly|approximately|大约|大概|约)?\s*({_SHOWN})\s*(?:points?)?[\s.。!*]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ScoreReply:
    """What a scoring reply holds."""

    score: float
    """0 to 100."""
    reason: str
    """In the model's words, short; may be empty."""
    arguments: Mapping[str, Json]
    """Everything else that the reply holds: the tool's arguments, unchecked."""
    defence: ScoreDefence
    note: str = ""
    """What was odd about the score, such as `150 is out of range, taken as 100`."""
    is_cut_off: bool = False
    """The reply ended before its value did: what came last, an argument or the score itself, may be incomplete."""
    raw: str = field(default="", compare=False, repr=False)
    """The text as it came."""


def read_score(text: str) -> ScoreReply:
    """Read the score of a reply, and what stands beside it.

    `88`, `"88"`, `88.0`, `"88/100"`, `"88 %"`, `"8 out of 10"` and `"about 88"` are 88 (or 80). A number below 0 or
    above 100 is taken as the nearest of them, and noted. A truth value, NaN, Infinity, null, a list or a number in
    words (`eighty-eight`, `八十八`) is no score: a model that writes so did not do what it was asked, and unscored
    is told while a wrong number is not.

    Raises:
        ModelMalformed: there is no score; the message says what stood in its place.
    """
    try:
        return _score(text)
    except ModelMalformed as error:
        raise ModelMalformed(error.message, hint=error.hint, raw=text) from error


def _score(text: str) -> ScoreReply:
    try:
        replies = read_all(text)
    except ModelMalformed:
        return _score_in_prose(text)
    for reply in replies:
        if isinstance(reply.value, dict | list) and (fields := _fields_with_score(reply.value)) is not None:
            return _score_of_fields(fields, reply)
    if not isinstance(replies[0].value, dict | list):
        return _as_reply(_Number.wanted(replies[0].value), replies[0].defence, text)
    if replies[0].defence == "none":
        raise ModelMalformed(f"The reply holds no score: {clipped(text, 120)!r}.")
    return _score_in_prose(text)


@dataclass(frozen=True, slots=True)
class _Number:
    value: float
    note: str = ""

    @classmethod
    def wanted(cls, value: Json) -> "_Number":
        number = _read_number(value)
        if number is None:
            raise ModelMalformed(f"The score is {clipped(to_json(value), 60)}, not a number.")
        return number


def _as_reply(number: _Number, defence: ScoreDefence, raw: str) -> ScoreReply:
    return ScoreReply(number.value, "", {}, defence, number.note, raw=raw)


def _score_of_fields(fields: dict[str, Json], reply: Reply) -> ScoreReply:
    names = {name.casefold(): name for name in fields}
    score = next(names[key] for key in _SCORE_KEYS if key in names)
    reasons = [fields[names[key]] for key in _REASON_KEYS if key in names]
    reason = next((reason for reason in reasons if isinstance(reason, str)), "")
    number = _Number.wanted(fields[score])
    arguments = {name: value for name, value in fields.items() if name != score and name.casefold() not in _REASON_KEYS}
    return ScoreReply(
        number.value, clipped(reason, 240), arguments, reply.defence, number.note, reply.is_cut_off, reply.raw
    )


def _fields_with_score(value: Json, levels: int = 2) -> dict[str, Json] | None:
    """Find the object that holds a score: the value itself, or the only such one inside of it."""
    if isinstance(value, dict) and any(key.casefold() in _SCORE_KEYS for key in value):
        return value
    if levels == 0 or not isinstance(value, dict | list):
        return None
    inner = list(value.values()) if isinstance(value, dict) else value
    found = [fields for one in inner[:20] if (fields := _fields_with_score(one, levels - 1)) is not None]
    return found[0] if len(found) == 1 else None


def _score_in_prose(text: str) -> ScoreReply:
    """Read the last number that plain words call a score; or the only one, if there is nothing else."""
    words = _narrowed(unicodedata.normalize("NFKC", clean(text[:_PROSE_CHARACTERS])))
    named = [next(group for group in match.groups() if group) for match in _NAMED.finditer(words)]
    alone = _ALONE.fullmatch(words)
    number = _in_words(named[-1]) if named else _in_words(alone[1]) if alone else None
    if number is None:
        raise ModelMalformed(f"The reply holds no score: {clipped(words, 120)!r}.")
    return _as_reply(number, "prose", text)


def _narrowed(words: str) -> str:
    """Make one character of each run of space, for the same reason as in `_WHOLE`."""
    return _RUNS.sub(lambda run: "\n" if "\n" in run[0] else " ", words)


def _read_number(value: Json) -> _Number | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _clamped(value)
    return _in_words(value) if isinstance(value, str) and len(value) <= _NUMBER_CHARACTERS else None


def _clamped(value: float) -> _Number | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    if not math.isfinite(number):
        return None
    if 0 <= number <= 100:
        return _Number(number)
    nearest = 100.0 if number > 100 else 0.0
    return _Number(nearest, f"{number:g} is out of range, taken as {nearest:g}")


def _in_words(words: str) -> _Number | None:
    """Read the one number in `words`: `88%`, `88/100`, `8 out of 10`, `about 88`, `88分（满分100）`."""
    text = _FULL_MARKS.sub("", unicodedata.normalize("NFKC", words))
    if (ratio := _RATIO.search(text)) and float(ratio[2]) > 0:
        return _clamped(100 * float(ratio[1]) / float(ratio[2]))
    numbers = set(_NUMBER.findall(text))
    return _clamped(float(numbers.pop().replace(",", "."))) if len(numbers) == 1 else None

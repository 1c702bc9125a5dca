"""Arguments without a model: each parameter is filled from the question by its role, or left out.

Nothing is invented: what the question does not say is missing.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pegboard.bind import chinese, english
from pegboard.bind.measures import measured
from pegboard.bind.mention import mentioned, within_name
from pegboard.bind.patterns import by_pattern
from pegboard.bind.roles import Role, parameters, roles
from pegboard.catalog.tool import Schema
from pegboard.knowledge.quantities import number
from pegboard.knowledge.wording import aspects
from pegboard.knowledge.wording.stems import stems
from pegboard.llm.references import kinds, required
from pegboard.text import Json, tokens, words_of_name

_NUMBER = re.compile(
    r"(?<![\w.])[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w.]*\w)|(?<=[\u4e00-\u9fff])\d+(?:\.\d+)?|"
    r"\d+(?:\.\d+)?(?=[\u4e00-\u9fff])"
)
_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]?"
    r"|\b\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?:,"
    r"?\s+\d{4})?"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\s+\d{1,2}(?:st|nd|rd|th)?(?:,"
    r"?\s+\d{4})?\b",
    re.IGNORECASE,
)
_HAN_COUNT = re.compile("([零〇一二两三四五六七八九十百千万]{1,10})(?=[个人位份件只台次张把双天岁盒瓶包斤页号级星])")
_SPELLED = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_READ_CHARACTERS = 2_000
"""How much of a question is read for turns of phrase: nothing else is answered meanwhile, up to 0.1 s."""


class Phrases(Protocol):
    """What turns of phrase tell: the modules `english` and `chinese`. Empty where nothing is told."""

    def named(self, question: str) -> Iterator[str]: ...

    def pairs(self, question: str) -> list[tuple[str, str]]: ...

    def ingredient(self, question: str) -> str: ...

    def dish(self, question: str) -> str: ...

    def main_item(self, question: str) -> str: ...

    def accompaniment(self, question: str) -> str: ...

    def place(self, question: str) -> str: ...

    def parts(self, question: str) -> list[str]: ...

    def ensemble(self, question: str) -> str: ...

    def reason(self, question: str) -> str: ...


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question and what is known of it."""

    whole: str
    text: str
    """As much of its beginning as is read for turns of phrase."""
    names: Sequence[str]
    """Names of things that the site has and the question may mean."""
    phrases: Phrases
    """Of its language."""
    counts: str = ""
    """The parameter that a lone number is for."""


def extract(question: str, schema: Schema, *, language: str, names: Sequence[str] = ()) -> dict[str, Json]:
    """Return the arguments that `question` gives for the parameters of `schema`."""
    whole = question.strip()
    properties = parameters(schema)
    is_for_each = roles(properties)
    counts = _counting([name for name, is_for in is_for_each.items() if is_for == "number"], required([schema]))
    phrases = chinese if language == "zh" else english
    asked = _Asked(whole, whole[:_READ_CHARACTERS], names, phrases, counts)
    found: dict[str, Json] = {}
    for name, is_for in is_for_each.items():
        value: Json = by_pattern(asked.text, properties[name])
        if value is None:
            value = _value(asked, name, is_for, properties[name])
        is_whole = value == [whole] and "quer" not in name.casefold()  # a whole question is no list of things
        if value not in (None, "", []) and not is_whole:
            found[name] = value
    return found


def _counting(names: Sequence[str], needed: Collection[str]) -> str:
    """Return the parameter that a lone number is for: the first that is needed, or the first."""
    return next((name for name in names if name in needed), names[0] if names else "")


def _value(asked: _Asked, name: str, is_for: Role, wanted: Mapping[str, Json]) -> Json:
    if is_for in _BY_SCHEMA:
        return _BY_SCHEMA[is_for](asked, name, wanted)
    read = _BY_ROLE.get(is_for)
    return read(asked) if read is not None else None


def _item(asked: _Asked) -> str | None:
    """Return the thing that is named: by its place in the question, by the site's names, or the rest."""
    candidates = list(asked.phrases.named(asked.text))
    known = mentioned(asked.text, asked.names)
    if candidates and (not known or set(stems(candidates[0])) & set(stems(known[0]))):
        return within_name(candidates[0], asked.names)
    return known[0] if known else _rest(asked)


def _rest(asked: _Asked) -> str | None:
    """Return the question itself if it says more than what is asked: a search finds what it names."""
    return asked.whole if stems(aspects.without_asked(asked.text)) else None


def _main_item(asked: _Asked) -> str | None:
    return within_name(asked.phrases.main_item(asked.text), asked.names) or _item(asked)


def _details(asked: _Asked) -> str | None:
    """Return the aspects that the question asks for, names of things left out."""
    said = [within_name(name, asked.names) for name in list(asked.phrases.named(asked.text))[:1]]
    names = [*mentioned(asked.text, asked.names), *said]
    names += [name for pair in asked.phrases.pairs(asked.text)[:1] for name in pair]
    return ", ".join(aspects.asked(aspects.without_name(asked.text, *names))) or None


def _dish(asked: _Asked) -> str | None:
    return within_name(asked.phrases.dish(asked.text), asked.names) or None


def _pair(asked: _Asked, place: int) -> str | None:
    readings = asked.phrases.pairs(asked.text)
    if readings:
        return within_name(max(readings, key=lambda pair: closeness(pair, asked.names))[place], asked.names)
    known = mentioned(asked.text, asked.names)
    return known[place] if len(known) > place and len(known) > 1 else None


def closeness(pair: tuple[str, str], names: Sequence[str]) -> float:
    """Say how well both halves are names of the site: the worse of the two counts."""
    return min(max((_overlap(half, name) for name in names), default=0.0) for half in pair)


def _overlap(half: str, name: str) -> float:
    said, known = set(tokens(half)), set(tokens(name))
    return len(said & known) / len(said | known) if said | known else 0.0


def _choice(asked: _Asked, name: str, wanted: Mapping[str, Json]) -> Json:
    """Return the choice whose words stand in the question; of several, the longest."""
    choices = wanted.get("enum")
    text = f" {' '.join(tokens(asked.text))} "
    fitting = [
        choice
        for choice in (choices if isinstance(choices, list) else [])
        if str(choice).strip() and _stands_in(str(choice), asked.text, text)
    ]
    return max(fitting, key=lambda choice: len(str(choice))) if fitting else None


def _stands_in(choice: str, question: str, text: str) -> bool:
    words = " ".join(tokens(words_of_name(choice))) if choice.isascii() else ""
    return f" {words} " in text or f" {words}s " in text if words else choice in question


def _number(asked: _Asked, name: str, wanted: Mapping[str, Json]) -> Json:
    """Return the measure in the parameter's unit, the number beside a word of its name, or the only number."""
    if (measure := measured(asked.text, name, wanted)) is not None:
        return int(measure) if measure.is_integer() else measure if "number" in kinds(wanted) else None
    numbers = list(_NUMBER.finditer(asked.text))
    words = [word.rstrip("s") for word in words_of_name(name).split() if len(word) > 2]
    lone = numbers[0] if len(numbers) == 1 and name == asked.counts else None
    chosen = _beside(asked.text, numbers, words) or lone
    is_han = not numbers and name == asked.counts
    value = float(chosen[0].replace(",", "")) if chosen else _spelled(asked.text, words)
    value = _han_number(asked.text) if value is None and is_han else value
    if value is None:
        return None
    return int(value) if value.is_integer() else value if "number" in kinds(wanted) else None


def _spelled(text: str, words: Sequence[str]) -> float | None:
    """Return the number that is written as a word in front of one of `words`: `three packs`."""
    found = {_SPELLED.index(each[1].lower()) for word in words for each in _before(word).finditer(text)}
    return float(found.pop()) if len(found) == 1 else None


def _before(word: str) -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(_SPELLED[1:])})\s+{re.escape(word)}", re.IGNORECASE)


def _beside(text: str, numbers: Sequence[re.Match[str]], words: Sequence[str]) -> re.Match[str] | None:
    """Return the number that one of `words` follows (`4 guests`), else the only one that it leads to (`guests: 4`)."""
    before: list[re.Match[str]] = []
    for index, one in enumerate(numbers):
        end = numbers[index + 1].start() if index + 1 < len(numbers) else len(text)
        start = numbers[index - 1].end() if index else 0
        if any(word in text[one.end() : min(end, one.end() + 15)].lower() for word in words):
            return one
        if any(word in text[max(start, one.start() - 20) : one.start()].lower() for word in words):
            before.append(one)
    return before[0] if len(before) == 1 else None


def _han_number(text: str) -> float | None:
    """Return the only number that is written in Chinese and counts something: `四人份`."""
    counted = _HAN_COUNT.findall(text)
    return number(counted[0]) if len(counted) == 1 else None


def _flag(asked: _Asked, name: str, wanted: Mapping[str, Json]) -> Json:
    """Return true where the question has the words of the parameter's name; silence says nothing."""
    words = set(words_of_name(name).split()) - {"is", "has", "only", "with", "include"}
    return True if words and words <= set(tokens(asked.text)) else None


def _queries(asked: _Asked, name: str, wanted: Mapping[str, Json]) -> Json:
    return [*asked.phrases.parts(asked.text)] or [asked.whole]


def _date(asked: _Asked) -> str | None:
    match = _DATE.search(asked.text)
    return match[0] if match else None


_BY_SCHEMA: dict[Role, Callable[[_Asked, str, Mapping[str, Json]], Json]] = {
    "choice": _choice,
    "number": _number,
    "flag": _flag,
    "queries": _queries,
}
_BY_ROLE: dict[Role, Callable[[_Asked], Json]] = {
    "document": lambda asked: next(iter(asked.phrases.named(asked.text)), None),
    "query": lambda asked: asked.whole,
    "expression": lambda asked: asked.whole,
    "details": _details,
    "item": _item,
    "main_item": _main_item,
    "dish": _dish,
    "first_item": lambda asked: _pair(asked, 0),
    "second_item": lambda asked: _pair(asked, 1),
    "ingredient": lambda asked: asked.phrases.ingredient(asked.text),
    "accompaniment": lambda asked: asked.phrases.accompaniment(asked.text),
    "ensemble": lambda asked: asked.phrases.ensemble(asked.text),
    "reason": lambda asked: asked.phrases.reason(asked.text),
    "place": lambda asked: asked.phrases.place(asked.text),
    "date": _date,
}

"""What a question wants left out of a dish: `without nuts`, `egg-free`, `不含坚果`, `allergic to peanuts`.

Pure. A word counts as food if a family of ingredients goes by it, or if the content has it as an ingredient.
"""

from collections.abc import Iterator
from typing import TypeAlias

import re2

from pegboard.catalog.contract import Filter
from pegboard.knowledge import foods
from pegboard.knowledge.coverage import Coverage

Span: TypeAlias = tuple[int, int, tuple[Filter, ...]]
"""Where words of a question begin and end, and the conditions that they say."""

_TRIGGER = re2.compile(
    r"(?i)(\b(?:have|has|got|there's|there is|there are)\s+)?\b"
    r"(?:without|excluding|minus|not\s+containing|with\s+no|allergic\s+to|allergy\s+to|free\s+(?:of|from)|no)\s+"
)
_SKIPPED = re2.compile(r"(?i)\s*(?:(?:any|the|no|without|added)\s+)*")
_WORD = re2.compile(r"\p{Latin}+")
_JOINED = re2.compile(r"(?i)\s*,?\s*(?:(?:and|or|nor)\s+|,\s*|&\s*)")
_FREE_FROM = re2.compile(
    r"(?i)\b(\p{Latin}+)(?:[\s-]free|less)\b|无(坚果|花生|鸡蛋|蛋|乳糖|牛奶|奶|大豆|海鲜|肉|酒精)(?:的)?"
)
_HAN_TRIGGER = re2.compile(r"(不含有?|不放|不加|不要|不用|不带|没有|不吃|无)(\p{Han}{1,6})")
_HAN_ALLERGY = re2.compile(r"对(\p{Han}{1,5}?)过敏(?:的)?")
_HAN_JOINED = re2.compile(r"[和或、及与](\p{Han}{1,6})")
_HAN = re2.compile(r"[^\P{Han}的和或及与]+")
_GLUTEN = frozenset({"gluten", "wheat", "麸质", "麦麸", "小麦", "面筋"})
_OTHER_WORDS = """
    a an and any are at but by can could do does for from how i if in is it me my nor not on or please
    problem problems so that the there they this to too under very what when which with you your
"""
_NOT_A_FOOD = frozenset(_OTHER_WORDS.split())


def find_wishes(question: str, coverage: Coverage | None) -> Iterator[Span]:
    """Find what shall be left out.

    Without a `coverage` a word that no family goes by counts as food only right after a word like `without`.
    """
    for match in _FREE_FROM.finditer(question):
        word = (match[1] or match[2]).lower()
        is_plain = word not in _GLUTEN and word not in _NOT_A_FOOD  # gluten-free is a diet's name
        if is_plain and (food := next((each for each in (word, f"{word}s") if _is_food(each, coverage)), None)):
            yield match.start(), match.end(), (_filter(food, match[0]),)
    for match in _TRIGGER.finditer(question):
        if not match[1]:
            is_sure = not match[0].strip().lower().endswith("no")
            yield from _english(question, match.start(), match.end(), coverage, is_sure=is_sure)
    for match in _HAN_ALLERGY.finditer(question):
        yield match.start(), match.end(), (_filter(match[1], match[0]),)
    for match in _HAN_TRIGGER.finditer(question):
        yield from _chinese(question, match.start(), match[1], match.start(2), coverage)


def _english(question: str, start: int, at: int, coverage: Coverage | None, *, is_sure: bool) -> Iterator[Span]:
    names: list[str] = []
    end = at
    while True:
        at = _SKIPPED.match(question, at).end()
        words = list(_two_words(question, at))
        found = next((word for word in reversed(words) if _is_food(word[0], coverage)), None)
        if found is None and words and coverage is None and is_sure and not names:
            found = words[0]
        if found is None:
            break
        names.append(found[0])
        end = found[1]
        joined = _JOINED.match(question, end)
        if joined is None:
            break
        at = joined.end()
    if names:
        said = question[start:end].strip()
        yield start, end, tuple(_filter(name, said) for name in names)


def _two_words(question: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield the word at `at`, then it and the next one, each with its end."""
    first = _WORD.match(question, at)
    if first is None or first[0].lower() in _NOT_A_FOOD:
        return
    yield first[0].lower(), first.end()
    if question[first.end() : first.end() + 1] == " ":
        second = _WORD.match(question, first.end() + 1)
        if second is not None and second[0].lower() not in _NOT_A_FOOD | {"and", "or", "nor"}:
            yield f"{first[0]} {second[0]}".lower(), second.end()


def _chinese(question: str, start: int, trigger: str, at: int, coverage: Coverage | None) -> Iterator[Span]:
    names: list[str] = []
    end = at
    while food := _longest_food(question[at : at + 6], coverage, is_sure=trigger.startswith("不") and not names):
        names.append(food)
        end = at + len(food)
        joined = _HAN_JOINED.match(question, end)
        if joined is None:
            break
        at = joined.start(1)
    is_of = question[end : end + 1] == "的"
    if not names or (trigger == "没有" and not is_of):  # 没有鸡蛋怎么办 asks for something else
        return
    end += is_of
    said = question[start:end]
    yield start, end, tuple(_filter(name, said) for name in names)


def _longest_food(text: str, coverage: Coverage | None, *, is_sure: bool) -> str:
    run = _HAN.match(text)
    whole = run[0] if run else ""
    for length in range(len(whole), 0, -1):
        if _is_food(whole[:length], coverage) and (
            length > 1 or foods.family_called(whole[:length]) or whole == whole[:1]
        ):
            return whole[:length]
    return whole if coverage is None and is_sure and len(whole) <= 4 else ""


def _is_food(word: str, coverage: Coverage | None) -> bool:
    if word in _GLUTEN or foods.family_called(word):
        return True
    return coverage is not None and bool(coverage.ingredients) and foods.holds(coverage.ingredients, word)


def _filter(word: str, said: str) -> Filter:
    word = word.lower()
    if word in _GLUTEN:
        return Filter("diet", "=", "gluten-free", "", said.strip())
    family = foods.family_called(word)
    return Filter("without", "not", family.name if family else word, "", said.strip())

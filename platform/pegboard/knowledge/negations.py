"""What a question wants a thing not to be: `not spicy`, `but no in-ear ones`, `不辣的`.

Pure. A word can be judged if it is a quality, or a word that the content's items say of themselves; the rest of such
wishes is found too, so that an answer can say that it was not applied. What is left out of a dish is `wishes`'
business: a food counts there first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import re2

from pegboard.catalog.contract import Filter
from pegboard.knowledge.coverage import Coverage
from pegboard.knowledge.qualities import CALLED, QUALITY_BY_NAME

Match: TypeAlias = Any
"""Of RE2, which ships no types."""

_ENGLISH = re2.compile(
    r"(?i)\b(?:(?:but|and|that|which|who)\s+)*(?:(?:is|are|it's|they're)\s+)?"
    r"(not|isn't|aren't|nothing|without|with\s+no|no|non)(?:\s+|-)(?:(?:any|an?|the)\s+)?"
    r"((?:too|very|overly|so|that|particularly|terribly|really)\s+)?(\p{Latin}[\p{Latin} -]{0,40})"
)
_LESS = re2.compile(r"(?i)\b(?:less|fairly\s+un|low\s+in)\s+(\p{Latin}+)")
_FREE = re2.compile(r"(?i)\b(\p{Latin}+)[\s-]free\b")
_CHINESE = re2.compile(
    r"((?:不要|不能|别|不|不用)(太过?|怎么|那么|很|过于|够)|不要|不是|不带|不含|没有|别|非|免|无|不)"
    r"(\p{Han}{1,6})"
)
_WORD = re2.compile(r"[\p{Latin}-]+")
_ONES = re2.compile(r"(?i)^\s+(?:ones?|models?|types?|kinds?)\b")
_HAN_ONES = re2.compile(r"^式?的?")
_OTHER_WORDS = """
    a about able all also an and any anyone are as at available be been but by can certain clear come could did do
    does doing done else enough even ever far for from get go going good have having here how i if in interested is it
    just know later long longer looking made make many matter me mind more much my necessarily need never now of on
    one only or other over problem really right see sold some sure than that the there they this time to under until
    use used using want what when where which who will wish work working worth yet you your
"""
_NOT_JUDGED = frozenset(_OTHER_WORDS.split())
"""Words behind a `not` that name no quality."""
_NOT_JUDGED_HAN = "错同用能会要想知可需是过少多到超低高大小断行懂够敢得如然但仅只管论好让该必应符粘锈沾了吃喝放加含带"
"""Characters behind a 不 that make another word of it."""


@dataclass(frozen=True, slots=True)
class Unwanted:
    """What shall not be, and where the question says so."""

    start: int
    end: int
    words: str
    """Of the question."""
    condition: Filter | None
    """None where the content does not tell."""


def find_unwanted(question: str, coverage: Coverage | None) -> Iterator[Unwanted]:
    """Find what a thing shall not be, in the order of the question; without a `coverage`, only qualities."""
    reader = _Reader(question, coverage)
    for match in _ENGLISH.finditer(question):
        yield from reader.english(match)
    for match in _LESS.finditer(question):
        if (word := match[1].lower()) in CALLED:
            yield reader.found(match.start(), match.end(), CALLED[word], is_somewhat=True)
    for match in _FREE.finditer(question):
        word = match[1].lower()
        if coverage is not None and coverage.says(word, of_kinds=False):
            yield reader.found(match.start(), match.end(), CALLED.get(word, word))
    for match in _CHINESE.finditer(question):
        if match[1] != "没有" or "的" in match[3]:  # 没有鸡蛋怎么办 asks for something else
            yield from reader.chinese(match)


class _Reader:
    """Reads one question."""

    def __init__(self, question: str, coverage: Coverage | None) -> None:
        self._question = question
        self._coverage = coverage

    def english(self, match: Match) -> Iterator[Unwanted]:
        trigger, is_somewhat, start = match[1].lower(), bool(match[2]), match.start()
        has = trigger.startswith("with")  # of what a thing has not, its kind says nothing
        phrases = list(self._phrases(match.start(3)))
        for words, end in reversed(phrases):
            word = CALLED.get(words.lower(), words.lower())
            if self._is_known(word, of_kinds=not has):
                tail = _ONES.match(self._question[end:])
                yield self.found(start, end + (tail.end() if tail else 0), word, is_somewhat=is_somewhat)
                return
        has_foods = self._coverage is not None and "without" in self._coverage.fields
        is_condition = is_somewhat or (has_foods if has else trigger not in {"no", "nothing"})
        if is_condition and phrases and phrases[0][0].lower() not in _NOT_JUDGED:
            end = phrases[0][1]
            yield Unwanted(start, end, self._question[start:end].strip(), None)

    def chinese(self, match: Match) -> Iterator[Unwanted]:
        question, start, at, is_somewhat = self._question, match.start(), match.start(3), bool(match[2])
        run = match[3]
        for length in range(len(run), 0, -1):
            word = CALLED.get(run[:length], run[:length])
            if self._is_known(word, of_kinds=True, least=2):
                end = at + length
                ones = _HAN_ONES.match(question[end:])
                yield self.found(start, end + ones.end(), word, is_somewhat=is_somewhat)
                return
        is_condition = is_somewhat or (match[1] == "不" and "的" in run[1:3])
        if is_condition and run[0] not in _NOT_JUDGED_HAN:
            end = at + (run.find("的") + 1 or len(run[:2]))
            yield Unwanted(start, end, question[start:end].removesuffix("的"), None)

    def found(self, start: int, end: int, word: str, *, is_somewhat: bool = False) -> Unwanted:
        """Return what was found; a quality that nothing claims to have cannot be judged."""
        words = self._question[start:end].strip().removesuffix("的")
        condition = Filter("called", "not", word, "somewhat" if is_somewhat else "", words)
        is_judged = self._coverage is None or self._coverage.says(word, of_kinds=True)
        return Unwanted(start, end, words, condition if is_judged else None)

    def _is_known(self, word: str, *, of_kinds: bool, least: int = 1) -> bool:
        if word in QUALITY_BY_NAME:
            return True
        return len(word) >= least and self._coverage is not None and self._coverage.says(word, of_kinds=of_kinds)

    def _phrases(self, at: int) -> Iterator[tuple[str, int]]:
        """Yield the word at `at`, then with the next, then with the one after, each with its end."""
        start = at
        for _ in range(3):
            word = _WORD.match(self._question, at)
            if word is None:
                return
            yield self._question[start : word.end()], word.end()
            at = word.end() + 1
            if self._question[word.end() : at] != " ":
                return

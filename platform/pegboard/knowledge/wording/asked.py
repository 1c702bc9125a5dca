"""A question, and how well a text answers it among the passages at hand.

Three kinds of evidence are joined: the words of the question (its own, or others of the same meaning) in the
heading, the text and what the whole article is about; the score of the search; and the kind of the question.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from pegboard.catalog.contract import Item, Passage
from pegboard.knowledge.values import texts_of
from pegboard.knowledge.wording.sentences import Said, is_ordered
from pegboard.knowledge.wording.stems import asked_words, held_words, kin

_HEADING, _TEXT, _ARTICLE = 1.0, 0.8, 0.5
"""What a word of the question counts by where it is found first; the article is its title, summary and keywords."""
_SAME_MEANING = 0.75
"""What another word of the same meaning counts."""
_SAME_CHARACTER = 0.5
"""What a lone Chinese character of the same meaning counts: it may be part of another word."""
_COVER, _SCORE, _KIND, _UNASKED = 0.6, 0.3, 0.15, 0.1
"""Shares of the kinds of evidence in the worth of a passage; what a heading adds to the question costs."""
_FITS, _SURELY_FOUND = 0.38, 70.0
"""A passage of this worth, or with this score of the search, is about the question: of 20 questions that no article
of the demo answers one has such a passage, of 40 that one answers all do but one."""
_TELLING = 0.3
"""Of the question: a line of a list that speaks of so much may stand for the list."""
_LONG = 6
"""Letters of a word that is found in longer ones: `crypto` in `cryptocurrency`."""

_KINDS = {
    kind: re.compile(pattern, re.IGNORECASE)
    for kind, pattern in {
        "steps": r"^how (?:do|can|should|to)\b|\bhow (?:do|can|should|does) (?:i|we|you|the)\b|\bhow to\b|steps?\b|"
        r"怎么(?!样|算|处理|会|了)|如何|怎样|步骤|操作|怎么办|申请",
        "time": r"\bwhen\b|\bhow (?:long|soon|quick|fast|many (?:days|hours|weeks))\b|"
        r"多久|多长时间|几天|多少天|什么时候|何时|到账|时效",
        "cost": r"\bhow much\b|\bcosts?\b|\bprices?\b|\bfees?\b|\bpay for\b|\bfree\b|"
        r"多少钱|运费|费用|收费|免费|价格|谁出|要钱|加钱",
        "hours": r"\bwhat time\b|\bhours\b|几点|上班时间|营业时间",
        "temperature": r"\btemperature\b|\bdegrees?\b|\bhow hot\b|温度|多少度|几度",
        "where": r"\bwhere\b|哪里|哪儿|在哪",
        "why": r"\bwhy\b|为什么|怎么会|原因",
        "who": r"\bwho(?:m)?\b|谁|找哪",
    }.items()
}
_CLOCK = r"\d{1,2}:\d\d|\d ?[ap]m\b"
_AMOUNTS = {
    "time": re.compile(
        r"\d[\d,.–～~-]*\s*(?:to \d+ )?(?:business |working )?(?:second|minute|min\b|hour|h\b|day|week|month|year)"
        r"|\d[\d.–～~-]*\s*(?:个)?(?:工作日|秒|分钟|小时|天|日|周|月|年)|[一两三]年|" + _CLOCK
    ),
    "cost": re.compile(r"[$€£¥]\s?\d|\d\s*(?:元|块|dollars?|euros?)|\bfree\b|免费|包邮"),
    "hours": re.compile(_CLOCK),
    "temperature": re.compile(r"\d+ ?(?:°|℃|度)"),
}
"""What an answer to these kinds of question holds."""

Kind: TypeAlias = Literal["time", "cost", "hours", "temperature"]


def holds(kind: Kind, text: str) -> bool:
    """Tell whether `text` holds an amount of this kind."""
    return bool(_AMOUNTS[kind].search(text))


class Asked:
    """A question that is held against texts."""

    def __init__(self, question: str, passages: Sequence[Passage]) -> None:
        self._words = asked_words(question)
        self._kin = {word: kin(word) for word in self._words}
        self._kinds = [kind for kind, pattern in _KINDS.items() if pattern.search(question)]
        held = [held_words(f"{passage.heading} {passage.text}") for passage in passages]
        counts = {word: sum(word in words or bool(self._kin[word] & words) for words in held) for word in self._words}
        self._weights = {word: math.log(1.5 + len(passages) / (0.5 + count)) for word, count in counts.items()}
        self._whole = sum(self._weights.values()) or 1.0
        self._articles: dict[str, frozenset[str]] = {}

    @property
    def wants_steps(self) -> bool:
        """It asks how something is done."""
        return "steps" in self._kinds

    @property
    def is_empty(self) -> bool:
        """It speaks of nothing."""
        return not self._words

    def cover(self, text: str) -> float:
        """Return the share of the question that `text` speaks of, 0 to 1; rare words weigh more."""
        words = held_words(text)
        return self._share(lambda word: self._held(word, words))

    def cover_of(self, passage: Passage) -> float:
        """Return the share of the question that a passage speaks of, in its heading, its text or its article."""
        places = self._places(passage)
        return self._share(lambda word: max(worth * self._held(word, words) for words, worth in places))

    def worth(self, passage: Passage) -> float:
        """Return how well a passage answers, 0 to 1: what is said in several places weighs more."""
        places = self._places(passage)
        whole = sum(worth for _, worth in places)
        all_over = self._share(lambda word: sum(worth * self._held(word, words) for words, worth in places) / whole)
        kind = max((self._has_kind(kind, passage) for kind in self._kinds), default=0.0)
        cover = (self.cover_of(passage) + all_over) / 2
        return _COVER * cover + _SCORE * passage.score / 100 + _KIND * kind - _UNASKED * self._unasked(passage.heading)

    def fits(self, passage: Passage) -> bool:
        """Tell whether a passage is about what was asked."""
        return self.worth(passage) >= _FITS or (passage.score >= _SURELY_FOUND and self.cover_of(passage) > 0)

    def _places(self, passage: Passage) -> tuple[tuple[frozenset[str], float], ...]:
        return (
            (held_words(passage.heading), _HEADING),
            (held_words(passage.text), _TEXT),
            (self._article(passage.item), _ARTICLE),
        )

    def _share(self, held: Callable[[str], float]) -> float:
        return sum(weight * held(word) for word, weight in self._weights.items()) / self._whole

    def _unasked(self, heading: str) -> float:
        """Return the share of a heading that the question does not speak of: it may be another case.

        A heading that shares nothing with the question tells no case.
        """
        told = asked_words(heading)
        asked = {word for own in self._words for word in (own, *self._kin[own])}
        others = sum(word not in asked for word in told)
        return others / len(told) if others < len(told) else 0.5

    def worth_of(self, piece: Said) -> float:
        """Return how well a sentence or a list answers; the first one is what the heading is about."""
        worth = self.cover(f"{piece.passage.heading} {piece.text}" if piece.position == 0 else piece.text)
        if self.wants_steps and is_ordered(piece.text):
            worth += 0.5
        if self.measures(piece.text):
            worth += 0.3
        return worth

    def measures(self, text: str) -> bool:
        """Tell whether `text` holds an amount of the kind that is asked for: a time, a price, a temperature."""
        return any(pattern.search(text) for kind, pattern in _AMOUNTS.items() if kind in self._kinds)

    def telling(self, lines: Sequence[str]) -> list[str]:
        """Return the few lines that speak of what was asked and no other line does; none if there are no such."""
        covers = [self.cover(line) for line in lines]
        best = max(covers, default=0.0)
        kept = [line for line, cover in zip(lines, covers, strict=True) if cover >= 0.6 * best]
        return kept if best >= _TELLING and 2 * len(kept) <= len(lines) else []

    def _has_kind(self, kind: str, passage: Passage) -> float:
        """Return how surely a passage answers this kind of question, by its heading or by a line that does."""
        if _KINDS[kind].search(passage.heading):
            return 1.0
        if kind == "steps":
            return 0.5 if is_ordered(passage.text) else 0.0
        amount = _AMOUNTS.get(kind)
        lines = passage.text.split("\n") if amount else []
        return 0.7 * max((self.cover(line) for line in lines if amount and amount.search(line)), default=0.0)

    def _held(self, word: str, words: frozenset[str]) -> float:
        if word in words:
            return 1.0
        if kin := self._kin[word] & words:
            return _SAME_MEANING if any(len(other) > 1 for other in kin) else _SAME_CHARACTER
        is_begun = len(word) >= _LONG and word.isascii() and any(other.startswith(word) for other in words)
        return _SAME_MEANING if is_begun else 0.0

    def _article(self, item: Item) -> frozenset[str]:
        if item.url not in self._articles:
            told = [item.name, item.description, *texts_of(item.schema_object.get("keywords"))]
            self._articles[item.url] = held_words(" ".join(told))
        return self._articles[item.url]

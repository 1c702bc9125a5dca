"""Which sentences of the passages that a search found answer a question.

First the passage, by how well its heading and text cover the question; then, within it, the sentence that
begins it (a section that was written well begins with its answer) and those that say more of what was asked.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from pegboard.catalog.contract import Passage
from pegboard.knowledge.wording.sentences import Said, said
from pegboard.knowledge.wording.stems import stems, widened
from pegboard.text import language

_KINDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^how (?:do|can|should|to)\b|\bhow (?:do|can|should) (?:i|we|you)\b|\bhow to\b|steps?\b|怎么(?!样|"
        r"算|处理|会|了)|如何|怎样|步骤|操作|怎么办|申请",
        r"\bwhen\b|\bhow (?:long|soon|quick|fast|many days)\b|多久|多长时间|几天|多少天|什么时候|何时|到账",
        r"\bhow much\b|\bcosts?\b|\bprices?\b|\bfees?\b|\bpay for\b|\bfree\b|多少钱|运费|费用|收费|免费|"
        r"价格|谁出",
        r"\bwhere\b|哪里|哪儿|在哪",
        r"\bwhy\b|为什么|怎么会|原因",
        r"\bwho(?:m)?\b|谁|找哪",
    )
)
_STEPS, _COST_OR_TIME = 0, (1, 2)
_LINE_MOST = 8
"""Lines of a list that are quoted."""


def answering(
    question: str, passages: Sequence[Passage], *, most: int = 4, quoted: int = 2, needs_words: bool = False
) -> list[Said]:
    """Return the sentences that answer `question`, at most `most`, from at most `quoted` of `passages`.

    Passages in the language of the question go before others. With `needs_words`, only sentences that share a
    word with the question are taken, and no sentence is taken for its place.
    """
    own = [passage for passage in passages if passage.item.language == language(question)] or list(passages)
    if not own:
        return []
    asked = _Asked(question, own)
    ranked = sorted(own, key=lambda passage: -asked.worth(passage))
    enough = 0.75 * asked.worth(ranked[0])
    chosen = [passage for passage in ranked[:quoted] if asked.worth(passage) >= enough]
    if needs_words:
        return _sharing(asked, ranked, most)
    told: list[Said] = []
    for place, passage in enumerate(chosen):
        told += _best_of(asked, passage, most - len(told) if place == 0 else min(2, most - len(told)))
    return told


def _best_of(asked: "_Asked", passage: Passage, most: int) -> list[Said]:
    pieces = [asked.shortened(piece) for piece in said(passage)]
    ranked = sorted(pieces, key=lambda piece: -asked.worth_of(piece))
    enough = 0.25 * asked.worth_of(ranked[0]) if ranked else 0.0
    kept = [piece for piece in ranked[: max(most, 0)] if asked.worth_of(piece) >= enough]
    return sorted(kept, key=lambda piece: piece.position)


def _sharing(asked: "_Asked", passages: Sequence[Passage], most: int) -> list[Said]:
    pieces = [piece for passage in passages for piece in said(passage) if asked.cover(piece.text) > 0]
    ranked = sorted(pieces, key=lambda piece: -asked.cover(piece.text))
    return [piece for piece in ranked[:most] if asked.cover(piece.text) >= 0.5 * asked.cover(ranked[0].text)]


def coverage(question: str, passages: Sequence[Passage]) -> list[float]:
    """Return how much of what `question` names each passage speaks of, 0 to 1; rare words weigh more."""
    asked = _Asked(question, passages)
    return [asked.cover(f"{passage.item.name} {passage.heading} {passage.text}") for passage in passages]


class _Asked:
    """A question, and how well a text answers it among the passages at hand."""

    def __init__(self, question: str, passages: Sequence[Passage]) -> None:
        self._stems = list(dict.fromkeys(stems(question)))
        self._synonyms = {stem: widened([stem]) - {stem} for stem in self._stems}
        held = Counter(stem for passage in passages for stem in set(stems(f"{passage.heading} {passage.text}")))
        self._rarity = {stem: math.log(1.5 + len(passages) / (0.5 + held[stem])) for stem in self._stems}
        self._whole = sum(self._rarity.values()) or 1.0
        self._kinds = {place for place, kind in enumerate(_KINDS) if kind.search(question)}
        self._best = max((passage.score for passage in passages), default=0.0) or 1.0

    def cover(self, text: str) -> float:
        """Return the share of the question that `text` speaks of, 0 to 1; a synonym counts for a part."""
        found = set(stems(text))
        return sum(weight * self._held(stem, found) for stem, weight in self._rarity.items()) / self._whole

    def _held(self, stem: str, found: set[str]) -> float:
        return 1.0 if stem in found else 0.6 if self._synonyms[stem] & found else 0.0

    def worth(self, passage: Passage) -> float:
        """Return how well a passage answers: by search score, heading, text and kind of question."""
        cover = (
            0.25
            + 0.35 * self.cover(passage.heading)
            + 0.25 * self.cover(f"{passage.heading} {passage.text}")
            + 0.15 * self.cover(passage.item.name)
        )
        same_kind = any(_KINDS[place].search(passage.heading) for place in self._kinds)
        return (passage.score / self._best) * (cover + (0.2 if same_kind else 0.0))

    def worth_of(self, piece: Said) -> float:
        """Return how well a sentence answers within its passage."""
        worth = self.cover(piece.text) + (0.5 if piece.position == 0 else 0.0)
        if _STEPS in self._kinds and re.search(r"^1[.)、]", piece.text, re.MULTILINE):
            worth += 0.5
        if self._kinds & set(_COST_OR_TIME) and re.search(r"\d", piece.text):
            worth += 0.2
        return worth

    def shortened(self, piece: Said) -> Said:
        """Return a list with only the lines that hold a word of the question, if some do; else its first."""
        lines = piece.text.split("\n")
        if len(lines) < 3 or re.match(r"1[.)、]", lines[1] if not lines[0].startswith("-") else ""):
            return piece
        head, entries = ([], lines) if lines[0].startswith("- ") else (lines[:1], lines[1:])
        telling = [line for line in entries if set(self._stems) & set(stems(line))]
        kept = telling if telling and len(telling) < len(entries) else entries[:_LINE_MOST]
        return replace(piece, text="\n".join([*head, *kept]))

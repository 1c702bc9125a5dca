"""A question's clauses: what it asks for, one after the other, read from its wording alone. Pure.

A cut is `sure` where what follows begins an order or a question of its own. At any other joint (`and` between two
things, say) it is for the tools to tell whether the two sides are two parts: see `route/parting/parts.py`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pegboard.route.parting import chinese, english
from pegboard.route.parting.cut import Cut
from pegboard.text import language

READ_CHARACTERS = 2_000
"""A longer question is of one part: who writes so much tells a story."""
MOST_CLAUSES = 12
_BLANKS = re.compile(r"[^\S\n]+")
_BREAKS = re.compile(r" ?\n[ \n]*")
_EDGES = " \t\n,;，；、。"
_QUOTED = re.compile(
    r"[\"“][^\"“”]*[\"”]|「[^」]*」|『[^』]*』|《[^》]*》|(?<![\w])'[^']+'(?![\w])|```.*?```", re.DOTALL
)
_LISTED = re.compile(r"(?:(?<=\s)|^|(?<=[:：;；。，,]))(?:\(?\d{1,2}[.)、）]\s*(?!\d)|[-*•]\s+)")


@dataclass(frozen=True, slots=True)
class Clauses:
    """A question with the places at which it may be cut."""

    text: str
    cuts: tuple[Cut, ...]

    def at(self, cuts: Sequence[Cut]) -> list[str]:
        """Return the pieces between `cuts`, in their order."""
        starts = [0, *(cut.end for cut in cuts)]
        ends = [*(cut.start for cut in cuts), len(self.text)]
        pieces = [self.text[start:end].strip(_EDGES) for start, end in zip(starts, ends, strict=True)]
        return [piece for piece in pieces if piece]

    @property
    def sure(self) -> tuple[Cut, ...]:
        """The cuts that the wording is enough for."""
        return tuple(cut for cut in self.cuts if cut.is_sure)


def clauses(question: str) -> list[str]:
    """Return the clauses of `question` as far as its wording tells; one where it is of one part."""
    found = read(question)
    return found.at(found.sure)


def read(question: str) -> Clauses:
    """Return `question` with all places at which it may be cut."""
    text = _BREAKS.sub("\n", _BLANKS.sub(" ", question.strip()))
    spoken = language(text)
    if len(text) > READ_CHARACTERS or spoken not in {"en", "zh"}:
        return Clauses(text, ())
    rules = chinese if spoken == "zh" else english
    masked = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), text)
    cuts = _listed(masked, rules.own) or list(rules.cuts(masked))
    sure = [cut for cut in cuts if cut.is_sure][: MOST_CLAUSES - 1]
    others = [cut for cut in cuts if not cut.is_sure][: MOST_CLAUSES - 1]
    return Clauses(text, tuple(sorted([*sure, *others], key=lambda cut: cut.start)))


def _listed(text: str, own: english.Own) -> list[Cut]:
    """Return the cuts of a numbered list whose entries are all orders or questions; what introduces it is left out."""
    marks = list(_LISTED.finditer(text))
    if len(marks) < 2:
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    entries = [text[mark.end() : end].strip(_EDGES) for mark, end in zip(marks, ends, strict=True)]
    if not all(own(entry) for entry in entries):
        return []
    head = text[: marks[0].start()].strip(_EDGES + ":：")
    first = Cut(marks[0].start(), marks[0].end(), True) if own(head) else Cut(0, marks[0].end(), True)
    return [first, *(Cut(mark.start(), mark.end(), True) for mark in marks[1:])]

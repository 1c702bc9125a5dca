"""Which sentences of the passages that a search found answer a question.

First the passage; then, within it, the sentence that begins it (a section that was written well begins with its
answer) or the one that plainly says more of what was asked, and those that follow it up.
"""

from collections.abc import Sequence
from dataclasses import replace

from pegboard.catalog.contract import Passage
from pegboard.knowledge.wording.asked import Asked, Kind, holds
from pegboard.knowledge.wording.sentences import Said, is_list, is_ordered, said, sentences
from pegboard.text import language

_LINES = 8
"""Lines of a list that are quoted; steps are quoted whole."""
_FOLLOWS = 0.15
"""Of the first sentence's worth: what a sentence must have to follow it."""
_PLAINLY_MORE = 0.41
"""Of the question: a sentence that speaks of so much more than the first one goes before it."""
_ABOUT_AS_GOOD = 0.85
"""Of the best passage's worth: what a second one must have."""


def answering(question: str, passages: Sequence[Passage], *, most: int = 4, quoted: int = 2) -> list[Said]:
    """Return the sentences that answer `question`, at most `most`, from at most `quoted` of `passages`.

    Passages in the language of the question go before others. The sentence that answers goes first.
    """
    own = in_language(question, passages)
    if not own:
        return []
    asked = Asked(question, own)
    best, *others = sorted(own, key=lambda passage: -asked.worth(passage))
    told = _from(asked, best, most)
    for other in others[: quoted - 1]:
        if asked.worth(other) >= _ABOUT_AS_GOOD * asked.worth(best) and _adds(asked, best, other):
            told += _from(asked, other, min(1, most - len(told)))
    return told


def sharing(question: str, passages: Sequence[Passage], *, most: int = 3) -> list[Said]:
    """Return the sentences of all `passages` that share the most words with `question`; none if none does."""
    own = in_language(question, passages)
    asked = Asked(question, own)
    covers = [(asked.cover(piece.text), piece) for passage in own for piece in said(passage)]
    ranked = sorted(((cover, piece) for cover, piece in covers if cover > 0), key=lambda pair: -pair[0])
    return [piece for cover, piece in ranked[:most] if cover >= 0.5 * ranked[0][0]]


def measuring(kind: Kind, words: str, texts: Sequence[str], *, most: int = 2) -> list[str]:
    """Return the sentences of `texts` with an amount of `kind` that speak of `words`, in their order.

    Where `words` say nothing, every amount is meant.
    """
    asked = Asked(words, [])
    covers = [(asked.cover(part), part) for text in texts for part in sentences(text) if holds(kind, part)]
    best = max((cover for cover, _ in covers), default=0.0)
    if asked.is_empty:
        return [part for _, part in covers][:most]
    return [part for cover, part in covers if cover > 0 and cover >= best / 2][:most]


def fitting(question: str, passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages that an answer may be taken from; none where the best of them is beside the question.

    The overview of an article tells that it fits, but it only announces the answer: it is left out where there are
    sections.
    """
    own = in_language(question, passages)
    asked = Asked(question, own)
    if not any(asked.fits(passage) for passage in own):
        return []
    ranked = sorted(own, key=lambda passage: -asked.worth(passage))
    return [passage for passage in ranked if passage.heading] or ranked


def in_language(question: str, passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages in the language of `question`, or all if none is."""
    return [passage for passage in passages if passage.item.language == language(question)] or list(passages)


def _adds(asked: Asked, best: Passage, other: Passage) -> bool:
    """Tell whether a passage speaks of something asked that the best one leaves out."""
    alone = asked.cover(f"{best.heading} {best.text}")
    return asked.cover(f"{best.heading} {best.text} {other.heading} {other.text}") > alone + 0.15


def _from(asked: Asked, passage: Passage, most: int) -> list[Said]:
    """Return the sentences of a passage that answer, at most one list among them."""
    pieces = said(passage)
    if not pieces or most < 1:
        return []
    first = _beginning(asked, pieces)
    enough = _FOLLOWS * asked.worth_of(first)
    chosen = [first]
    for piece in sorted(pieces, key=lambda piece: (-asked.worth_of(piece), piece.position)):
        is_second_list = is_list(piece.text) and any(is_list(one.text) for one in chosen)
        if len(chosen) < most and piece not in chosen and not is_second_list and asked.worth_of(piece) > enough:
            chosen.append(piece)
    if is_list(first.text):
        return [_shortened(asked, piece) for piece in sorted(chosen, key=lambda piece: piece.position)]
    follow = sorted(chosen[1:], key=lambda piece: piece.position)
    return [_shortened(asked, piece) for piece in [first, *follow]]


def _beginning(asked: Asked, pieces: Sequence[Said]) -> Said:
    """Return the first sentence of a passage, or the one that plainly answers better."""
    best = max(pieces, key=asked.worth_of)
    return best if asked.worth_of(best) >= asked.worth_of(pieces[0]) + _PLAINLY_MORE else pieces[0]


def _shortened(asked: Asked, piece: Said) -> Said:
    """Return a list with only the lines that were asked for, if some were; else its first; steps stay whole."""
    if not is_list(piece.text) or is_ordered(piece.text):
        return piece
    lines = piece.text.split("\n")
    head = lines[:0] if lines[0].startswith("- ") else lines[:1]
    entries = lines[len(head) :]
    kept = asked.telling(entries) or entries[:_LINES]
    return replace(piece, text="\n".join([*head, *kept]))

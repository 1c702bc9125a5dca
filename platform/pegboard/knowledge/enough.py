"""Items that fit a question -> as many as it wants.

Pure. Who asks for three soups wants soups: the kind that the best item is of is a condition then, and what is of that
kind stands in where likeness alone leaves fewer.
"""

from collections.abc import Sequence

from pegboard.knowledge.claims import Claims, denies, named_kinds, plain_form
from pegboard.knowledge.content import ARTICLES
from pegboard.knowledge.plausible import Scored

_WORDS_FOR_ARTICLES = frozenset({"article", "guide", "tip", "page", "文章", "指南"})


def of_one_kind(shown: Sequence[Scored], found: Sequence[Scored], asked: Sequence[str], spoken: str) -> list[Scored]:
    """Return those of `shown` that are of the kind asked for, then the others of `found` that are.

    Args:
        shown: Best first, after the cut-off of likeness.
        found: Best first, before it.
        asked: The terms of the question.
        spoken: Its language; what claims a kind in another cannot be compared with the terms.
    """
    best = next((item for item, _ in shown if item.language == spoken), None)
    wanted = _kinds_of(best.facts.claims, asked) if best is not None else frozenset()
    if not wanted:
        return list(shown)
    having = [one for one in found if one not in shown and not denies(one[0].facts.claims, asked)]
    kept = [one for one in (*shown, *having) if wanted <= _kinds_of(one[0].facts.claims, asked)]
    things = [one for one in kept if ARTICLES.isdisjoint(one[0].facts.types)]
    return kept if _WORDS_FOR_ARTICLES.intersection(asked) else things or kept


def first_of(shown: Sequence[Scored], wanted: int, spoken: str) -> list[Scored]:
    """Return as many as are wanted, in their order: of those in the language that is spoken, if there are any."""
    own = [one for one in shown if one[0].language == spoken]
    return list(own or shown)[:wanted]


def _kinds_of(claims: Claims, asked: Sequence[str]) -> frozenset[str]:
    """Return the terms that name what an item is: its categories, or else its keywords."""
    keywords = {plain_form(keyword) for keyword in claims.keywords}
    return named_kinds(asked, claims) or frozenset(asked) & keywords

"""Scored items -> those that a visitor would accept as an answer, best first.

Pure. A score says how near an item comes to a question; what an item claims to be says whether it is another thing.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pegboard.knowledge.claims import denies, named_kinds
from pegboard.knowledge.courses import BESIDE, place_at_table
from pegboard.knowledge.index import Listed

Scored: TypeAlias = tuple[Listed, float]

_SHOWN = 0.5
"""Of the best score: what comes far behind the best is not shown."""
_OTHER_KIND = 0.95
"""Of the best score: what is of another kind than the one that is asked for must come as near."""
_AS_GOOD, _NOT_WORSE = 0.9, 0.7
"""Of the score of the best item without the conditions: what meets them and is as good was meant; what is not much
worse was if it is of the same kind.
"""


def ranked(found: Sequence[Scored], spoken: str) -> list[Scored]:
    """Return the items best first; of equal ones those in the language that is spoken, then the best rated."""
    return sorted(found, key=lambda one: (-one[1], one[0].language != spoken, -(one[0].facts.rating or 0.0)))


def plausible(found: Sequence[Scored], asked: Sequence[str], spoken: str) -> list[Scored]:
    """Leave out what comes far behind the best, is of another kind, or says that it has not what is asked for.

    Args:
        found: Best first.
        asked: The terms of the question.
        spoken: Its language; kinds in another language cannot be compared with the terms.
    """
    having = [one for one in found if not denies(one[0].facts.claims, asked)] or list(found)
    if not having:
        return []
    best, highest = having[0]
    near = [one for one in having if one[1] >= _SHOWN * highest]
    if best.language != spoken or not named_kinds(asked, best.facts.claims):
        return near
    return [one for one in near if one[1] >= _OTHER_KIND * highest or named_kinds(asked, one[0].facts.claims)]


def is_meant(found: Sequence[Scored], best: Scored | None, asked: Sequence[str]) -> bool:
    """Tell whether what meets the conditions is what was asked for, and not what comes near for want of it.

    Args:
        found: What meets the conditions, best first.
        best: The best item without them.
        asked: The terms of the question.
    """
    if not found or best is None or found[0][1] >= _AS_GOOD * best[1]:
        return bool(found)
    kinds = named_kinds(asked, best[0].facts.claims)
    near = [item for item, score in found if score >= _SHOWN * found[0][1]]
    is_same = not kinds or any(kinds & named_kinds(asked, item.facts.claims) for item in near)
    return found[0][1] >= _NOT_WORSE * best[1] and is_same


def at_table(found: Sequence[Listed], scores: Mapping[int, float], spoken: str, *, is_of_meals: bool) -> list[Listed]:
    """Return what a question that names nothing may mean, meals before side things.

    Where it `is_of_meals`, what only goes beside a meal is left out. First those in the language that is spoken.
    """
    places = {item.id: place_at_table(item.facts.claims) for item in found}
    meals = [item for item in found if places[item.id] < BESIDE] if is_of_meals else []

    def key(item: Listed) -> tuple[bool, int, float, float]:
        rating = item.facts.rating or 0.0
        return item.language != spoken, places[item.id], -scores.get(item.id, 0.0), -rating

    return sorted(meals or found, key=key)

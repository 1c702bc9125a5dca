"""Hits -> those that really are of the kind asked for, in the order that was asked for.

Pure. An order puts its first item before the visitor as the answer: an item that only comes near must not be there.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from pegboard.catalog.contract import Order
from pegboard.knowledge import words
from pegboard.knowledge.claims import words_of
from pegboard.knowledge.index import Listed
from pegboard.knowledge.orders import measured

_ALL_OF_IT = 0.999
_NEAR_THE_BEST = 0.75
"""Of the best score: where words cannot tell the kind, the score must."""


def of_kind(asked: str, weights: Mapping[str, float], found: Sequence[tuple[Listed, float]]) -> list[Listed]:
    """Return those of `found` that are what `asked` names, in their order.

    What says all the words in its name, keywords and kinds; where none does, in its properties too; where none does,
    what says most of the words that any says and scores about as well as the best.
    """
    wanted = {term: weights[term] for term in words.telling(asked) if term in weights}
    if not wanted or not found:
        return [item for item, _ in found]
    named = {item.id: _share(wanted, _named(item)) for item, _ in found}
    shares = named if max(named.values()) >= _ALL_OF_IT else {i.id: _share(wanted, _said(i)) for i, _ in found}
    if max(shares.values()) >= _ALL_OF_IT:
        return [item for item, _ in found if shares[item.id] >= _ALL_OF_IT]
    enough = max(score for _, score in found) * _NEAR_THE_BEST
    most = max(shares.values()) - (1 - _ALL_OF_IT)
    return [item for item, score in found if score >= enough and shares[item.id] >= most]


def _named(item: Listed) -> str:
    return "\n".join([*item.names, *item.facts.claims.kinds, *item.facts.claims.keywords])


def _said(item: Listed) -> str:
    return "\n".join([_named(item), *words_of(item.facts.claims)])


def _share(wanted: Mapping[str, float], said: str) -> float:
    held = set(words.terms(said))
    return sum(weight for term, weight in wanted.items() if term in held) / sum(wanted.values())


def in_order(order: Order, items: Sequence[Listed], language: str) -> list[Listed]:
    """Return the items that can be compared, first those in `language`; equal ones keep their order.

    Amounts in several units cannot be compared: those in the unit of most of the items are.
    """
    known = {item.id: measures for item in items if (measures := measured(item.facts, order))}
    own = [item for item in items if item.language == language and item.id in known]
    units = Counter(each.dimension for item in own or items for each in known.get(item.id, ()))
    if not units:
        return []
    unit = units.most_common(1)[0][0]
    values = {
        id_: next((each.value for each in measures if each.dimension == unit), None) for id_, measures in known.items()
    }
    comparable = [item for item in own or items if values.get(item.id) is not None]
    sign = -1.0 if order.is_falling else 1.0
    return sorted(comparable, key=lambda item: sign * (values[item.id] or 0.0))

"""What a content says of its items at all: a condition on anything else is no condition.

Pure; made once for each generation of the index.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pegboard.catalog.contract import Filter
from pegboard.knowledge import foods
from pegboard.knowledge.claims import Claims, plain_form, says, words_of
from pegboard.knowledge.facets import Facts
from pegboard.knowledge.qualities import QUALITIES


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a content says of its items at all: a condition on anything else is no condition."""

    fields: frozenset[str]
    """Of `Filter.field`."""
    currencies: frozenset[str]
    ingredients: str
    """All of them, lower case, one a line; tells whether a word is one."""
    labels: frozenset[str] = frozenset()
    """Of all properties, lower case."""
    words: frozenset[str] = frozenset()
    """What items say that they are or have (`claims.words_of`), and the qualities among it, in their plain form."""
    kinds: frozenset[str] = frozenset()
    """The categories that items are in, in their plain form."""

    def knows(self, condition: Filter) -> bool:
        """Tell whether items can be told apart by `condition`."""
        if condition.field not in self.fields:
            return False
        if condition.field == "without":
            is_family = any(family.name == condition.value for family in foods.FAMILIES)
            return is_family or foods.holds(self.ingredients, str(condition.value))
        if condition.field == "called":
            return self.says(str(condition.value), of_kinds=True)
        return True

    def says(self, word: str, *, of_kinds: bool) -> bool:
        """Tell whether some item says that it is `word`; a kind of thing counts `of_kinds` only."""
        form = plain_form(word)
        return form in self.words or (of_kinds and form in self.kinds)


def coverage_of(content: Iterable[Facts]) -> Coverage:
    """Return what the items of a content say."""
    known = list(content)
    claims = {
        "price": any(facts.prices for facts in known),
        "time": any(facts.minutes is not None for facts in known),
        "calories": any(facts.calories is not None for facts in known),
        "rating": any(facts.rating is not None for facts in known),
        "diet": any(facts.diets for facts in known),
        "available": any(facts.available is not None for facts in known),
        "without": any(facts.ingredients for facts in known),
        "type": bool(known),
        "weight": any(facts.claims.grams is not None for facts in known),
        "date": any(facts.claims.date for facts in known),
        "called": any(facts.claims != Claims() for facts in known),
    }
    lines = dict.fromkeys(line for facts in known for line in facts.ingredients.splitlines())
    return Coverage(
        fields=frozenset(name for name, claim in claims.items() if claim),
        currencies=frozenset(price.currency for facts in known for price in facts.prices),
        ingredients="\n".join(lines),
        labels=frozenset(label for facts in known for label, _ in facts.claims.properties),
        words=_words(known),
        kinds=frozenset(plain_form(kind) for facts in known for kind in facts.claims.kinds),
    )


def _words(known: Sequence[Facts]) -> frozenset[str]:
    said = {plain_form(word) for facts in known for word in words_of(facts.claims)}
    claimed = [Claims(keywords=facts.claims.keywords, properties=facts.claims.properties) for facts in known]
    return frozenset(said | {one.name for one in QUALITIES if any(says(each, one.name) for each in claimed)})

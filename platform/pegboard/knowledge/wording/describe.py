"""An item in a few words: a line for a list, a paragraph for a first impression, a digest for a model."""

import re

from pegboard.catalog.contract import Item
from pegboard.knowledge.values import texts_of
from pegboard.knowledge.wording.amounts import listed
from pegboard.knowledge.wording.facts import Fact, facts
from pegboard.knowledge.wording.sentences import sentences
from pegboard.text import clipped

_BRIEF = ("price", "availability", "time", "calories", "rating")
_OVERVIEW = ("price", "availability", "time", "servings", "calories", "rating", "diet")
_DIGEST = ("author", "date", "sku", "reviews", "steps")


def lead(item: Item, *, characters: int = 180) -> str:
    """Return the first sentence of the item's description, cut at `characters`."""
    first = next(iter(sentences(item.description)), "")
    return clipped(first, characters)


def brief(item: Item, language: str) -> str:
    """Return what people compare at a glance: `25 min, 480 kcal a serving, rated 4.6/5`."""
    zh = language == "zh"
    parts = []
    for fact in _of(facts(item, language), _BRIEF):
        if fact.aspect == "calories":
            parts.append(f"每份 {fact.value}" if zh else f"{fact.value} a serving")
        elif fact.aspect == "rating":
            parts.append(f"评分 {fact.value}" if zh else f"rated {fact.value}")
        elif fact.aspect != "availability" or not fact.value.startswith(("in stock", "有货")):
            parts.append(fact.value)
    return ("，" if zh else ", ").join(parts)


def line(item: Item, language: str) -> str:
    """Return one line of a list: `Name: what it is (25 min, 480 kcal a serving)`."""
    what, figures = lead(item), brief(item, language)
    if language == "zh":
        figures = f"（{figures}）" if figures else ""
        return f"{item.name}{figures}：{what}" if what else f"{item.name}{figures}"
    figures = f" ({figures})" if figures else ""
    return f"{item.name}{figures}: {what}" if what else f"{item.name}{figures}"


def short_name(item: Item) -> str:
    """Return what people call an item: of a product brand and model, of anything else its name."""
    brand = next(iter(texts_of(item.schema_object.get("brand"))), "")
    parts = item.name.split()
    if not brand or not item.name.startswith(brand) or len(parts) < 3:
        return item.name
    length = len(brand.split()) + 1
    while length < len(parts) and _MODEL.fullmatch(parts[length]) and not _is_measure(parts[length:]):
        length += 1
    return " ".join(parts[:length])


def _is_measure(parts: list[str]) -> bool:
    """Tell whether a number has a unit behind it: `28 cm` is no model."""
    return len(parts) > 1 and parts[0].isdigit() and bool(_UNIT.fullmatch(parts[1]))


_UNIT = re.compile("cm|mm|m|W|V|L|l|ml|g|kg|GB|TB|mAh|Wh|inch|in|oz|lb|×|x")
_MODEL = re.compile(r"[A-Z]{0,2}-?\d{1,3}[a-zA-Z]?|Pro|Plus|Max|Mini|One|Two|II|III|IV")
"""What belongs to a model behind its first word: a number, a version."""


def overview(item: Item, language: str) -> list[str]:
    """Return what to say of an item when nothing special was asked: what it is, then its figures."""
    told = [fact.sentence for fact in _of(facts(item, language), _OVERVIEW)]
    figures = "".join(told) if language == "zh" else _in_one(told)
    return [text for text in (" ".join(item.description.split()), figures) if text]


def _in_one(told: list[str]) -> str:
    """Make one sentence of those that begin with `It` and hold no list."""
    short = [text for text in told if text.startswith("It ") and ":" not in text]
    if len(short) < 2:
        return " ".join(told)
    said = listed([text.removeprefix("It ").removesuffix(".") for text in short], "en")
    return " ".join([*(text for text in told if text not in short), f"It {said}."])


def digest(item: Item, language: str, *, characters: int = 1200) -> str:
    """Return the facts of an item as evidence for a model, the long ones last."""
    told = [fact.sentence for fact in facts(item, language) if fact.aspect not in _DIGEST]
    text = " ".join([item.name + ".", item.description, *told])
    return clipped(re.sub(r"\s*\n-? ?", "; ", text), characters)


def _of(all_facts: list[Fact], aspects: tuple[str, ...]) -> list[Fact]:
    """Return the first fact of each aspect, in the order of `aspects`."""
    firsts: dict[str, Fact] = {}
    for fact in all_facts:
        firsts.setdefault(fact.aspect, fact)
    return [firsts[aspect] for aspect in aspects if aspect in firsts]

"""Yes or no: whether an item suits a diet, has something in it, or is such and such.

Decided from its diets, its keywords and its list of ingredients; what they do not tell is not decided.
"""

import re
from collections.abc import Iterator

from pegboard.catalog.contract import Item
from pegboard.knowledge import foods
from pegboard.knowledge.claims import says
from pegboard.knowledge.facets import DIET_CALLED, Facts, facts_of
from pegboard.knowledge.qualities import CALLED, QUALITY_BY_NAME
from pegboard.knowledge.values import texts_of
from pegboard.knowledge.wording.amounts import listed
from pegboard.knowledge.wording.conditions import diet_called, food_called, quality_called

_YES_OR_NO = re.compile(
    r"^\W*(?:(?:so|and|but|please|ok|hi|hello)\W+)*(?:is|are|isn't|does|do|doesn't|has|have|can|could|will|would|was)\b"
    r"|吗|是不是|有没有|是否|含不含|放不放|能不能|可不可以|么",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"[\s-]free\b|\bfree (?:of|from)\b|\bwithout\b|\bno\b|(?<!有)无|(?<!含)不含|(?<!放)不放|没有?放", re.IGNORECASE
)
_MEATLESS = re.compile("(?<=[是算])(?:吃)?素的?(?=[吗么？?]|$)")
_AGAINST = {
    "vegan": ("meat", "fish", "shellfish", "eggs", "dairy", "honey", "gelatine", "gelatin", "蜂蜜", "明胶"),
    "vegetarian": ("meat", "fish", "shellfish", "gelatine", "gelatin", "明胶"),
    "gluten-free": ("gluten",),
}
"""Foods that no dish of a diet has."""
_FAMILIES = tuple(
    (
        family.name,
        re.compile(
            "|".join(
                rf"\b{re.escape(called)}\b" if called.isascii() else re.escape(called)
                for called in sorted(family.called, key=len, reverse=True)
            )
        ),
    )
    for family in foods.FAMILIES
    if family.called
)
_MARKS = re.compile(r"(.+?)[\s-]free|(?:无|不含)(.+)")
_MOST = 4
"""Ingredients that an answer names."""


def verdict(item: Item, question: str, language: str) -> list[str]:
    """Return the sentence that answers `question`, which leaves the item's name out; empty if nothing tells."""
    if not _YES_OR_NO.search(question):
        return []
    facts, asked = facts_of(item.schema_object), _MEATLESS.sub("素食", question.lower())
    readings = (*_of_diets(item, facts, asked, language), *_of_foods(item, facts, asked, language))
    return list(readings[:1]) or list(_of_qualities(facts, asked, language))[:1]


def _of_diets(item: Item, facts: Facts, asked: str, language: str) -> Iterator[str]:
    for called in sorted(DIET_CALLED, key=len, reverse=True):
        if not re.search(rf"\b{re.escape(called)}\b" if called.isascii() else re.escape(called), asked):
            continue
        diet = DIET_CALLED[called]
        name = diet_called(diet, language)
        if diet in facts.diets:
            yield f"是的，它是{name}的。" if language == "zh" else f"Yes, it is {name}."
        elif held := _held(item, _AGAINST.get(diet, ())):
            zh = f"不是，它不是{name}的：里面有{listed(held, 'zh')}。"
            yield zh if language == "zh" else f"No, it is not {name}: it has {listed(held, 'en')}."
        return


def _of_foods(item: Item, facts: Facts, asked: str, language: str) -> Iterator[str]:
    """Tell whether it has foods that are asked for: by what it is listed as, else by its ingredients."""
    wants_free = bool(_FREE.search(asked))
    for name, pattern in _FAMILIES:
        if not facts.ingredients or not pattern.search(asked):
            continue
        mark = next((keyword for keyword in facts.claims.keywords if _frees(keyword, name)), "")
        held = [] if mark else _held(item, (name,))
        food = food_called(name, language)
        if language == "zh":
            answer = "不是" if held and wants_free else "有" if held else "是的" if wants_free else "没有"
            told = f"里面有{listed(held, 'zh')}" if held else f"它的标签是{mark}" if mark else f"配料里没有写{food}"
            yield f"{answer}，{told}。"
        else:
            answer = "Yes" if bool(held) != wants_free else "No"
            told = f"it has {listed(held, 'en')}" if held else f"it is listed as {mark}" if mark else ""
            yield f"{answer}: {told or f'its list of ingredients names no {food}'}."


def _frees(keyword: str, family: str) -> bool:
    """Tell whether a keyword such as `nut-free` says that a food is not in it."""
    match = _MARKS.fullmatch(keyword)
    found = foods.family_called(match[1] or match[2]) if match else None
    return found is not None and found.name == family


def _of_qualities(facts: Facts, asked: str, language: str) -> Iterator[str]:
    for called, name in CALLED.items():
        if re.search(rf"\b{re.escape(called)}\b" if called.isascii() else re.escape(called), asked):
            told = quality_called(name, language)
            given_away = QUALITY_BY_NAME[name].ingredients
            if says(facts.claims, name):
                yield f"是的，它是{told}的。" if language == "zh" else f"Yes, it says that it is {told}."
            elif given_away and foods.holds(facts.ingredients, given_away):
                food = food_called(given_away, language)
                yield f"配料里有{food}。" if language == "zh" else f"There is {food} among its ingredients."


def _held(item: Item, wishes: tuple[str, ...]) -> list[str]:
    """Return the ingredients that hold any of `wishes`, without what is done to them and what they are for."""
    thing = item.schema_object
    lines = texts_of(thing.get("recipeIngredient") or thing.get("ingredients"))
    parts = [part.strip() for line in lines for part in re.split(r"[,，;；:：、(（)）]", line)]
    found = [part for part in parts if any(foods.holds(part.lower(), wish) for wish in wishes)]
    if not found:  # a name that the marks cut in two
        found = [line for line in lines if any(foods.holds(line.lower(), wish) for wish in wishes)]
    return found[:_MOST]

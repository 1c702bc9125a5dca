"""The facts of an item that a condition can be tested on, and the test.

Pure: `facts_of` reads them once when the item is indexed, `fits` tests one condition. Not here: which conditions a
content can be asked at all (`coverage`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import re2

from pegboard.catalog.contract import Filter
from pegboard.knowledge import foods
from pegboard.knowledge.claims import Claims, claims_of, says
from pegboard.knowledge.qualities import QUALITY_BY_NAME
from pegboard.knowledge.values import (
    Object,
    last_word,
    many,
    minutes_of,
    number_of,
    objects,
    text_of,
    texts_of,
    types_of,
)
from pegboard.text import Json

_IN_STOCK = frozenset({"instock", "onlineonly", "instoreonly", "limitedavailability"})
_OUT_OF_STOCK = frozenset({"outofstock", "soldout", "discontinued", "backorder", "preorder", "presale"})
_SYMBOLS = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "￥": "CNY", "₹": "INR", "₩": "KRW"}
_MONEY_SYMBOL = re2.compile(r"US\$|[$€£¥￥₹₩]")
_KILOJOULES_OF_KILOCALORIE = 4.184
_MOST_STARS = 5.0

DIETS: Mapping[str, tuple[str, ...]] = {
    "vegan": ("vegan", "plant-based", "plant based", "纯素", "全素", "植物基"),
    "vegetarian": ("vegetarian", "veggie", "meatless", "素食", "素菜", "蛋奶素", "吃素"),
    "gluten-free": ("gluten-free", "gluten free", "glutenfree", "无麸质", "不含麸质", "无面筋"),
    "halal": ("halal", "清真"),
    "kosher": ("kosher", "犹太洁食"),
    "keto": ("keto", "ketogenic", "生酮"),
    "low-carb": ("low-carb", "low carb", "低碳水"),
    "low-fat": ("low-fat", "low fat", "低脂"),
    "low-salt": ("low-salt", "low salt", "low-sodium", "low sodium", "低盐", "少盐", "低钠"),
    "low-calorie": ("low-calorie", "low calorie", "低卡", "低热量"),
    "diabetic": ("diabetic", "diabetic-friendly", "糖尿病"),
    "hindu": ("hindu", "印度教"),
}
"""Diets by the name that filters use, each with what keywords and questions call it."""

DIET_CALLED: Mapping[str, str] = {called: diet for diet, names in DIETS.items() for called in names}
"""The diets by what keywords and questions call them, lower case."""


@dataclass(frozen=True, slots=True)
class Price:
    """What an item costs in one currency."""

    currency: str
    """ISO 4217; empty where the content does not say."""
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of an item; None and empty mean that its source does not say."""

    prices: tuple[Price, ...] = ()
    """One a currency."""
    minutes: float | None = None
    calories: float | None = None
    """Kilocalories of a serving."""
    rating: float | None = None
    """Of 5."""
    diets: tuple[str, ...] = ()
    available: bool | None = None
    ingredients: str = ""
    """Lower case, one a line."""
    types: tuple[str, ...] = ()
    claims: Claims = field(default_factory=Claims)
    """What it says that it is."""


def facts_of(thing: Object) -> Facts:
    """Read the facts of a JSON-LD object."""
    offers = _offers(thing)
    return Facts(
        prices=_prices(offers),
        minutes=_minutes(thing),
        calories=_calories(thing),
        rating=_rating(thing),
        diets=_diets(thing),
        available=_available(offers),
        ingredients="\n".join(texts_of(thing.get("recipeIngredient") or thing.get("ingredients"))).lower(),
        types=tuple(types_of(thing)),
        claims=claims_of(thing),
    )


def fits(facts: Facts, condition: Filter) -> bool:
    """Tell whether an item fits; what its source does not say never fits."""
    match condition.field:
        case "price":
            return _price_fits(facts.prices, condition)
        case "time" | "calories" | "rating" as field:
            number = {"time": facts.minutes, "calories": facts.calories, "rating": facts.rating}[field]
            return number is not None and _holds(number, condition.operator, condition.value)
        case "diet":
            is_known = bool(facts.diets or facts.ingredients)
            return is_known and (str(condition.value) in facts.diets) != (condition.operator == "not")
        case "without":
            return bool(facts.ingredients) and not foods.holds(facts.ingredients, str(condition.value))
        case "called":
            return _is_not(facts, str(condition.value), is_strict=not condition.unit)
        case "available":
            return facts.available is (condition.operator != "not")
        case "type":
            return (str(condition.value) in facts.types) != (condition.operator == "not")
    return False


def _is_not(facts: Facts, word: str, *, is_strict: bool) -> bool:
    """Tell whether an item is not `word`; `is_strict`: nor may its ingredients give it away."""
    if says(facts.claims, word):
        return False
    quality = QUALITY_BY_NAME.get(word)
    if not is_strict or quality is None or not quality.ingredients:
        return True
    return not foods.holds(facts.ingredients, quality.ingredients)


def _price_fits(prices: tuple[Price, ...], condition: Filter) -> bool:
    """Tell whether an offer in the condition's own currency fits; of a range, any price in it will do."""
    for price in prices:
        if price.currency == condition.unit:
            nearest = price.low if condition.operator in ("<", "<=") else price.high
            return _holds(nearest, condition.operator, condition.value)
    return False


def _holds(number: float, operator: Literal["<", "<=", ">", ">=", "=", "not"], wanted: float | str) -> bool:
    if isinstance(wanted, str):
        return False
    match operator:
        case "<":
            return number < wanted
        case "<=":
            return number <= wanted
        case ">":
            return number > wanted
        case ">=":
            return number >= wanted
        case "=":
            return number == wanted
        case "not":
            return number != wanted


def _offers(thing: Object) -> list[dict[str, Json]]:
    """Return all offers, those inside an AggregateOffer too."""
    found = objects(thing.get("offers"))
    return found + [inner for offer in found for inner in objects(offer.get("offers"))]


def _prices(offers: list[dict[str, Json]]) -> tuple[Price, ...]:
    by_currency: dict[str, list[float]] = {}
    for offer in offers:
        for part in (offer, *objects(offer.get("priceSpecification"))):
            currency = _currency(part) or _currency(offer)
            amounts = [number_of(part.get(key)) for key in ("price", "lowPrice", "highPrice")]
            by_currency.setdefault(currency, []).extend(
                amount for amount in amounts if amount is not None and amount >= 0
            )
    return tuple(Price(currency, min(known), max(known)) for currency, known in by_currency.items() if known)


def _currency(offer: Object) -> str:
    if named := text_of(offer.get("priceCurrency")).strip().upper():
        return _SYMBOLS.get(named, named)
    symbol = _MONEY_SYMBOL.search(text_of(offer.get("price") or offer.get("lowPrice")))
    return _SYMBOLS[symbol[0]] if symbol else ""


def _available(offers: list[dict[str, Json]]) -> bool | None:
    said = {last_word(value).lower() for offer in offers for value in many(offer.get("availability"))}
    if said & _IN_STOCK:
        return True
    return False if said & _OUT_OF_STOCK else None


def _minutes(thing: Object) -> float | None:
    if (total := minutes_of(thing.get("totalTime"))) is not None:
        return total
    parts = [minutes_of(thing.get(key)) for key in ("prepTime", "cookTime")]
    if known := [part for part in parts if part is not None]:
        return sum(known)
    keys = ("duration", "timeRequired", "performTime")
    return next((found for key in keys if (found := minutes_of(thing.get(key))) is not None), None)


def _calories(thing: Object) -> float | None:
    for nutrition in objects(thing.get("nutrition")):
        energy = text_of(nutrition.get("calories")).lower()
        if (number := number_of(nutrition.get("calories"))) is not None:
            is_joules = ("kj" in energy or "千焦" in energy) and "cal" not in energy
            return number / _KILOJOULES_OF_KILOCALORIE if is_joules else number
    return None


def _rating(thing: Object) -> float | None:
    for rating in objects(thing.get("aggregateRating")):
        value, best = number_of(rating.get("ratingValue")), number_of(rating.get("bestRating"))
        if value is not None:
            return value * _MOST_STARS / best if best else value
    return None


def _diets(thing: Object) -> tuple[str, ...]:
    """Return the diets that the source names: a vegan dish is vegetarian too."""
    declared = (last_word(value) for value in many(thing.get("suitableForDiet")))
    found = {_spelled(name.removesuffix("Diet")) for name in declared}
    keywords = (part for text in texts_of(thing.get("keywords")) for part in text.replace("，", ",").split(","))
    found |= {DIET_CALLED[word] for keyword in keywords if (word := keyword.strip().lower()) in DIET_CALLED}
    if "vegan" in found:
        found.add("vegetarian")
    return tuple(sorted(found & DIETS.keys()))


def _spelled(name: str) -> str:
    """Return `gluten-free` for `GlutenFree`."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")

"""The facts of an item, each as a sentence in the language of the question and as a cell of a table.

What is quoted (ingredients, steps, reviews, values of specifications) stays in the item's own language.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pegboard.catalog.contract import Item
from pegboard.knowledge.values import (
    iso_minutes_of,
    many,
    minutes_of,
    number_of,
    object_of,
    remarks_of,
    steps_of,
    text_of,
    texts_of,
)
from pegboard.knowledge.wording.amounts import Money, listed, plain, spoken_minutes
from pegboard.knowledge.wording.enumerations import enumerated
from pegboard.text import Json, words_of_name


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that an item says of itself."""

    aspect: str
    """What it is about, such as `time`, `price`, `ingredients`; `property` for specifications."""
    label: str
    """Its name, in the question's language as far as it is ours."""
    value: str
    """Short, for a table."""
    sentence: str
    """In words; several lines for a list, the first of which ends with a colon."""
    amount: float | None = None
    """For comparing two items: minutes, kcal, money, points or grams; None where only words are there."""
    unit: str = ""
    """Amounts of different units cannot be compared."""


def facts(item: Item, language: str) -> list[Fact]:
    """Return everything that `item` says of itself, the most asked for first."""
    return [fact for read in _READERS for fact in read(item.schema_object, language == "zh")]


def _price(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    offer = object_of(thing.get("offers"))
    amount = number_of(offer.get("price", offer.get("lowPrice")))
    stock = enumerated(offer.get("availability"), "zh" if zh else "en", kind="stock")
    if amount is not None:
        currency = text_of(offer.get("priceCurrency"))
        money = str(Money(amount, currency))
        text = f"售价 {money}。" if zh else f"It costs {money}."
        yield Fact("price", "价格" if zh else "Price", money, text, amount, currency)
    if stock:
        text = f"目前{stock[0]}。" if zh else f"It is {stock[0]}."
        yield Fact("availability", "库存" if zh else "Availability", stock[0], text)


def _time(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    language = "zh" if zh else "en"
    total, prep, cook = (minutes_of(thing.get(key)) for key in ("totalTime", "prepTime", "cookTime"))
    if total is None and (prep or cook):
        total = (prep or 0) + (cook or 0)
    if total is None:
        return
    whole = spoken_minutes(total, language)
    names = ("准备 {}", "烹饪 {}") if zh else ("{} of preparation", "{} of cooking")
    parts = [
        name.format(spoken_minutes(part, language)) for name, part in zip(names, (prep, cook), strict=True) if part
    ]
    if (rest := total - (prep or 0) - (cook or 0)) >= 1 and parts:
        name = "静置等待 {}" if zh else "{} of resting or waiting"
        parts.append(name.format(spoken_minutes(rest, language)))
    if len(parts) < 2:
        text = f"总共需要 {whole}。" if zh else f"It takes {whole} in all."
    elif zh:
        text = f"总共需要 {whole}，其中{'，'.join(parts)}。"
    else:
        text = f"It takes {whole} in all: {listed(parts, language)}."
    yield Fact("time", "总时间" if zh else "Total time", whole, text, total, "minutes")


def _servings(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    if made := texts_of(thing.get("recipeYield")):
        size = max(made, key=len)
        text = f"份量：{size}。" if zh else f"It makes {size}."
        yield Fact("servings", "份量" if zh else "Makes", size, text, number_of(size), "servings")


def _nutrition(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    table = object_of(thing.get("nutrition"))
    energy = text_of(table.get("calories"))
    size = text_of(table.get("servingSize"))
    if energy:
        of = (f"（{size}）" if zh else f" ({size})") if size else ""
        text = f"每份{of}热量 {energy}。" if zh else f"A serving{of} has {energy}."
        yield Fact("calories", "每份热量" if zh else "Calories a serving", energy, text, number_of(energy), "kcal")
    names = _NUTRIENTS_ZH if zh else _NUTRIENTS
    found = [f"{name} {text_of(table[key])}" for key, name in names.items() if text_of(table.get(key))]
    if zh and found:
        yield Fact("nutrition", "营养", "，".join(found), f"每份含{'、'.join(found)}。")
    elif found:
        amounts = [f"{text_of(table[key])} of {name}" for key, name in names.items() if table.get(key)]
        text = f"Each serving has {listed(amounts, 'en')}."
        yield Fact("nutrition", "Nutrition", ", ".join(found), text)


_NUTRIENTS = {
    "proteinContent": "protein",
    "fatContent": "fat",
    "carbohydrateContent": "carbohydrates",
    "fiberContent": "fibre",
    "sugarContent": "sugar",
    "sodiumContent": "sodium",
}
_NUTRIENTS_ZH = {
    "proteinContent": "蛋白质",
    "fatContent": "脂肪",
    "carbohydrateContent": "碳水化合物",
    "fiberContent": "膳食纤维",
    "sugarContent": "糖",
    "sodiumContent": "钠",
}


def _rating(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    rating = object_of(thing.get("aggregateRating"))
    points = number_of(rating.get("ratingValue"))
    if points is None:
        return
    best = plain(number_of(rating.get("bestRating")) or 5)
    count = number_of(rating.get("ratingCount") or rating.get("reviewCount"))
    from_whom = "" if not count else (f"，共 {plain(count)} 人评分" if zh else f" by {plain(count)} people")
    text = f"评分 {plain(points)}（满分 {best}）{from_whom}。"
    if not zh:
        text = f"It is rated {plain(points)} out of {best}{from_whom}."
    short = f"{plain(points)}/{best}"
    yield Fact("rating", "评分" if zh else "Rating", short, text, points, f"of {best}")


def _weight(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    if weight := text_of(thing.get("weight")):
        text = f"重 {weight}。" if zh else f"It weighs {weight}."
        yield Fact("weight", "重量" if zh else "Weight", weight, text, _grams(weight), "g")


def _grams(weight: str) -> float | None:
    amount, unit = number_of(weight), weight.rstrip(".").split(" ")[-1].lower()
    factor = {
        "g": 1.0,
        "kg": 1000.0,
        "oz": 28.349523,
        "lb": 453.59237,
        "克": 1.0,
        "公斤": 1000.0,
        "千克": 1000.0,
    }
    return amount * factor[unit] if amount is not None and unit in factor else None


def _properties(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    for entry in many(thing.get("additionalProperty")):
        name = text_of(entry.get("name")) if isinstance(entry, dict) else ""
        value = text_of({**entry, "name": None}) if isinstance(entry, dict) else ""
        if name and value:
            text = f"{name}：{value}。" if zh else f"{name}: {value}."
            yield Fact("property", name, value, text)


def _ingredients(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    parts = texts_of(thing.get("recipeIngredient") or thing.get("ingredients"))
    if parts:
        size = next(iter(texts_of(thing.get("recipeYield"))), "")
        head = "需要的配料" if zh else "You need"
        if size:
            head = f"{size}需要的配料" if zh else f"For {size} you need"
        lines = "\n".join(f"- {part}" for part in parts)
        text = f"{head}{'：' if zh else ':'}\n{lines}"
        yield Fact("ingredients", "配料" if zh else "Ingredients", "；".join(parts) if zh else "; ".join(parts), text)


def _steps(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    if parts := steps_of(thing.get("recipeInstructions") or thing.get("step")):
        lines = "\n".join(f"{count}. {part}" for count, part in enumerate(parts, 1))
        text = f"做法：\n{lines}" if zh else f"How to make it:\n{lines}"
        count = f"{len(parts)} 步" if zh else f"{len(parts)} steps"
        yield Fact("steps", "步骤" if zh else "Steps", count, text, float(len(parts)), "steps")


def _diet(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    language = "zh" if zh else "en"
    if diets := enumerated(thing.get("suitableForDiet"), language, kind="diet"):
        text = f"它是{listed(diets, language)}的。" if zh else f"It is {listed(diets, language)}."
        yield Fact("diet", "饮食" if zh else "Diet", listed(diets, language), text)


def _tips(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    for text in remarks_of(thing.get("comment")):
        yield Fact("tips", "提示" if zh else "Tip", text, text)


def _reviews(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    for entry in many(thing.get("review")):
        body = text_of(entry.get("reviewBody") or entry.get("description")) if isinstance(entry, dict) else ""
        if not isinstance(entry, dict) or not body:
            continue
        who = text_of(entry.get("author")) or ("一位顾客" if zh else "A customer")
        points = number_of(object_of(entry.get("reviewRating")).get("ratingValue"))
        stars = "" if points is None else (f"（{plain(points)} 星）" if zh else f" ({plain(points)} stars)")
        text = f"{who}{stars}：“{body}”" if zh else f"{who}{stars}: “{body}”"
        yield Fact("reviews", "评价" if zh else "Review", body, text)


def _others(thing: Mapping[str, Json], zh: bool) -> Iterator[Fact]:
    """Yield what is left: the known ones by their names, the rest by the words of their keys."""
    for key, value in thing.items():
        found = texts_of(value)
        if key in _TOLD or key.startswith("@") or not found:
            continue
        aspect, english, chinese = _NAMED.get(key, ("property", words_of_name(key).capitalize(), ""))
        label = (chinese if zh else english) or english
        lasts = iso_minutes_of(value)
        spoken = spoken_minutes(lasts, "zh" if zh else "en") if lasts is not None else ""
        text = spoken or listed(found, "zh" if zh else "en")
        yield Fact(aspect, label, text, f"{label}：{text}。" if zh else f"{label}: {text}.", lasts)


_NAMED = {
    "brand": ("brand", "Brand", "品牌"),
    "color": ("color", "Colour", "颜色"),
    "category": ("category", "Category", "类别"),
    "recipeCategory": ("category", "Kind of dish", "类别"),
    "recipeCuisine": ("cuisine", "Cuisine", "菜系"),
    "author": ("author", "Author", "作者"),
    "director": ("director", "Director", "导演"),
    "actor": ("actor", "Cast", "演员"),
    "genre": ("genre", "Genre", "类型"),
    "duration": ("time", "Length", "时长"),
    "datePublished": ("date", "Published", "发布日期"),
    "sku": ("sku", "Article number", "货号"),
}
_TOLD_KEYS = (
    "name description url inLanguage image offers totalTime prepTime cookTime recipeYield nutrition "
    "aggregateRating "
    "weight additionalProperty recipeIngredient ingredients recipeInstructions step suitableForDiet "
    "comment review "
    "keywords articleBody text abstract dateModified headline mainEntityOfPage publisher video identifier"
)
_TOLD = frozenset(_TOLD_KEYS.split())

_READERS = (
    _price, _time, _servings, _nutrition, _rating, _weight, _properties, _diet, _ingredients, _steps, _tips,
    _reviews, _others,
)  # fmt: skip

"""Reading schema.org JSON-LD as sites write it: a value, a list of values, or an object with a name."""

from collections.abc import Iterator, Mapping

from pegboard.text import Json

_DIETS = {
    "DiabeticDiet": ("suitable for diabetics", "适合糖尿病人"),
    "GlutenFreeDiet": ("gluten-free", "无麸质"),
    "HalalDiet": ("halal", "清真"),
    "HinduDiet": ("Hindu", "印度教饮食"),
    "KosherDiet": ("kosher", "犹太洁食"),
    "LowCalorieDiet": ("low in calories", "低热量"),
    "LowFatDiet": ("low in fat", "低脂"),
    "LowLactoseDiet": ("low in lactose", "低乳糖"),
    "LowSaltDiet": ("low in salt", "低盐"),
    "VeganDiet": ("vegan", "纯素"),
    "VegetarianDiet": ("vegetarian", "素食"),
}
_STOCK = {
    "InStock": ("in stock", "有货"),
    "LimitedAvailability": ("available in small numbers", "少量有货"),
    "OutOfStock": ("out of stock", "缺货"),
    "SoldOut": ("sold out", "售罄"),
    "PreOrder": ("open for pre-order", "可预订"),
    "BackOrder": ("on back order", "可订货，需等待"),
    "Discontinued": ("discontinued", "已停产"),
}


def each(value: Json) -> Iterator[Json]:
    """Yield the values of a list, or the one value, leaving out nulls."""
    if isinstance(value, list):
        yield from (entry for entry in value if entry is not None)
    elif value is not None:
        yield value


def mapping(value: Json) -> Mapping[str, Json]:
    """Return the first object of `value`, empty when there is none."""
    return next((entry for entry in each(value) if isinstance(entry, dict)), {})


def words(value: Json) -> str:
    """Return a value in words: text as it is, an object by its text, name or value; else empty."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, dict):
        found = next((words(value[key]) for key in ("text", "name", "value") if value.get(key)), "")
        unit = words(value.get("unitText") or value.get("unitCode"))
        return f"{found} {unit}".strip() if found and "value" in value else found
    return ""


def texts(value: Json) -> list[str]:
    """Return every value of `value` in words, what has none left out."""
    return [text for entry in each(value) if (text := words(entry))]


def steps(value: Json) -> list[str]:
    """Return the steps of a recipe: texts, `HowToStep`s, and those inside `HowToSection`s."""
    found = []
    for entry in each(value):
        if isinstance(entry, dict) and entry.get("itemListElement"):
            found += steps(entry["itemListElement"])
        elif text := words(entry):
            found.append(text)
    return found


def enumerated(value: Json, language: str, *, kind: str) -> list[str]:
    """Return members of a schema.org enumeration in words; `kind` is `diet` or `stock`."""
    known = _DIETS if kind == "diet" else _STOCK
    found = []
    for text in texts(value):
        name = text.rstrip("/").rpartition("/")[2]
        english, chinese = known.get(name, (name, name))
        found.append(chinese if language == "zh" else english)
    return found

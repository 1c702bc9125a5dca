"""The members of schema.org's enumerations, in words of two languages."""

from pegboard.knowledge.values import last_word, many
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


def enumerated(value: Json, language: str, *, kind: str) -> list[str]:
    """Return members of a schema.org enumeration in words; `kind` is `diet` or `stock`."""
    known = _DIETS if kind == "diet" else _STOCK
    found = []
    for name in filter(None, map(last_word, many(value))):
        english, chinese = known.get(name, (name, name))
        found.append(chinese if language == "zh" else english)
    return found

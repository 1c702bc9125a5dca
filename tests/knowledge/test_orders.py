"""What shall come first, and what items are ordered by."""

import pytest

from pegboard.catalog.contract import Order
from pegboard.knowledge.claims import Claims
from pegboard.knowledge.coverage import Coverage, coverage_of
from pegboard.knowledge.facets import Facts, Price
from pegboard.knowledge.filters import read
from pegboard.knowledge.index import Listed
from pegboard.knowledge.measures import Measure, measure
from pegboard.knowledge.ordering import in_order, of_kind
from pegboard.knowledge.orders import is_superlative, measured


def an_item(id_: int, name: str, price: float, battery: str, *, language: str = "en", quiet: str = "Yes") -> Listed:
    properties = (("battery life" if language == "en" else "单次续航", battery), ("noise cancelling", quiet))
    claims = Claims(name.lower(), (), ("audio", "headphones"), properties, grams=10.0 * id_, date=f"2025-0{id_}-01")
    currency = "USD" if language == "en" else "CNY"
    facts = Facts(prices=(Price(currency, price, price),), minutes=id_, calories=id_, rating=id_, claims=claims)
    return Listed(id_, "b", f"u{id_}", name, "Product", language, (name,), facts)


LARK = an_item(1, "Lark Wireless Headphones", 64, "26 h", quiet="No")
NIGHTJAR = an_item(2, "Nightjar Noise-Cancelling Headphones", 249, "38 h with, 55 h without")
OWL = an_item(3, "Owl Noise-Cancelling Headphones", 89, "2 days")
POD = an_item(4, "豆荚耳机", 199, "6小时", language="zh")
SHOP = coverage_of([one.facts for one in (LARK, NIGHTJAR, OWL, POD)])


@pytest.mark.parametrize(
    ("question", "rest", "field", "is_falling", "of"),
    [
        ("cheapest headphones", "headphones", "price", False, ""),
        ("what is the most expensive laptop", "what laptop", "price", True, ""),
        ("lightest tent", "tent", "weight", False, ""),
        ("the heaviest suitcase", "suitcase", "weight", True, ""),
        ("quickest soup", "soup", "time", False, ""),
        ("best rated dessert", "dessert", "rating", True, ""),
        ("newest articles", "articles", "date", True, ""),
        ("which soup has the fewest calories", "which soup", "calories", False, ""),
        ("which headphones have the longest battery life?", "which headphones ?", "property", True, "battery life"),
        ("longest lasting headphones", "headphones", "property", True, "battery life"),
        ("最便宜的耳机", "耳机", "price", False, ""),
        ("最轻的帐篷", "帐篷", "weight", False, ""),
        ("评分最高的牛肉菜", "牛肉菜", "rating", True, ""),
        ("续航最长的耳机", "耳机", "property", True, "续航"),
        ("最快能做好的早餐", "早餐", "time", False, ""),
    ],
)
def test_a_superlative_is_an_order(question: str, rest: str, field: str, is_falling: bool, of: str) -> None:
    reading = read(question, SHOP)
    assert reading.order is not None
    assert (reading.rest, reading.order.field, reading.order.is_falling, reading.order.of) == (
        rest, field, is_falling, of,
    )  # fmt: skip
    assert is_superlative(question)


@pytest.mark.parametrize("question", ["best headphones", "longest river", "cheap headphones", "便宜的耳机"])
def test_what_the_content_does_not_measure_is_no_order(question: str) -> None:
    assert read(question, SHOP).order is None


def test_without_prices_nothing_is_cheapest() -> None:
    nothing = Coverage(frozenset(), frozenset(), "")
    assert read("cheapest headphones", nothing).order is None


def order(question: str) -> Order:
    found = read(question, SHOP).order
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("question", "language", "names"),
    [
        ("cheapest headphones", "en", [LARK, OWL, NIGHTJAR]),
        ("most expensive headphones", "en", [NIGHTJAR, OWL, LARK]),
        ("headphones with the longest battery life", "en", [OWL, NIGHTJAR, LARK]),
        ("heaviest headphones", "en", [OWL, NIGHTJAR, LARK]),
        ("最便宜的耳机", "zh", [POD]),
    ],
)
def test_items_come_in_the_order_asked_for_in_one_unit(question: str, language: str, names: list[Listed]) -> None:
    assert in_order(order(question), [LARK, NIGHTJAR, OWL, POD], language) == names


def test_only_what_is_of_the_kind_is_ordered() -> None:
    weights = dict.fromkeys(("noise", "cancelling", "headphone"), 1.0)
    found = [(LARK, 90.0), (NIGHTJAR, 95.0), (OWL, 80.0)]
    assert of_kind("noise cancelling headphones", weights, found) == [NIGHTJAR, OWL]
    assert of_kind("something", {}, found) == [LARK, NIGHTJAR, OWL]


def test_an_item_that_does_not_say_cannot_be_ordered() -> None:
    assert measured(Facts(), order("cheapest headphones")) == []
    assert in_order(order("cheapest headphones"), [], "en") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("38 h with noise cancelling, 55 h without", Measure(2280.0, "minutes")),
        ("About 6 weeks at 30 min a day", Measure(60_480.0, "minutes")),
        ("单次6小时", Measure(360.0, "minutes")),
        ("43 to 54 cm (17 to 21 in)", Measure(43.0, "cm")),
        ("1.24 kg; 1.09 kg without pegs", Measure(1240.0, "g")),
        ("16 GB, soldered", Measure(16.0, "gb")),
        ("20,000 mAh (74 Wh)", Measure(20_000.0, "mah")),
        ("None; seasoning required", None),
    ],
)
def test_the_first_measure_of_a_value_is_read(text: str, found: Measure | None) -> None:
    assert measure(text) == found

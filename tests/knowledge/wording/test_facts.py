"""What an item says of itself, in sentences of two languages, however its JSON-LD is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.contract import Item
from pegboard.knowledge.wording.amounts import Money, listed, plain, spoken_minutes
from pegboard.knowledge.wording.describe import brief, digest, line, overview, short_name
from pegboard.knowledge.wording.facts import facts
from pegboard.text import Json


def an_item(**thing: Json) -> Item:
    return Item("u", str(thing.get("name", "Thing")), "s", "Thing", "en", str(thing.get("description", "")), thing)


def said(language: str = "en", **thing: Json) -> list[str]:
    return [fact.sentence for fact in facts(an_item(**thing), language)]


@pytest.mark.parametrize(
    ("thing", "english", "chinese"),
    [
        ({"totalTime": "PT15M"}, "It takes 15 min in all.", "总共需要 15 分钟。"),
        (
            {"prepTime": "PT10M", "cookTime": "PT1H"},
            "It takes 1 h 10 min in all: 10 min of preparation and 1 h of cooking.",
            "总共需要 1 小时 10 分钟，其中准备 10 分钟，烹饪 1 小时。",
        ),
        ({"offers": [{"price": "1249.5", "priceCurrency": "USD"}]}, "It costs $1,249.50.", "售价 $1,249.50。"),
        ({"offers": {"availability": "http://schema.org/SoldOut"}}, "It is sold out.", "目前售罄。"),
        ({"weight": "1.2 kg"}, "It weighs 1.2 kg.", "重 1.2 kg。"),
        ({"recipeYield": ["4", "4 servings"]}, "It makes 4 servings.", "份量：4 servings。"),
        (
            {"aggregateRating": {"ratingValue": "4.6", "reviewCount": 1264}},
            "It is rated 4.6 out of 5 by 1,264 people.",
            "评分 4.6（满分 5），共 1,264 人评分。",
        ),
        (
            {"suitableForDiet": ["https://schema.org/VeganDiet", "GlutenFreeDiet"]},
            "It is vegan and gluten-free.",
            "它是纯素和无麸质的。",
        ),
        (
            {"director": [{"name": "A. One"}, {"name": "B. Two"}]},
            "Director: A. One and B. Two.",
            "导演：A. One和B. Two。",
        ),
        ({"duration": "PT2H5M"}, "Length: 2 h 5 min.", "时长：2 小时 5 分钟。"),
        ({"recipeInstructions": "Boil it."}, "How to make it:\n1. Boil it.", "做法：\n1. Boil it."),
        (
            {"recipeInstructions": [{"@type": "HowToSection", "itemListElement": [{"text": "A."}, {"text": "B."}]}]},
            "How to make it:\n1. A.\n2. B.",
            "做法：\n1. A.\n2. B.",
        ),
        ({"numberOfPages": 320}, "Number of pages: 320.", "Number of pages：320。"),
    ],
)
def test_a_property_is_a_sentence(thing: dict[str, Json], english: str, chinese: str) -> None:
    assert (said("en", **thing), said("zh", **thing)) == ([english], [chinese])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**6) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "text", "value", "price", "ratingValue", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = (
    "offers totalTime prepTime recipeYield nutrition aggregateRating weight additionalProperty recipeIngredient "
    "recipeInstructions suitableForDiet comment review brand director anything"
)


@given(st.dictionaries(st.sampled_from(KEYS.split()), json_values))
def test_whatever_a_site_writes_is_no_error(thing: dict[str, Json]) -> None:
    item = an_item(**thing)
    for language in ("en", "zh"):
        facts(item, language)
        overview(item, language)
        assert digest(item, language)
        assert line(item, language)


def test_a_line_has_what_people_compare() -> None:
    item = an_item(
        name="Soup",
        description="Hot soup. It is red.",
        totalTime="PT20M",
        nutrition={"calories": "90 kcal"},
        offers={"price": 3, "priceCurrency": "USD", "availability": "InStock"},
    )
    assert line(item, "en") == "Soup ($3, 20 min, 90 kcal a serving): Hot soup."
    assert brief(item, "zh") == "$3，20 分钟，每份 90 kcal"


@pytest.mark.parametrize(
    ("name", "brand", "short"),
    [
        ("Orrin Nightjar 2 Wireless Headphones", "Orrin", "Orrin Nightjar 2"),
        ("Lumeda Glide 28 cm Ceramic Pan", "Lumeda", "Lumeda Glide"),
        ("听岚 云雀2 真无线降噪耳机", "听岚", "听岚 云雀2"),
        ("Rainy Sunday Lasagna", None, "Rainy Sunday Lasagna"),
    ],
)
def test_a_product_is_called_by_brand_and_model(name: str, brand: str | None, short: str) -> None:
    assert short_name(an_item(name=name, brand=brand)) == short


def test_amounts_are_written_as_people_read_them() -> None:
    assert [spoken_minutes(amount, "en") for amount in (0, 59, 60, 1500, 4320)] == [
        "0 min",
        "59 min",
        "1 h",
        "25 h",
        "3 d",
    ]
    assert [str(Money(5, "CNY")), str(Money(5.5, "CHF")), plain(4.60)] == ["¥5", "5.50 CHF", "4.6"]
    assert [listed(["a"], "en"), listed(["a", "b", "c"], "en"), listed("甲乙丙", "zh")] == [
        "a",
        "a, b and c",
        "甲、乙和丙",
    ]

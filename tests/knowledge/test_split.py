import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.knowledge.split import MOST_CHARACTERS, cut
from pegboard.text import Json
from tests.knowledge.conftest import DEMO, read_text


def pieces(value: dict[str, Json], name: str = "x.json") -> dict[str, str]:
    (entry,) = read_text(json.dumps(value), name).entries
    return {piece.heading: piece.text for piece in entry.pieces}


def test_a_recipe_is_cut_into_what_people_ask_for() -> None:
    value: dict[str, Json] = {
        "@type": "Recipe",
        "name": "Soup",
        "description": "Warm.",
        "author": {"name": "Mara"},
        "recipeCategory": "Soup",
        "recipeYield": "2 bowls",
        "recipeIngredient": ["1 leek", "salt"],
        "recipeInstructions": [
            {
                "@type": "HowToSection",
                "name": "All",
                "itemListElement": [{"text": "Chop."}, {"text": "Boil."}],
            }
        ],
        "prepTime": "PT10M",
        "totalTime": "PT1H10M",
        "nutrition": {"@type": "NutritionInformation", "servingSize": "1 bowl", "calories": "90 kcal"},
        "comment": {"@type": "Comment", "text": "Keeps two days."},
        "aggregateRating": {"ratingValue": 4.5, "ratingCount": 12},
    }
    assert pieces(value) == {
        "": "Warm.\nKind: Soup\nBy: Mara\nRated 4.5 of 5 by 12 people.",
        "Ingredients": "For: 2 bowls\n- 1 leek\n- salt",
        "Steps": "1. Chop.\n2. Boil.",
        "Times and nutrition": "How long it takes: 1 h 10 min in total (preparation 10 min).\nNutrition (1 bowl): 90 kcal.",
        "Tips": "- Keeps two days.",
    }


def test_a_chinese_product_is_told_in_chinese() -> None:
    value: dict[str, Json] = {
        "@type": "Product",
        "name": "台灯",
        "description": "明亮。",
        "brand": {"name": "檐光"},
        "color": "白",
        "weight": {"value": 900, "unitText": "g"},
        "additionalProperty": [{"name": "功率", "value": "12 W"}],
        "offers": {"price": 329.0, "priceCurrency": "CNY", "availability": "https://schema.org/InStock"},
        "review": [{"author": {"name": "丽娜 X."}, "reviewRating": {"ratingValue": 5}, "reviewBody": "很好。"}],
    }
    assert pieces(value) == {
        "": "明亮。\n类别：檐光",
        "规格": "- 颜色：白\n- 重量：900 g\n- 功率：12 W",
        "价格与库存": "价格：329 CNY，有货。",
        "评价": "- 丽娜 X.，5星：很好。",
    }


def test_questions_and_answers_stand_together() -> None:
    value: dict[str, Json] = {
        "@type": "FAQPage",
        "name": "FAQ",
        "mainEntity": [{"@type": "Question", "name": "How long?", "acceptedAnswer": {"text": "Two days."}}],
    }
    assert pieces(value)["Questions and answers"] == "How long?\nTwo days."


def test_properties_that_nobody_foresaw_are_told_too() -> None:
    value: dict[str, Json] = {
        "@type": "Event",
        "name": "Fair",
        "startDate": "2026-05-01",
        "location": {"name": "Hall"},
    }
    assert pieces(value)["Facts"] == "- start date: 2026-05-01\n- location: Hall"


def test_a_subsection_is_headed_by_both_headings() -> None:
    (entry,) = read_text("# Title\n## Returns\na.\n### Costs\nb.\n## Other\nc.", "x.md").entries
    assert [piece.heading for piece in entry.pieces] == ["", "Returns", "Returns › Costs", "Other"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two. Three.", ["One. Two.", "Three."]),
        ("一二三。四五六。七八九。", ["一二三。四五六。", "七八九。"]),
        ("abcdefghijklmnop", ["abcdefghij", "klmnop"]),
        ("", []),
    ],
)
def test_a_text_is_cut_at_ends_of_sentences(text: str, parts: list[str]) -> None:
    assert cut(text, 10) == parts


@given(st.text(alphabet="ab .。\n!", max_size=300), st.integers(3, 40))
def test_a_cut_loses_nothing_and_keeps_the_limit(text: str, characters: int) -> None:
    parts = cut(text, characters)
    assert all(0 < len(part) <= characters for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_no_passage_of_the_demo_is_long_or_empty() -> None:
    for path in sorted(DEMO.rglob("*.json")) + sorted(DEMO.rglob("*.md")):
        document = read_text(path.read_text(encoding="utf-8"), path.name)
        assert document.problems == ()
        for entry in document.entries:
            assert all(0 < len(piece.text) <= MOST_CHARACTERS for piece in entry.pieces), path
            assert entry.pieces[0].heading == ""

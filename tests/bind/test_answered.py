"""What a visitor answers fills what was missing."""

import pytest

from pegboard.bind.answered import filled, is_answer
from pegboard.text import Json, language

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "item_name": {"type": "string"},
        "size": {"enum": ["small", "large"]},
        "guests": {"type": "integer", "minimum": 1},
        "height_cm": {"type": "number"},
        "day": {"type": "string", "format": "date"},
        "item1_name": {"type": "string"},
        "item2_name": {"type": "string"},
        "order_id": {"type": ["string", "null"]},
        "extras": {"type": "array", "items": {"type": "string"}},
        "express": {"type": "boolean"},
    },
}


@pytest.mark.parametrize(
    ("lacking", "answer", "given"),
    [
        (["item_name"], "the lasagna", {"item_name": "lasagna"}),
        (["item_name"], "It's the Rainy Sunday Lasagna, please.", {"item_name": "Rainy Sunday Lasagna"}),
        (["item_name"], "我说的是红烧肉。", {"item_name": "红烧肉"}),
        (["item_name"], "Grape and Rosemary Focaccia", {"item_name": "Grape and Rosemary Focaccia"}),
        (["size"], "the large one", {"size": "large"}),
        (["size"], "medium", {}),
        (["guests"], "there will be six of us", {}),
        (["guests"], "6 people", {"guests": 6}),
        (["guests"], "six", {"guests": 6}),
        (["guests"], "六个人", {"guests": 6}),
        (["guests"], "0", {}),
        (["height_cm"], "1.75 m", {"height_cm": 175}),
        (["height_cm"], "一米七五", {"height_cm": 175}),
        (["day"], "March 5, 2026", {"day": "2026-03-05"}),
        (["order_id"], "AB-1207", {"order_id": "AB-1207"}),
        (["express"], "yes", {"express": True}),
        (["express"], "不要", {"express": False}),
        (["extras"], "salt, pepper", {"extras": ["salt", "pepper"]}),
        (["item1_name", "item2_name"], "the pie and the cake", {"item1_name": "pie", "item2_name": "cake"}),
        (["item1_name", "item2_name"], "馄饨和饺子", {"item1_name": "馄饨", "item2_name": "饺子"}),
        (["item1_name", "item2_name"], "the pie", {"item1_name": "pie"}),
        (["item_name", "guests"], "lasagna for 4 guests", {"item_name": "lasagna for 4 guests", "guests": 4}),
    ],
)
def test_an_answer_gives_what_was_missing(lacking: list[str], answer: str, given: dict[str, Json]) -> None:
    kept: dict[str, Json] = {"note": "kept"}
    assert filled(kept, SCHEMA, lacking, answer, language=language(answer)) == kept | given


def test_of_several_ways_to_cut_the_one_between_known_names_is_taken() -> None:
    names = ["Grape and Rosemary Focaccia", "Milk Bread"]
    assert filled({}, SCHEMA, ["item1_name", "item2_name"], "grape and rosemary focaccia and milk bread",
                  language="en", names=names) == {
        "item1_name": "grape and rosemary focaccia",
        "item2_name": "milk bread",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["the lasagna", "large", "6 people", "红烧肉", "我说的是红烧肉", "15% of 80", "AB-1207"]
)
def test_what_asks_nothing_may_be_an_answer(text: str) -> None:
    assert is_answer(text)


@pytest.mark.parametrize(
    "text",
    ["", "how long does it take", "show me soups", "I'm looking for a tent", "the lasagna?", "红烧肉怎么做", "有没有汤",
     "推荐几道菜", "so " * 40],
)  # fmt: skip
def test_what_asks_something_or_is_long_is_none(text: str) -> None:
    assert not is_answer(text)

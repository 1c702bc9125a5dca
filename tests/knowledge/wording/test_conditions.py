"""What was applied, in words."""

import pytest

from pegboard.catalog.contract import Filter, Order
from pegboard.knowledge.filters import read
from pegboard.knowledge.wording.conditions import applied, first, unapplied


@pytest.mark.parametrize(
    ("question", "language", "told"),
    [
        ("what can I cook in twenty minutes", "en", ["at most 20 minutes"]),
        ("in one minute", "en", ["at most 1 minute"]),
        ("ready in under 2 hours", "en", ["at most 2 hours"]),
        ("vegan, quick, in stock, under $100", "en", ["vegan", "at most 30 minutes", "in stock", "under $100"]),
        ("between 20 and 50 dollars", "en", ["$20 to $50"]),
        ("at least 4.5 stars", "en", ["rated 4.5 or better"]),
        ("less than 500 calories, without nuts, not spicy", "en", ["under 500 kcal", "without nuts", "not spicy"]),
        ("quick, in 15 minutes", "en", ["at most 15 minutes"]),
        ("三十分钟以内的素食", "zh", ["30 分钟以内", "素食"]),
        ("500元以下，有货，不含坚果，不辣", "zh", ["¥500以内", "有货", "不含坚果", "不辣"]),
        ("200到400元", "zh", ["¥200 到 ¥400"]),
        ("四星以上", "zh", ["评分 4 以上"]),
        ("一个半小时以内", "zh", ["90 分钟以内"]),
    ],
)
def test_conditions_are_told_in_plain_words(question: str, language: str, told: list[str]) -> None:
    assert sorted(applied(read(question).filters, language)) == sorted(told)


def test_an_order_is_told_as_what_comes_first() -> None:
    battery = Order("property", True, "have the longest battery life", "battery life")
    assert first(Order("price", False, "cheapest"), "en") == "cheapest first"
    assert first(Order("price", False, "最便宜"), "zh") == "按价格从低到高"
    assert first(battery, "en") == "longest battery life first"
    assert first(Order("property", True, "续航最长的", "续航"), "zh") == "按续航从高到低"


def test_what_was_not_applied_is_said() -> None:
    assert unapplied([], "en") == ""
    assert unapplied(["not too sweet"], "en") == "“not too sweet” could not be applied: the content does not tell."
    assert "“不太甜”" in unapplied(["不太甜"], "zh")


def test_a_diet_that_is_not_wanted_is_denied() -> None:
    assert applied([Filter("diet", "not", "vegan", "", "not vegan")], "en") == ["not vegan"]
    assert applied([Filter("diet", "not", "vegan", "", "不是纯素")], "zh") == ["非纯素"]

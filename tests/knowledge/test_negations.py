"""What a thing shall not be: judged where the content tells, named where it does not."""

import pytest

from pegboard.catalog.contract import Filter
from pegboard.knowledge.claims import Claims
from pegboard.knowledge.coverage import Coverage, coverage_of
from pegboard.knowledge.facets import Facts, fits
from pegboard.knowledge.filters import read

CURRY = Facts(ingredients="2 onions\n1 green chilli", claims=Claims("harbour curry", ("spicy", "quick")))
SOUP = Facts(ingredients="1 shallot\n200 ml cream", claims=Claims("mild soup", ("no-cook",), ("soup",)))
STIR_FRY = Facts(ingredients="蒜 10 克", claims=Claims("酸辣土豆丝", ("快手菜",), ("素菜",)))
BUDS = Facts(claims=Claims("drift earbuds", (), ("audio", "headphones"), (("fit", "in-ear, true wireless"),)))
CANS = Facts(
    claims=Claims(
        "atelier headphones", (), ("audio", "headphones"), (("fit", "over-ear, open-back"), ("connection", "wired"))
    )
)
KITCHEN = coverage_of([CURRY, SOUP, STIR_FRY])
SHOP = coverage_of([BUDS, CANS])


@pytest.mark.parametrize(
    ("coverage", "question", "rest", "words"),
    [
        (KITCHEN, "main courses that are not spicy", "main courses", ["spicy"]),
        (KITCHEN, "a soup, but nothing spicy", "a soup", ["spicy"]),
        (KITCHEN, "a curry, not too hot please", "a curry, please", ["spicy"]),
        (KITCHEN, "不辣的菜", "菜", ["spicy"]),
        (KITCHEN, "不太辣的豆腐", "豆腐", ["spicy"]),
        (KITCHEN, "不要辣的汤", "汤", ["spicy"]),
        (SHOP, "headphones that are not wireless", "headphones", ["wireless"]),
        (SHOP, "headphones, but no in-ear ones", "headphones", ["in-ear"]),
        (SHOP, "headphones that aren't over-ear", "headphones", ["over-ear"]),
        (SHOP, "不是无线的耳机", "耳机", ["wireless"]),
    ],
)
def test_a_word_that_the_content_says_of_itself_can_be_left_out(
    coverage: Coverage, question: str, rest: str, words: list[str]
) -> None:
    reading = read(question, coverage)
    assert (reading.rest, [one.value for one in reading.filters], reading.unjudged) == (rest, words, ())


@pytest.mark.parametrize(
    ("coverage", "question", "unjudged"),
    [
        (KITCHEN, "desserts that are not too sweet", ("that are not too sweet",)),
        (KITCHEN, "a fish recipe that isn't fried", ("that isn't fried",)),
        (KITCHEN, "不太甜的甜点", ("不太甜",)),
        (KITCHEN, "不油腻的菜", ("不油腻",)),
        (KITCHEN, "cakes without marzipan", ("without marzipan",)),
        (SHOP, "a knife, not too expensive", ("not too expensive",)),
    ],
)
def test_what_cannot_be_judged_is_named_and_not_applied(
    coverage: Coverage, question: str, unjudged: tuple[str, ...]
) -> None:
    reading = read(question, coverage)
    assert (reading.filters, reading.unjudged) == ((), unjudged)


@pytest.mark.parametrize(
    "question",
    [
        "I'm not sure what to cook",
        "不锈钢锅",
        "不粘锅",
        "不错的耳机",
        "why is it not working",
        "没有鸡蛋怎么办",
        "无线耳机",
    ],
)
def test_other_denials_stay_in_the_question(question: str) -> None:
    reading = read(question, SHOP)
    assert (reading.rest, reading.filters, reading.unjudged) == (question, (), ())


@pytest.mark.parametrize(
    ("question", "families"),
    [
        ("soup without onion", ["onions"]),
        ("pasta without garlic or onions", ["garlic", "onions"]),
        ("onion-free curry", ["onions"]),
        ("不放葱和蒜的汤", ["onions", "garlic"]),
        ("不吃辣椒", ["chilli"]),
    ],
)
def test_foods_are_left_out_by_their_families(question: str, families: list[str]) -> None:
    found = [str(one.value) for one in read(question, KITCHEN).filters]
    assert found == [family.replace("onions", "onion") for family in families]


@pytest.mark.parametrize(
    ("facts", "condition", "is_met"),
    [
        (CURRY, Filter("called", "not", "spicy", "", ""), False),
        (SOUP, Filter("called", "not", "spicy", "", ""), True),
        (STIR_FRY, Filter("called", "not", "spicy", "", ""), False),
        (BUDS, Filter("called", "not", "wireless", "", ""), False),
        (CANS, Filter("called", "not", "wireless", "", ""), True),
        (BUDS, Filter("called", "not", "in-ear", "", ""), False),
        (SOUP, Filter("without", "not", "onion", "", ""), False),
    ],
)
def test_an_item_is_tested_on_what_it_says(facts: Facts, condition: Filter, is_met: bool) -> None:
    assert fits(facts, condition) is is_met


def test_chilli_makes_a_dish_spicy_and_not_too_spicy_only_if_it_says_so() -> None:
    dish = Facts(ingredients="1 green chilli", claims=Claims("moong pancakes", ("vegan",)))
    assert not fits(dish, Filter("called", "not", "spicy", "", "not spicy"))
    assert fits(dish, Filter("called", "not", "spicy", "somewhat", "not too spicy"))

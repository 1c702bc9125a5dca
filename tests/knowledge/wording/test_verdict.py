"""Yes or no, from diets, keywords and ingredients."""

import pytest

from pegboard.knowledge.wording.verdict import verdict
from tests.handlers.shelf import product, recipe

BREAD = recipe(
    "Milk Rolls",
    keywords=["vegetarian", "nut-free"],
    recipeIngredient=["300 g bread flour", "120 ml whole milk, warm", "salt"],
)
CURRY = recipe(
    "Curry", keywords=["vegan", "spicy", "dairy-free"], recipeIngredient=["1 onion, chopped", "40 g peanuts"]
)
PORK = recipe("红烧肉", language="zh", keywords=["猪肉"], recipeIngredient=["五花肉 500 克", "冰糖 30 克"])


@pytest.mark.parametrize(
    ("item", "question", "text"),
    [
        (BREAD, "is the milk bread vegan?", "No, it is not vegan: it has 120 ml whole milk."),
        (BREAD, "is it vegetarian", "Yes, it is vegetarian."),
        (BREAD, "is it gluten-free?", "No, it is not gluten-free: it has 300 g bread flour."),
        (BREAD, "does it contain nuts?", "No: it is listed as nut-free."),
        (BREAD, "does it have eggs in it", "No: its list of ingredients names no eggs."),
        (CURRY, "is it vegan?", "Yes, it is vegan."),
        (CURRY, "does it contain peanuts?", "Yes: it has 40 g peanuts."),
        (CURRY, "is it dairy-free?", "Yes: it is listed as dairy-free."),
        (CURRY, "is it without onion?", "No: it has 1 onion."),
        (CURRY, "is it hot?", "Yes, it says that it is spicy."),
    ],
)  # fmt: skip
def test_a_question_whether_is_decided(item: object, question: str, text: str) -> None:
    assert verdict(item, question.replace("milk bread", ""), "en") == [text]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("是纯素的吗", "不是，它不是纯素的：里面有五花肉 500 克。"),
        ("是素的吗", "不是，它不是素食的：里面有五花肉 500 克。"),
        ("含花生吗", "没有，配料里没有写花生。"),
        ("里面放不放肉", "有，里面有五花肉 500 克。"),
    ],
)
def test_a_question_whether_is_decided_in_chinese(question: str, text: str) -> None:
    assert verdict(PORK, question, "zh") == [text]


@pytest.mark.parametrize("question", ["how much milk is in it", "is it gluten-free?", "is it easy?", "which nuts"])
def test_what_nothing_tells_is_not_decided(question: str) -> None:
    assert verdict(CURRY, question, "en") == []
    assert verdict(product("Lamp"), question, "en") == []

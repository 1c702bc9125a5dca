"""Substitutions, accompaniment and knowledge: sentences of the site's guides, each with its source."""

import pytest

from pegboard.handlers.accompaniment import accompaniment
from pegboard.handlers.knowledge import knowledge
from pegboard.handlers.recipe_substitutions import recipe_substitutions
from tests.handlers.shelf import LASAGNA, SALAD, Asked, Shelf, an_item, passage, recipe

pytestmark = pytest.mark.anyio

OUT_OF_EGGS = an_item("Out of Eggs?", "Article", "en", {})
CAKES = passage(OUT_OF_EGGS, "Eggs in cakes", "Replace one egg in a cake with 60 g applesauce. It keeps moist.")
BROWNIES = passage(OUT_OF_EGGS, "Eggs in brownies", "Replace one egg in brownies with a flax egg. It spreads less.")
BUTTER = passage(OUT_OF_EGGS, "Butter in cakes", "Replace butter with oil.")
SIDES = an_item("What to Serve with Pasta", "Article", "en", {})
WITH_LASAGNA = passage(SIDES, "Side dishes for lasagna", "Lasagna wants a bitter salad. Nothing creamy beside it.")
DRINKS = passage(an_item("Drinks with Food", "Article", "en", {}), "Drinks with lasagna", "Lasagna takes a red wine.")


async def test_a_substitution_without_a_dish_lists_each_use() -> None:
    result = await recipe_substitutions(Asked("x", Shelf(pieces=[CAKES, BROWNIES, BUTTER])), "eggs")
    assert result.text == (
        "- Eggs in cakes: Replace one egg in a cake with 60 g applesauce. [1]\n"
        "- Eggs in brownies: Replace one egg in brownies with a flax egg. [1]"
    )
    assert [each.name for each in result.evidence] == ["Out of Eggs?"]


async def test_a_substitution_for_a_dish_takes_the_section_that_fits_it() -> None:
    context = Asked("eggs in brownies?", Shelf(pieces=[CAKES, BROWNIES]))
    result = await recipe_substitutions(context, "eggs", "brownies")
    assert result.text.startswith("Replace one egg in brownies with a flax egg. [1]")


async def test_a_substitution_says_how_the_recipe_uses_it() -> None:
    result = await recipe_substitutions(Asked("x", Shelf([LASAGNA])), "pancetta", "Rainy Sunday Lasagna")
    assert result.text == (
        "This site says nothing about a substitute for pancetta.\nRainy Sunday Lasagna uses 100 g pancetta, diced. [1]"
    )
    unused = await recipe_substitutions(Asked("x", Shelf([LASAGNA], [CAKES])), "eggs", "Rainy Sunday Lasagna")
    assert unused.text.endswith("Rainy Sunday Lasagna does not list eggs among its ingredients. [2]")


async def test_a_tip_of_the_recipe_itself_goes_first() -> None:
    cake = recipe(
        "戚风蛋糕", language="zh", recipeIngredient=["牛奶 40 毫升"], comment=[{"text": "牛奶换成等量橙汁。"}]
    )
    guide = an_item("牛奶用完了", "Article", "zh", {})
    pieces = [
        passage(guide, "松饼用的白脱牛奶", "白脱牛奶用酸奶代替。"),
        passage(guide, "烘焙里的牛奶", "牛奶换成豆浆。"),
    ]
    result = await recipe_substitutions(Asked("x", Shelf([cake], pieces), language="zh"), "牛奶", "戚风蛋糕")
    assert result.text == (
        "戚风蛋糕的用量是：牛奶 40 毫升。[1]\n这道菜的小贴士：牛奶换成等量橙汁。[1]\n牛奶换成豆浆。[2]"
    )


async def test_a_substitution_asks_for_the_ingredient() -> None:
    result = await recipe_substitutions(Asked("x", Shelf(), language="zh"))
    assert (result.text, result.status) == ("您想替换哪一种食材？", "needs_clarification")


async def test_a_substitution_reads_the_ingredient_from_the_question_when_none_was_named() -> None:
    shelf = Shelf(pieces=[CAKES, BUTTER])
    result = await recipe_substitutions(Asked("what shall I put into cakes when I have no eggs", shelf))
    assert result.text == "Replace one egg in a cake with 60 g applesauce. [1]"
    unknown = await recipe_substitutions(Asked("what now?", shelf))
    assert unknown.status == "needs_clarification"


async def test_advice_on_another_dish_is_no_advice() -> None:
    curry = passage(
        an_item("Drinks with Food", "Article", "en", {}),
        "Drinks with spicy curries",
        "Curries take a wine that is sweet.",
    )
    result = await accompaniment(Asked("what wine goes with lasagna", Shelf([LASAGNA], [curry])), "lasagna", "wine")
    assert result.text == "This site says nothing about which wine goes with lasagna."
    assert (result.status, result.evidence) == ("not_found", ())


async def test_what_goes_beside_a_dish_is_no_other_main_course_and_not_the_dish_again() -> None:
    beans = recipe("Lasagna Soup", recipeCategory="Soup", description="A salad to serve with lasagna.")
    burger = recipe("Salad Burger", recipeCategory="Main course", description="A salad to serve with lasagna.")
    shelf = Shelf([LASAGNA, SALAD, beans, burger], [WITH_LASAGNA])
    result = await accompaniment(Asked("x", shelf), "lasagna")
    assert isinstance(result.data, dict)
    assert result.data["recipes"] == [{"name": "Fennel Salad", "url": SALAD.url}]


async def test_an_accompaniment_takes_the_dishs_tip_a_guide_and_recipes() -> None:
    shelf = Shelf([LASAGNA, SALAD], [WITH_LASAGNA, DRINKS, CAKES])
    result = await accompaniment(Asked("x", shelf), "Rainy Sunday Lasagna")
    assert result.text.splitlines()[:2] == [
        "All it needs beside it is something bitter. [1]",
        "Lasagna wants a bitter salad. [2]",
    ]
    assert "- Fennel Salad (15 min): A sharp green salad. [3]" in result.text


async def test_a_question_for_a_drink_gets_a_drink() -> None:
    result = await accompaniment(Asked("x", Shelf([SALAD], [WITH_LASAGNA, DRINKS])), "lasagna", "wine")
    assert result.text == "Lasagna takes a red wine. [1]"


async def test_an_accompaniment_of_which_nothing_is_said() -> None:
    result = await accompaniment(Asked("x", Shelf([LASAGNA])), "spaceship")
    assert (result.text, result.status) == ("This site says nothing about what goes with spaceship.", "not_found")


RETURNS = an_item("How to return an order", "Article", "en", {})
START = passage(
    RETURNS,
    "How do I start a return?",
    "Start a return online; it takes two minutes.\n\n1. Open Account > Orders.\n2. Tick the items.\n\nPack it well.",
)
COST = passage(
    RETURNS,
    "What does it cost to send an order back?",
    "A label costs $6.50. The other cases:\n\n- Faulty item: Nothing\n- From Canada: Your own postage",
)
SUMMARY = passage(RETURNS, "", "How long you have to send something back, and what a return costs.", 99)


async def test_knowledge_takes_the_section_whose_heading_asks_the_same() -> None:
    result = await knowledge(Asked("how do I return an order", Shelf(pieces=[SUMMARY, COST, START])))
    assert result.text.startswith(
        "Start a return online; it takes two minutes. [1]\n1. Open Account > Orders.\n2. Tick the items. [1]"
    )
    assert {each.name for each in result.evidence} == {"How to return an order"}


async def test_knowledge_keeps_of_a_list_what_was_asked() -> None:
    result = await knowledge(Asked("what does a return from Canada cost?", Shelf(pieces=[COST])))
    assert result.text == "A label costs $6.50. [1]\nThe other cases [1]:\n- From Canada: Your own postage"


async def test_knowledge_says_that_the_site_has_none_before_it_searches() -> None:
    result = await knowledge(Asked("x", Shelf()))
    assert (result.status, result.task) == ("no_knowledge", "")


async def test_knowledge_says_that_nothing_fits() -> None:
    weak = passage(RETURNS, "What works?", "Your own computer works.", 40)
    result = await knowledge(Asked("how do quantum computers tunnel", Shelf(pieces=[weak])))
    assert (result.status, result.evidence) == ("not_found", ())

"""Search, details, compare and ensemble: what a visitor reads, and what stands behind it."""

from collections.abc import Sequence

import pytest

from pegboard.catalog.contract import Filter, Item, Order, Result
from pegboard.handlers.compare import compare
from pegboard.handlers.details import details
from pegboard.handlers.ensemble import ensemble
from pegboard.handlers.search import search
from tests.handlers.shelf import (
    BURGERS,
    EARBUDS,
    EGGS,
    HEADPHONES,
    LASAGNA,
    SALAD,
    Asked,
    Shelf,
    product,
    recipe,
)

pytestmark = pytest.mark.anyio
KITCHEN = (LASAGNA, BURGERS, SALAD, EGGS)
SHOP = (HEADPHONES, EARBUDS)


class Searching(Asked):
    """A request to a site that has the tool `search`."""

    async def call(self, tool: str, arguments: object) -> Result:
        return Result(f"{tool}ed for {arguments}")


def asked(question: str, things: Sequence[Item] = KITCHEN, *, language: str = "en", type: str = "Recipe") -> Asked:
    return Asked(question, Shelf(things), language=language, type=type)


def cited(result: Result) -> list[str]:
    return [each.name for each in result.evidence]


async def test_search_tells_of_the_best_in_a_sentence_each() -> None:
    result = await search(asked("a sharp green salad"))
    assert result.text == ("This fits best:\n- Fennel Salad (15 min): A sharp green salad. [1]")
    assert (cited(result), result.items[0].item) == (["Fennel Salad"], SALAD)


async def test_search_takes_the_query_before_the_question() -> None:
    context = asked("whatever")
    await search(context, "lasagna")
    await search(context, "  ")
    assert context.search.asked == ["lasagna", "whatever"]


async def test_search_says_which_conditions_it_applied() -> None:
    under = Filter("time", "<=", 30, "minutes", "under 30 minutes")
    result = await search(Asked("salad under 30 minutes", Shelf(KITCHEN, filters=(under,))))
    assert result.text.startswith("This fits best (at most 30 minutes):\n- Fennel Salad")
    assert isinstance(result.data, dict)
    assert result.data["filters"] == [{"field": "time", "operator": "<=", "value": 30, "unit": "minutes"}]


async def test_search_shows_what_comes_near_when_a_condition_is_not_met() -> None:
    under = Filter("time", "<=", 3, "minutes", "3分钟以内的")
    shelf = Shelf((EGGS,), filters=(under,), unmet=True)
    result = await search(Asked("3分钟以内的番茄炒蛋", shelf, language="zh"))
    assert result.text.startswith(
        "本站没有满足这个条件的内容：3 分钟以内。不加这个条件的话，最接近的有：\n- 多汁番茄炒蛋"
    )
    assert (shelf.asked[-1], result.status) == ("番茄炒蛋", "not_found")


async def test_search_says_that_nothing_was_found() -> None:
    result = await search(asked("spaceship"))
    assert (result.text, result.status) == ("Nothing on this site fits “spaceship”.", "not_found")
    assert (await search(asked("x", ()))).status == "no_knowledge"


async def test_search_says_that_nothing_fits_well_and_names_two() -> None:
    shelf = Shelf(KITCHEN, is_weak=True)
    result = await search(Asked("salad lasagna burgers", shelf))
    assert result.text.startswith("Nothing on this site fits “salad lasagna burgers” well. These come nearest:\n- ")
    assert len(result.items) == 2


async def test_search_says_that_there_are_fewer_than_were_asked_for() -> None:
    result = await search(Asked("three salads", Shelf((SALAD,), wanted=3)))
    assert result.text.splitlines()[-1] == "That is all that fits: 1 of the 3 asked for."
    assert isinstance(result.data, dict)
    assert result.data["wanted"] == 3
    assert "That is all" not in (await search(Asked("just one salad", Shelf((SALAD,), wanted=1)))).text


async def test_search_tells_of_as_many_as_were_asked_for() -> None:
    salads = [recipe(f"Salad number {place}") for place in range(8)]
    result = await search(Asked("top eight salads", Shelf(salads, wanted=8)))
    assert sum(line.startswith("- ") for line in result.text.splitlines()) == 8


async def test_search_says_what_comes_first_and_what_was_not_applied() -> None:
    shelf = Shelf(KITCHEN, order=Order("time", False, "quickest"), unjudged=("not too sweet",))
    result = await search(Asked("quickest salad, not too sweet", shelf))
    assert result.text.startswith("Quickest first:\n- Fennel Salad")
    assert result.text.endswith("“not too sweet” could not be applied: the content does not tell.")


async def test_what_shall_be_left_out_is_not_offered_when_nothing_else_fits() -> None:
    nuts = Filter("without", "not", "nuts", "", "without nuts")
    salted = recipe("Nut Bread", recipeIngredient=["100 g walnuts"])
    result = await search(Asked("nut bread without nuts", Shelf((salted,), filters=(nuts,), unmet=True)))
    assert (result.text, result.items) == ("Nothing on this site fits with this condition: without nuts.", ())


async def test_details_searches_where_the_first_of_an_order_is_asked_for() -> None:
    context = Searching("which headphones have the longest battery life", Shelf(SHOP))
    assert (await details(context, "longest battery life")).text == "searched for {'query': '" + context.question + "'}"
    without = await details(asked(context.question, SHOP), "longest battery life")
    assert (without.text, without.status) == ("This site has nothing called “longest battery life”.", "not_found")


async def test_only_names_that_share_a_word_are_proposed() -> None:
    result = await details(asked("how long does shipping to Canada take", SHOP), "shipping to Canada")
    assert result.text == "This site has nothing called “shipping to Canada”."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "how long does it take?",
            "It takes 3 h 50 min in all: 40 min of preparation, 2 h 55 min of cooking and 15 min of resting or waiting. [1]",
        ),
        ("how many calories has it?", "A serving (1 slice) has 640 kcal. [1]"),
        (
            "what is in it?",
            "For 8 servings you need [1]:\n- 500 g minced beef\n- 100 g pancetta, diced\n- 70 g butter",
        ),
        ("how do I make it?", "How to make it [1]:\n1. Warm the oil.\n2. Bake for 40 minutes."),
        ("can I freeze it?", "Baked portions freeze for three months. [1]"),
        ("how is it rated?", "It is rated 4.8 out of 5 by 412 people. [1]"),
        (
            "tell me about it",
            "A slow lasagna with a proper ragù. It wants two hours. [1]\n"
            "It takes 3 h 50 min in all: 40 min of preparation, 2 h 55 min of cooking and 15 min of resting or "
            "waiting. A serving (1 slice) has 640 kcal. It makes 8 servings and is rated 4.8 out of 5 by 412 people. [1]",
        ),
    ],
)
async def test_details_tells_what_is_asked(question: str, text: str) -> None:
    result = await details(asked(question), "Rainy Sunday Lasagna")
    assert result.text == f"Rainy Sunday Lasagna:\n{text}"
    assert cited(result) == ["Rainy Sunday Lasagna"]


async def test_details_answers_in_chinese() -> None:
    result = await details(asked("番茄炒蛋有多少热量，要多久？", language="zh"), "番茄炒蛋")
    assert result.text == "多汁番茄炒蛋：\n每份热量 333 kcal。总共需要 15 分钟。[1]"


async def test_the_words_of_a_name_ask_for_nothing() -> None:
    miso = recipe("Ten-Minute Miso Salmon", nutrition={"calories": "435 kcal"}, totalTime="PT20M")
    result = await details(asked("calories of the Ten-Minute Miso Salmon", (miso,)), "ten-minute miso salmon")
    assert result.text == "Ten-Minute Miso Salmon:\nA serving has 435 kcal. [1]"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("how much is it?", "It costs $249. [1]"),
        ("how long does the batery last?", "Battery life: 38 h. [1]"),
        ("续航多久？", "Battery life: 38 h. [1]"),
        ("how heavy?", "It weighs 262 g. [1]"),
        ("what do people say?", "Mara T. (5 stars): “Quiet on a plane.” [1]"),
    ],
)
async def test_details_finds_specifications_by_either_language_and_in_spite_of_a_slip(question: str, text: str) -> None:
    result = await details(asked(question, SHOP), "orrin nightjar")
    assert result.text == f"Orrin Nightjar 2 Wireless Headphones:\n{text}"


ROAST = recipe(
    "Two-Lemon Roast Chicken",
    totalTime="PT14H50M",
    keywords=["nut-free", "freezer-friendly", "roast"],
    recipeIngredient=["1 chicken"],
    recipeInstructions=["Salt it for 12 hours.", "Heat the oven to 220°C (425°F).", "Roast for 20 minutes. Turn it."],
    comment=["Serve it hot."],
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("how long is it in the oven?", "Roast for 20 minutes. [1]"),
        ("how long does it take?", "It takes 14 h 50 min in all. [1]"),
        ("at what temperature?", "Heat the oven to 220°C (425°F). [1]"),
        ("can I freeze it?", "It is listed as freezer-friendly. [1]"),
        ("can I reheat it?", "Its page does not say. [1]"),
        ("does it contain nuts?", "No: it is listed as nut-free. [1]"),
    ],
)
async def test_details_tells_of_one_part_of_the_work_what_the_text_says(question: str, text: str) -> None:
    result = await details(asked(question, (ROAST,)), "Two-Lemon Roast Chicken")
    assert result.text.replace("You need", "For this you need") == f"Two-Lemon Roast Chicken:\n{text}"


async def test_details_finds_a_specification_by_its_value_and_an_item_whose_name_came_with_the_question() -> None:
    kettle = product("Egret Kettle", additionalProperty=[{"name": "Power", "value": "1200 W, 120 V"}])
    result = await details(asked("does it run on 120 volts", (kettle,)), "Egret Kettle")
    assert result.text == "Egret Kettle:\nPower: 1200 W, 120 V. [1]"
    cake = recipe("戚风蛋糕", language="zh", recipeInstructions=["烤箱预热到 150 ℃。", "烤 50 分钟。"])
    result = await details(asked("戚风蛋糕多少度", (cake,), language="zh"), "戚风蛋糕多少度")
    assert result.text == "戚风蛋糕：\n烤箱预热到 150 ℃。[1]"


async def test_details_says_when_a_diet_is_not_stated() -> None:
    result = await details(asked("is it gluten free?"), "lasagna")
    assert "does not say whether it suits that diet" in result.text
    vegan = await details(asked("is it vegan?"), "Midnight Bean Burgers")
    assert vegan.text == "Midnight Bean Burgers:\nYes, it is vegan. [1]"


async def test_details_of_a_thing_that_is_not_there_names_the_nearest() -> None:
    result = await details(asked("x"), "pumpkin spice flour lasagna")
    assert result.text == (
        "This site has nothing called “pumpkin spice flour lasagna”. Did you mean “Rainy Sunday Lasagna”?"
    )
    assert (result.status, [hit.item for hit in result.items]) == ("not_found", [LASAGNA])


async def test_compare_tells_the_differences_that_matter_and_has_the_table() -> None:
    result = await compare(asked("x"), "Rainy Sunday Lasagna", "bean burgers")
    assert result.text == (
        "Rainy Sunday Lasagna [1] and Midnight Bean Burgers [2] compared:\n"
        "- Quicker by 3 h 25 min: the Midnight Bean Burgers, with 25 min against 3 h 50 min.\n"
        "- Fewer calories: the Midnight Bean Burgers, with 475 kcal a serving against 640 kcal.\n"
        "- Rated higher: the Rainy Sunday Lasagna, with 4.8/5 against 4.5/5."
    )
    assert cited(result) == ["Rainy Sunday Lasagna", "Midnight Bean Burgers"]
    assert isinstance(result.data, dict)
    assert {"name": "Total time", "values": ["3 h 50 min", "25 min"], "differs": True} in result.data["properties"]  # type: ignore[operator]


async def test_compare_puts_first_what_is_asked() -> None:
    result = await compare(asked("which has the longer battery life?", SHOP), "nightjar", "drift")
    assert result.text.splitlines()[1] == "- Battery life: Orrin Nightjar 2 – 38 h; Sorrelle Drift Pro – 9 h."


async def test_compare_says_which_is_not_there() -> None:
    result = await compare(asked("x"), "lasagna", "spaceship")
    assert (result.text, result.status) == ("This site has nothing called “spaceship”.", "not_found")


async def test_compare_asks_when_both_names_mean_the_same() -> None:
    result = await compare(asked("x", (LASAGNA,)), "rainy lasagna", "sunday lasagna")
    assert result.status == "needs_clarification"


async def test_an_ensemble_takes_the_best_of_each_search_and_nothing_twice() -> None:
    salads = (SALAD, recipe("Green Salad", recipeCategory="Salad", description="Only a salad."))
    result = await ensemble(asked("x", (*salads, LASAGNA)), ["salad", "green salad", "main course"])
    assert [hit.item.name for hit in result.items] == ["Fennel Salad", "Green Salad", "Rainy Sunday Lasagna"]
    assert result.text.startswith(
        "Put together from this site:\n- Salad: Fennel Salad (15 min): A sharp green salad. [1]"
    )


@pytest.mark.parametrize("queries", [[], None, "starter or salad, main course"])
async def test_an_ensemble_makes_do_with_a_text_or_nothing(queries: list[str] | None) -> None:
    result = await ensemble(asked("plan dinner"), queries)
    assert [hit.item.name for hit in result.items] == ["Fennel Salad", "Rainy Sunday Lasagna"]


async def test_an_ensemble_of_products_has_a_sum_and_prefers_what_is_in_stock() -> None:
    gone = product("Drift Case", offers={"price": 5, "priceCurrency": "USD", "availability": "OutOfStock"})
    here = product("Nightjar Case", offers={"price": 9, "priceCurrency": "USD", "availability": "InStock"})
    result = await ensemble(asked("x", (gone, here, HEADPHONES), type="Product"), ["case", "headphones"])
    assert [hit.item.name for hit in result.items] == ["Nightjar Case", HEADPHONES.name]
    assert "Together $258." in result.text


async def test_an_ensemble_says_which_part_is_missing() -> None:
    result = await ensemble(asked("x", (SALAD,)), ["salad", "spaceship"])
    assert result.text.endswith("Nothing fits “spaceship”.")
    assert (await ensemble(asked("x", (SALAD,)), ["spaceship"])).status == "not_found"


async def test_of_an_ensemble_the_part_with_the_least_choice_chooses_first() -> None:
    desk_lamp = product("Desk Lamp", category="Lighting", description="A desk lamp for a desk.")
    desk = product("Standing Table", category="Desks", description="A desk.")
    lights = product("Bicycle Lamp Set", category="Cycling", description="For a bicycle.")
    result = await ensemble(asked("x", (desk_lamp, desk, lights), type="Product"), ["desk", "desk lamp"])
    assert [hit.item.name for hit in result.items] == ["Standing Table", "Desk Lamp"]

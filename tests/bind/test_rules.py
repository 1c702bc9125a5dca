"""Arguments without a model, in both languages: what the question says, under the role of each parameter."""

import pytest

from pegboard.bind.mention import mentioned, within_name
from pegboard.bind.roles import roles
from pegboard.bind.rules import extract
from pegboard.text import Json, language


def schema(**types: str) -> dict[str, Json]:
    properties: dict[str, Json] = {
        name: {"type": kind, **({"items": {"type": "string"}} if kind == "array" else {})}
        for name, kind in types.items()
    }
    return {"type": "object", "properties": properties}


DETAILS = schema(item_name="string", details_requested="string")
COMPARE = schema(item1_name="string", item2_name="string")
SUBSTITUTE = schema(ingredient="string", recipe_name="string", reason="string")
ACCOMPANY = schema(main_item="string", accompaniment_type="string")
ENSEMBLE = schema(queries="array", ensemble_type="string")
CLOCK = schema(place="string", date="string")


def found(question: str, tool: dict[str, Json], *names: str) -> dict[str, Json]:
    return extract(question, tool, language=language(question), names=names)


@pytest.mark.parametrize(
    ("question", "name", "asked"),
    [
        ("what is in the Rainy Sunday Lasagna", "Rainy Sunday Lasagna", "ingredients"),
        ("how long does the ten-minute miso salmon take?", "ten-minute miso salmon", "time"),
        ("How much does the Orrin Nightjar 2 cost?", "Orrin Nightjar 2", "price"),
        ("what are the ingredients of the grape and rosemary focaccia?", "grape and rosemary focaccia", "ingredients"),
        ("Could you tell me how heavy the plover tent is?", None, "weight"),
        ("Does the groundnut stew have any meat in it?", "groundnut stew", "ingredients"),
        ("what do people say about the Alder chair", "Alder chair", "reviews"),
        ('how do I make "Green Zhoug"?', "Green Zhoug", "steps"),
        ("番茄炒蛋怎么做", "番茄炒蛋", "steps"),
        ("红烧肉 的配料", "红烧肉", "ingredients"),
        ("请问灶禾电饭煲多少钱？", "灶禾电饭煲", "price"),
        ("介绍一下《半糖杨枝甘露》的热量", "半糖杨枝甘露", "calories"),
        ("老灶红烧肉要炖多长时间？", "老灶红烧肉", "time"),
    ],
)
def test_a_question_for_details_names_its_item(question: str, name: str | None, asked: str) -> None:
    arguments = found(question, DETAILS)
    assert arguments["details_requested"] == asked
    assert name is None or arguments["item_name"] == name


def test_a_question_that_names_nothing_leaves_the_item_out() -> None:
    assert "item_name" not in found("how long does it take?", DETAILS)
    assert "item_name" not in found("多少钱？", DETAILS)


def test_a_name_that_the_site_knows_is_found_where_no_phrase_tells() -> None:
    known = ("Orrin Nightjar 2 Wireless Noise-Cancelling Headphones", "Orrin Campfire Portable Speaker")
    assert found("orrin nightjar 2 batery life", DETAILS, *known) == {"item_name": known[0]}


@pytest.mark.parametrize(
    ("question", "pair"),
    [
        ("compare the X and the Y", ("X", "Y")),
        ("Orrin Nightjar 2 vs Brambley Commuter 40", ("Orrin Nightjar 2", "Brambley Commuter 40")),
        ("difference between the Lumeda Glide and the Brackwell pan", ("Lumeda Glide", "Brackwell pan")),
        ("which is better, the Plover 2 or the Lodge 2?", ("Plover 2", "Lodge 2")),
        ("is the Torvane knife better than the Sorahagi?", ("Torvane knife", "Sorahagi")),
        (
            "compare the Rye and Brown Butter Cookies and the Flourless Chocolate Cake",
            ("Rye and Brown Butter Cookies", "Flourless Chocolate Cake"),
        ),
        ("smash burgers or the bean burgers, which one is quicker to make?", ("smash burgers", "bean burgers")),
        ("云雀2和豆荚哪个好", ("云雀2", "豆荚")),
        ("比较一下红烧肉和宫保鸡丁", ("红烧肉", "宫保鸡丁")),
        ("红烧肉还是宫保鸡丁更快？", ("红烧肉", "宫保鸡丁")),
        ("番茄炒蛋和鸡蛋饼比，哪个更省时间？", ("番茄炒蛋", "鸡蛋饼")),
    ],
)
def test_a_comparison_names_two(question: str, pair: tuple[str, str]) -> None:
    arguments = found(question, COMPARE)
    assert (arguments["item1_name"], arguments["item2_name"]) == pair


def test_names_that_hold_and_are_cut_where_the_site_knows_both_halves() -> None:
    known = ("Shaved Fennel and Blood Orange Salad", "Grape and Rosemary Focaccia")
    arguments = found("compare grape and rosemary focaccia and fennel and blood orange salad", COMPARE, *known)
    assert arguments == {
        "item1_name": "grape and rosemary focaccia",
        "item2_name": "fennel and blood orange salad",
    }


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("substitute for eggs in the brownies", {"ingredient": "eggs", "recipe_name": "brownies"}),
        ("what can I use instead of butter", {"ingredient": "butter"}),
        ("ran out of fish sauce, what can i use insted", {"ingredient": "fish sauce"}),
        (
            "can I replace the pancetta in the Rainy Sunday Lasagna?",
            {"ingredient": "pancetta", "recipe_name": "Rainy Sunday Lasagna"},
        ),
        ("用什么代替鸡蛋", {"ingredient": "鸡蛋"}),
        ("没有黄油怎么办", {"ingredient": "黄油"}),
        ("没有黄油可以用什么代替做饼干", {"ingredient": "黄油", "recipe_name": "饼干"}),
        ("家里料酒用完了，放什么代替好", {"ingredient": "料酒"}),
        ("做戚风蛋糕没有牛奶怎么办", {"ingredient": "牛奶", "recipe_name": "戚风蛋糕"}),
        ("布朗尼里的鸡蛋用什么代替", {"ingredient": "鸡蛋", "recipe_name": "布朗尼"}),
    ],
)
def test_a_substitution_names_the_ingredient_and_perhaps_the_dish(question: str, arguments: dict[str, Json]) -> None:
    assert found(question, SUBSTITUTE) == arguments


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("what wine goes with lasagna?", {"main_item": "lasagna", "accompaniment_type": "wine"}),
        ("side dishes for salmon", {"main_item": "salmon", "accompaniment_type": "side dish"}),
        ("what should I serve with the Two-Lemon Roast Chicken", {"main_item": "Two-Lemon Roast Chicken"}),
        ("红烧肉配什么酒", {"main_item": "红烧肉", "accompaniment_type": "酒"}),
        ("清蒸鲈鱼配什么茶好喝", {"main_item": "清蒸鲈鱼", "accompaniment_type": "茶"}),
    ],
)
def test_an_accompaniment_names_the_dish_and_the_kind(question: str, arguments: dict[str, Json]) -> None:
    assert found(question, ACCOMPANY) == arguments


@pytest.mark.parametrize(
    ("question", "queries"),
    [
        ("a starter, a main and a dessert", ["starter", "main", "dessert"]),
        ("plan a vegan dinner", ["vegan starter or salad", "vegan main course", "vegan dessert"]),
        ("put together a camping kit: tent, sleeping bag and backpack", ["tent", "sleeping bag", "backpack"]),
        ("前菜、主菜和甜点", ["前菜", "主菜", "甜点"]),
        ("三菜一汤，要清淡", ["清淡的凉菜", "清淡的荤菜", "清淡的素菜", "清淡的汤"]),
        ("what do I need for a rainy weekend", ["what do I need for a rainy weekend"]),
    ],
)
def test_a_plan_has_its_parts(question: str, queries: list[str]) -> None:
    assert found(question, ENSEMBLE)["queries"] == queries


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("what time is it in Tokyo?", "Tokyo"),
        ("what time is it in New York right now", "New York"),
        ("北京现在几点", "北京"),
        ("现在纽约几点？", "纽约"),
    ],
)
def test_a_clock_gets_its_place(question: str, place: str) -> None:
    assert found(question, CLOCK)["place"] == place


def test_no_place_is_made_up() -> None:
    assert found("what time is it now", CLOCK) == {}
    assert found("现在几点", CLOCK) == {}


def test_a_foreign_tool_is_filled_by_its_schema() -> None:
    tool: dict[str, Json] = {
        "properties": {
            "city": {"type": "string", "description": "full name of the city"},
            "days": {"type": "integer"},
            "unit": {"enum": ["celsius", "fahrenheit"]},
            "detailed": {"type": "boolean"},
            "order_id": {"type": "string"},
        }
    }
    question = "will it rain in Paris in the next 3 days? in celsius please"
    assert found(question, tool) == {"city": "Paris", "days": 3, "unit": "celsius"}


def test_roles_are_told_by_the_description_where_the_name_says_nothing() -> None:
    properties: dict[str, dict[str, Json]] = {
        "x": {"type": "string", "description": "the user's question"},
        "y": {"type": "string", "description": "菜名"},
        "z": {"type": "string"},
    }
    assert roles(properties) == {"x": "query", "y": "item", "z": "other"}


@pytest.mark.parametrize(
    ("candidate", "name"),
    [
        ("破晓羽绒服现在卖", "破晓羽绒服"),
        ("go for the Nightjar 2 headphones then", "Nightjar 2 headphones"),
        ("roast chicken for six", "roast chicken"),
        ("chicken", "chicken"),
        ("beef stew with dumplings", "beef stew with dumplings"),
    ],
)
def test_a_name_goes_as_far_as_the_sites_own_does(candidate: str, name: str) -> None:
    names = ["Orrin Nightjar 2 Wireless Headphones", "Two-Lemon Roast Chicken", "朔原 破晓 中长款羽绒服"]
    assert within_name(candidate, names) == name


def test_a_name_is_mentioned_by_brand_and_model_or_by_half_of_its_words() -> None:
    names = ["Orrin Nightjar 2 Wireless Noise-Cancelling Headphones", "Two-Lemon Roast Chicken", "Green Zhoug"]
    assert mentioned("is the roast chicken better than the orrin nightjar", names) == [names[1], names[0]]


def test_turns_of_phrase_are_read_in_the_beginning_of_a_long_question_only() -> None:
    filler = "and so on " * 200
    assert found(f"compare the pea soup and the leek soup {filler}", COMPARE)
    assert found(f"{filler} compare the pea soup and the leek soup", COMPARE) == {}


def test_a_search_takes_the_whole_of_a_long_question() -> None:
    question = "pasta " * 1000 + "with basil"

    assert found(question, schema(query="string")) == {"query": question}


@pytest.mark.parametrize("question", ["pasta without garlic or onion", "不含大蒜和洋葱的面"])
def test_two_things_that_shall_both_be_left_out_are_no_pair(question: str) -> None:
    assert found(question, COMPARE) == {}


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("What is the difference between the pho ga and the beef noodle soup?", "pho ga", "beef noodle soup"),
        ("What do I gain with the Foundry 16 over the Tidepool 14?", "Foundry 16", "Tidepool 14"),
        ("how does the Clatterby stack up to the Softstep", "Clatterby", "Softstep"),
        ("better reviews: Forge pan or Glide pan?", "Forge pan", "Glide pan"),
        ("水饺好做还是萝卜糕好做", "水饺", "萝卜糕"),
    ],
)
def test_more_turns_of_phrase_set_two_things_against_each_other(question: str, first: str, second: str) -> None:
    assert found(question, COMPARE) == {"item1_name": first, "item2_name": second}


def test_the_parts_of_a_kit_are_read_without_the_words_that_join_them() -> None:
    asked = "a desk setup with a keyboard, a mouse and a headset for 250"
    assert found(asked, ENSEMBLE)["queries"] == ["keyboard", "mouse", "headset"]
    assert found("两个人露营，帐篷、睡袋、炉具一次配齐", ENSEMBLE)["queries"] == ["帐篷", "睡袋", "炉具"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"type": ["integer", "null"]},
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        {"$ref": "#/$defs/Count"},
        {"allOf": [{"$ref": "#/$defs/Count"}], "description": "how many"},
    ],
)
def test_a_parameter_is_read_by_what_its_schema_comes_to(wanted: Json) -> None:
    tool: dict[str, Json] = {
        "type": "object",
        "properties": {"guests": wanted},
        "$defs": {"Count": {"type": "integer", "minimum": 1}},
    }
    assert found("a table for 4 guests please", tool) == {"guests": 4}


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("a table for 4", {"guests": 4}),
        ("2 rooms for 4 guests", {"guests": 4, "rooms": 2}),
        ("guests: 4 and 2 rooms", {"guests": 4, "rooms": 2}),
        ("订四个人的位子", {"guests": 4}),
    ],
)
def test_a_number_goes_to_the_parameter_that_it_stands_beside_and_a_lone_one_to_one_only(
    question: str, given: dict[str, Json]
) -> None:
    tool: dict[str, Json] = {**schema(rooms="integer", guests="integer"), "required": ["guests"]}
    assert found(question, tool) == given


@pytest.mark.parametrize(
    ("question", "packs"),
    [
        ("order three packs of Quiet Meadow", 3),
        ("please buy me two packs", 2),
        ("the two best teas, Three  packs", 3),
        ("order 4 packs", 4),
        ("two packs or three packs", None),
        ("order Quiet Meadow, both of them", None),
    ],
)
def test_a_number_in_a_word_counts_in_front_of_what_it_is_for(question: str, packs: int | None) -> None:
    assert found(question, schema(name="string", packs="integer")).get("packs") == packs


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("打开报告“今日的汤”", "今日的汤"),
        ("打开报告《今日的汤》", "今日的汤"),
        ('open the report "Soup"', "Soup"),
        ("read it to me", None),
    ],
)
def test_a_document_is_named_by_its_title(question: str, title: str | None) -> None:
    assert found(question, schema(document="string", version="integer")).get("document") == title


def test_the_goal_of_an_agent_is_the_whole_question() -> None:
    assert found("what does soup for six cost?", schema(goal="string")) == {"goal": "what does soup for six cost?"}

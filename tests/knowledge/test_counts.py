"""How many things a question wants, and the numbers that say something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.knowledge.counts import find_count
from pegboard.knowledge.filters import Reading, read

WANTED = (
    ("three soups", 3),
    ("3 soups", 3),
    ("the two best rated pasta recipes", 2),
    ("the two best rated pasta recipes under 30 minutes", 2),
    ("top five headphones", 5),
    ("top 5 soups under 40 minutes", 5),
    ("the top-3 desserts", 3),
    ("Top 10", 10),
    ("a couple of vegan desserts", 2),
    ("recommend three", 3),
    ("give me 2 for dinner", 2),
    ("I am looking for three soups", 3),
    ("can I have two soup ideas", 2),
    ("show me two or three curries", 3),
    ("2-3 soups for four people", 3),
    ("just one soup, please", 1),
    ("at least three soups suitable for winter", 3),
    ("a list of five salads", 5),
    ("two of your best soups", 2),
    ("three soups containing fish", 3),
    ("half a dozen breakfast dishes", 6),
    ("which two phones are the lightest", 2),
    ("soups with 5 stars? I want two recipes", 2),
    ("three different kinds of soup and bread rolls", 3),
    ("推荐三道汤", 3),
    ("推荐三道适合今天的汤", 3),
    ("查一下北京天气，再推荐三道适合今天的汤", 3),
    ("两道菜", 2),
    ("三个蛋糕", 3),
    ("评分前五的耳机", 5),
    ("销量前三名", 3),
    ("Top5耳机", 5),
    ("给我3款耳机", 3),
    ("两三道快手菜", 3),
    ("三到五道素菜", 5),
    ("三个番茄汤", 3),
    ("300元以内三款耳机", 3),
    ("两种豆腐做法", 2),
    ("就推荐一道汤", 1),
    ("十二道凉菜", 12),
)
OF_OTHER_THINGS = (
    "soups under 30 minutes",
    "a dinner for four people",
    "recipes with 5 ingredients",
    "two-layer cake",
    "desserts under 500 kcal",
    "a 3-course menu",
    "dinner for two",
    "four cheese pizza",
    "three bean soups",
    "pizza with two kinds of cheese",
    "what can I cook with two eggs",
    "I have two eggs and a leek",
    "5 star headphones",
    "4 port chargers",
    "2 in 1 laptops",
    "27 inch monitors",
    "two people",
    "one pot pasta",
    "one soup",
    "a few soups",
    "several soups",
    "Ditalini with Two Kinds of Chickpea",
    "ten minute miso salmon",
    "2 person tents",
    "what can replace two eggs in a cake",
    "headphones under $50 with 2 microphones",
    "which of these two soups",
    "three soups and two salads",
    "there are 4 of us",
    "buy 2 for 1",
    "headphones rated 4.5 stars",
    "100 soups",
    "in two weeks",
    "四人份",
    "三文鱼",
    "五花肉",
    "八宝饭",
    "三杯鸡",
    "四喜丸子",
    "推荐几道汤",
    "十几道菜",
    "第三道菜",
    "一道汤",
    "30分钟以内的鸡肉菜",
    "两个人的晚饭",
    "炖三个小时的汤",
    "三个鸡蛋能做什么菜",
    "用两个土豆做菜",
    "三种食材的菜",
    "四菜一汤",
    "三道菜的套餐",
    "前两天买的耳机",
    "提前三天能做的菜",
    "两个半小时",
    "这两款哪个好",
    "千层面",
    "一刻钟番茄豆腐蛋花汤",
    "3.5毫米耳机",
    "适合三口之家的菜",
    "评分4.5以上",
    "三道汤和两道甜品",
)


@pytest.mark.parametrize(("question", "wanted"), WANTED)
def test_a_number_of_things_is_how_many_are_wanted(question: str, wanted: int) -> None:
    count = find_count(question)
    assert count is not None
    assert count.wanted == wanted


@pytest.mark.parametrize("question", OF_OTHER_THINGS)
def test_a_number_of_anything_else_is_none(question: str) -> None:
    assert find_count(question) is None


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("three soups", "soups"),
        ("the top-3 desserts", "the desserts"),
        ("a couple of vegan lasagnas", "lasagnas"),
        ("推荐三道汤", "推荐 汤"),
        ("评分最高的前三款耳机", "耳机"),
    ],
)
def test_the_number_is_no_part_of_what_is_searched(question: str, rest: str) -> None:
    assert read(question).rest == rest


def test_a_number_that_a_condition_has_is_not_taken_again() -> None:
    reading = read("two pasta recipes under 30 minutes")
    assert reading == Reading("pasta recipes", reading.filters, None, (), 2)
    assert [(one.field, one.value) for one in reading.filters] == [("time", 30.0)]


@given(st.text(alphabet="two3 top-5,前三道汤a couple of soups for 的第十", max_size=40))
def test_what_is_found_is_a_part_of_the_question(question: str) -> None:
    count = find_count(question)
    if count is not None:
        assert 0 <= count.start < count.end <= len(question)
        assert 1 <= count.wanted <= 30

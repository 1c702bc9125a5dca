import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.contract import Filter
from pegboard.knowledge.coverage import Coverage, coverage_of
from pegboard.knowledge.facets import Facts, Price
from pegboard.knowledge.filters import Reading, read

Short = tuple[str, str, float | str, str]


def short(reading: Reading) -> list[Short]:
    return [(one.field, one.operator, one.value, one.unit) for one in reading.filters]


@pytest.mark.parametrize(
    ("question", "rest", "filters"),
    [
        # money
        ("headphones under 20 dollars", "headphones", [("price", "<", 20.0, "USD")]),
        ("laptops below $100", "laptops", [("price", "<", 100.0, "USD")]),
        ("speakers less than $50", "speakers", [("price", "<", 50.0, "USD")]),
        ("cheaper than 80 euros", "", [("price", "<", 80.0, "EUR")]),
        ("under $1,200.50", "", [("price", "<", 1200.5, "USD")]),
        ("under a hundred dollars", "", [("price", "<", 100.0, "USD")]),
        ("twenty five dollars or less", "", [("price", "<=", 25.0, "USD")]),
        ("headphones under 100", "headphones", [("price", "<", 100.0, "USD")]),
        ("laptops under 1.5k?", "laptops", [("price", "<", 1500.0, "USD")]),
        ("up to £30", "", [("price", "<=", 30.0, "GBP")]),
        ("watches over 500 USD", "watches", [("price", ">", 500.0, "USD")]),
        (
            "chargers between 20 and 50 dollars",
            "chargers",
            [("price", ">=", 20.0, "USD"), ("price", "<=", 50.0, "USD")],
        ),
        ("cables $10-$30", "cables", [("price", ">=", 10.0, "USD"), ("price", "<=", 30.0, "USD")]),
        (
            "headphones around $100",
            "headphones",
            [("price", ">=", 80.0, "USD"), ("price", "<=", 120.0, "USD")],
        ),
        ("耳机100元以下", "耳机", [("price", "<=", 100.0, "CNY")]),
        ("不超过500块的键盘", "键盘", [("price", "<=", 500.0, "CNY")]),
        ("低于300元的耳机", "耳机", [("price", "<", 300.0, "CNY")]),
        ("200到400元的台灯", "台灯", [("price", ">=", 200.0, "CNY"), ("price", "<=", 400.0, "CNY")]),
        ("一百元以内的礼物", "礼物", [("price", "<=", 100.0, "CNY")]),
        ("两百块以下的耳机", "耳机", [("price", "<=", 200.0, "CNY")]),
        ("预算一千五的键盘", "预算一千五的键盘", []),
        ("预算500元的键盘", "键盘", [("price", "<=", 500.0, "CNY")]),
        ("100美元以下的耳机", "耳机", [("price", "<=", 100.0, "USD")]),
        ("一百五十块左右的礼物", "礼物", [("price", ">=", 120.0, "CNY"), ("price", "<=", 180.0, "CNY")]),
        # time
        ("chicken dishes that take less than 30 minutes", "chicken dishes", [("time", "<", 30.0, "minutes")]),
        ("dinner in under half an hour", "dinner", [("time", "<=", 30.0, "minutes")]),
        ("something ready within an hour", "something", [("time", "<=", 60.0, "minutes")]),
        ("lunch in 30 minutes or less", "lunch", [("time", "<=", 30.0, "minutes")]),
        ("an hour and a half max", "", [("time", "<=", 90.0, "minutes")]),
        ("under 1 hour 15 minutes", "", [("time", "<", 75.0, "minutes")]),
        (
            "stews of 1 to 2 hours",
            "stews",
            [("time", ">=", 60.0, "minutes"), ("time", "<=", 120.0, "minutes")],
        ),
        ("quick dinner", "dinner", [("time", "<=", 30.0, "minutes")]),
        ("半小时以内的晚饭", "晚饭", [("time", "<=", 30.0, "minutes")]),
        ("30分钟以内的鸡肉菜", "鸡肉菜", [("time", "<=", 30.0, "minutes")]),
        ("三十分钟能做好的菜", "菜", [("time", "<=", 30.0, "minutes")]),
        ("10分钟内搞定的早餐", "早餐", [("time", "<=", 10.0, "minutes")]),
        ("一个半小时以内的炖菜", "炖菜", [("time", "<=", 90.0, "minutes")]),
        ("1小时30分钟以内", "", [("time", "<=", 90.0, "minutes")]),
        ("一刻钟以内", "", [("time", "<=", 15.0, "minutes")]),
        # energy and ratings
        ("max 500 calories", "", [("calories", "<=", 500.0, "kcal")]),
        ("salads with at most 400 kcal per serving", "salads", [("calories", "<=", 400.0, "kcal")]),
        ("少于500大卡的汤", "汤", [("calories", "<", 500.0, "kcal")]),
        ("at least 4.5 stars", "", [("rating", ">=", 4.5, "stars")]),
        ("headphones rated over 4", "headphones", [("rating", ">", 4.0, "stars")]),
        ("tents rated 4.5 or higher", "tents", [("rating", ">=", 4.5, "stars")]),
        ("4 stars and up keyboards", "keyboards", [("rating", ">=", 4.0, "stars")]),
        ("4.5分以上的耳机", "耳机", [("rating", ">=", 4.5, "stars")]),
        ("评分4.5以上的菜", "菜", [("rating", ">=", 4.5, "stars")]),
        ("9分以上的电影", "电影", [("rating", ">=", 4.5, "stars")]),
        # diets and what is left out
        ("gluten free pasta", "pasta", [("diet", "=", "gluten-free", "")]),
        ("素食晚餐", "晚餐", [("diet", "=", "vegetarian", "")]),
        ("纯素甜品", "甜品", [("diet", "=", "vegan", "")]),
        ("无麸质甜品", "甜品", [("diet", "=", "gluten-free", "")]),
        ("bread without gluten", "bread", [("diet", "=", "gluten-free", "")]),
        ("non-vegetarian curry", "curry", [("diet", "not", "vegetarian", "")]),
        (
            "vegan dessert without nuts",
            "dessert",
            [("diet", "=", "vegan", ""), ("without", "not", "nuts", "")],
        ),
        ("nut-free brownies", "brownies", [("without", "not", "nuts", "")]),
        ("eggless cake", "cake", [("without", "not", "eggs", "")]),
        ("cake with no eggs", "cake", [("without", "not", "eggs", "")]),
        ("no eggs dessert", "dessert", [("without", "not", "eggs", "")]),
        (
            "cake without eggs or dairy",
            "cake",
            [("without", "not", "eggs", ""), ("without", "not", "dairy", "")],
        ),
        ("I am allergic to peanuts", "I am", [("without", "not", "peanuts", "")]),
        ("不含坚果的甜品", "甜品", [("without", "not", "nuts", "")]),
        ("不含坚果甜品", "甜品", [("without", "not", "nuts", "")]),
        ("没有坚果的甜品", "甜品", [("without", "not", "nuts", "")]),
        ("不要花生和鸡蛋的菜", "菜", [("without", "not", "peanuts", ""), ("without", "not", "eggs", "")]),
        ("对花生过敏能吃什么", "能吃什么", [("without", "not", "peanuts", "")]),
        # stock
        ("headphones in stock", "headphones", [("available", "=", "yes", "")]),
        ("有货的耳机", "耳机", [("available", "=", "yes", "")]),
        # several
        (
            "vegan soup under 300 calories in 30 minutes",
            "soup",
            [("diet", "=", "vegan", ""), ("calories", "<", 300.0, "kcal"), ("time", "<=", 30.0, "minutes")],
        ),
        ("价格在300元以内有货的耳机", "耳机", [("price", "<=", 300.0, "CNY"), ("available", "=", "yes", "")]),
    ],
)
def test_conditions_are_read_and_taken_out(question: str, rest: str, filters: list[Short]) -> None:
    reading = read(question)
    assert (reading.rest, short(reading)) == (rest, filters)


@pytest.mark.parametrize(
    "question",
    [
        "iPhone 15",
        "over-ear headphones",
        "no-bake cheesecake",
        "how long does the ten-minute miso salmon take",
        "how do I return an order within 30 days",
        "is the mixer back in stock",
        "没有鸡蛋怎么办",
        "I have no eggs, what can I use",
        "不是素食也可以",
        "无线耳机",
        "a 65 W charger",
        "",
    ],
)
def test_what_only_looks_like_a_condition_stays(question: str) -> None:
    reading = read(question)
    assert reading.rest == question or reading.filters[0].operator == "not"
    assert [one for one in reading.filters if one.operator != "not"] == []


def test_a_filter_keeps_the_words_that_say_it() -> None:
    assert read("laptops below $100, please").filters == (Filter("price", "<", 100.0, "USD", "below $100"),)


RECIPES = coverage_of([Facts(minutes=20.0, ingredients="2 eggs\nsoy sauce\n1 tbsp butter")])
SHOP = coverage_of([Facts(prices=(Price("USD", 5.0, 5.0),), rating=4.0), Facts(prices=(Price("CNY", 9.0, 9.0),))])


@pytest.mark.parametrize(
    ("coverage", "question", "rest", "filters"),
    [
        (RECIPES, "dinner under $20", "dinner under $20", []),
        (RECIPES, "cookies with no butter", "cookies", [("without", "not", "butter", "")]),
        (RECIPES, "recipes, no oven", "recipes, no oven", []),
        (
            RECIPES,
            "soup without soy sauce and eggs",
            "soup",
            [("without", "not", "soy sauce", ""), ("without", "not", "eggs", "")],
        ),
        (RECIPES, "no stress dinner", "no stress dinner", []),
        (SHOP, "vegan headphones", "vegan headphones", []),
        (SHOP, "quick charger", "quick charger", []),
        (SHOP, "无线耳机", "无线耳机", []),
        (SHOP, "cable in 30 minutes under $9", "cable in 30 minutes", [("price", "<", 9.0, "USD")]),
        (Coverage(frozenset(), frozenset(), ""), "refunds within 1 hour", "refunds within 1 hour", []),
    ],
)
def test_a_condition_on_what_the_content_never_says_stays_in_the_question(
    coverage: Coverage, question: str, rest: str, filters: list[Short]
) -> None:
    reading = read(question, coverage)
    assert (reading.rest, short(reading)) == (rest, filters)


@pytest.mark.parametrize(
    ("currencies", "question", "unit"),
    [
        (("AUD",), "under $20", "AUD"),
        (("AUD", "USD"), "under $20", "USD"),
        (("AUD", "CAD"), "under $20", "USD"),
        (("EUR",), "under $20", "USD"),
        (("JPY",), "under ¥2000", "JPY"),
        (("CNY", "JPY"), "under ¥2000", "CNY"),
        (("TWD",), "300元以下", "TWD"),
        (("",), "under $20", ""),
    ],
)
def test_a_sign_that_currencies_share_means_the_content_s_own(
    currencies: tuple[str, ...], question: str, unit: str
) -> None:
    coverage = coverage_of([Facts(prices=(Price(currency, 1.0, 1.0),)) for currency in currencies])
    assert [one.unit for one in read(question, coverage).filters] == [unit]


@pytest.mark.parametrize(
    "text", ["9" * 8000, "under " * 1500, "between 1 and " * 600, "不含" * 4000, "no a " * 1600, "半" * 8000]
)
def test_a_long_question_is_read_in_linear_time(text: str) -> None:
    assert isinstance(read(text), Reading)  # a pattern that backtracks would not come to an end


@given(st.text(alphabet="under $ 20 30 minutes 元以下不含坚果without nuts半", max_size=80))
def test_any_question_is_read(question: str) -> None:
    reading = read(question)
    assert len(reading.rest) <= len(question)

from dataclasses import replace

import pytest

from pegboard.catalog.contract import Filter
from pegboard.knowledge.claims import Claims
from pegboard.knowledge.coverage import Coverage, coverage_of
from pegboard.knowledge.facets import Facts, Price, facts_of, fits
from pegboard.text import Json

SCHEMA = "https://schema.org/"


@pytest.mark.parametrize(
    ("offers", "prices"),
    [
        ({"price": 89.0, "priceCurrency": "USD"}, (Price("USD", 89.0, 89.0),)),
        ({"price": "1.299,00", "priceCurrency": "eur"}, (Price("EUR", 1299.0, 1299.0),)),
        ({"price": "$89.50"}, (Price("USD", 89.5, 89.5),)),
        (
            {"@type": "AggregateOffer", "lowPrice": 10, "highPrice": 30, "priceCurrency": "USD"},
            (Price("USD", 10, 30),),
        ),
        (
            [
                {"price": 20, "priceCurrency": "USD"},
                {"price": 18, "priceCurrency": "EUR"},
                {"price": 25, "priceCurrency": "USD"},
            ],
            (Price("USD", 20.0, 25.0), Price("EUR", 18.0, 18.0)),
        ),
        ({"priceSpecification": {"price": 7, "priceCurrency": "GBP"}}, (Price("GBP", 7.0, 7.0),)),
        (
            {"@type": "AggregateOffer", "offers": [{"price": 5, "priceCurrency": "CNY"}]},
            (Price("CNY", 5.0, 5.0),),
        ),
        ({"price": 0, "priceCurrency": "USD"}, (Price("USD", 0.0, 0.0),)),
        ({"price": "on request", "priceCurrency": "USD"}, ()),
        ({"price": -3, "priceCurrency": "USD"}, ()),
        (None, ()),
        ("free", ()),
    ],
)
def test_prices_are_read_from_every_kind_of_offer(offers: Json, prices: tuple[Price, ...]) -> None:
    assert facts_of({"offers": offers}).prices == prices


@pytest.mark.parametrize(
    ("thing", "facts"),
    [
        ({"totalTime": "PT50M", "prepTime": "PT10M"}, Facts(minutes=50.0)),
        ({"prepTime": "PT10M", "cookTime": "PT1H"}, Facts(minutes=70.0)),
        ({"duration": "PT2H"}, Facts(minutes=120.0)),
        ({"nutrition": {"calories": "410 kcal"}}, Facts(calories=410.0)),
        ({"nutrition": {"calories": "1000 kJ"}}, Facts(calories=1000 / 4.184)),
        ({"aggregateRating": {"ratingValue": "4.6"}}, Facts(rating=4.6)),
        ({"aggregateRating": {"ratingValue": 8, "bestRating": 10}}, Facts(rating=4.0)),
        ({"suitableForDiet": [SCHEMA + "GlutenFreeDiet"]}, Facts(diets=("gluten-free",))),
        ({"keywords": "纯素，无麸质, quick"}, Facts(diets=("gluten-free", "vegan", "vegetarian"))),
        ({"offers": {"availability": SCHEMA + "InStock"}}, Facts(available=True)),
        ({"offers": [{"availability": "SoldOut"}, {"availability": "OnlineOnly"}]}, Facts(available=True)),
        ({"offers": {"availability": SCHEMA + "OutOfStock"}}, Facts(available=False)),
        ({"recipeIngredient": ["2 Eggs", "Salt"]}, Facts(ingredients="2 eggs\nsalt")),
        ({"@type": ["Recipe", "Article"]}, Facts(types=("Recipe", "Article"))),
        ({}, Facts()),
    ],
)
def test_facts_are_read_where_the_source_says_them(thing: dict[str, Json], facts: Facts) -> None:
    assert replace(facts_of(thing), claims=Claims()) == facts


LAMP = Facts(prices=(Price("USD", 20.0, 40.0), Price("EUR", 18.0, 18.0)), rating=4.5, available=True)
SOUP = Facts(minutes=30.0, calories=400.0, diets=("vegetarian",), ingredients="1 egg\nmilk", types=("Recipe",))


@pytest.mark.parametrize(
    ("facts", "condition", "is_met"),
    [
        (LAMP, Filter("price", "<", 25.0, "USD", ""), True),
        (LAMP, Filter("price", "<", 20.0, "USD", ""), False),
        (LAMP, Filter("price", ">=", 40.0, "USD", ""), True),
        (LAMP, Filter("price", "<", 19.0, "EUR", ""), True),
        (LAMP, Filter("price", "<", 1000.0, "CNY", ""), False),
        (LAMP, Filter("rating", ">=", 4.5, "stars", ""), True),
        (LAMP, Filter("rating", ">", 4.5, "stars", ""), False),
        (LAMP, Filter("available", "=", "yes", "", ""), True),
        (LAMP, Filter("time", "<", 60.0, "minutes", ""), False),
        (LAMP, Filter("without", "not", "nuts", "", ""), False),
        (LAMP, Filter("diet", "not", "vegan", "", ""), False),
        (SOUP, Filter("time", "<=", 30.0, "minutes", ""), True),
        (SOUP, Filter("time", "<", 30.0, "minutes", ""), False),
        (SOUP, Filter("calories", "<=", 400.0, "kcal", ""), True),
        (SOUP, Filter("diet", "=", "vegetarian", "", ""), True),
        (SOUP, Filter("diet", "=", "vegan", "", ""), False),
        (SOUP, Filter("diet", "not", "vegetarian", "", ""), False),
        (SOUP, Filter("without", "not", "nuts", "", ""), True),
        (SOUP, Filter("without", "not", "eggs", "", ""), False),
        (SOUP, Filter("type", "=", "Recipe", "", ""), True),
        (SOUP, Filter("colour", "=", "red", "", ""), False),
    ],
)
def test_a_condition_is_met_only_by_what_the_source_says(facts: Facts, condition: Filter, is_met: bool) -> None:
    assert fits(facts, condition) is is_met


def test_coverage_is_what_any_item_says() -> None:
    assert coverage_of([LAMP, SOUP]) == Coverage(
        fields=frozenset({"price", "rating", "available", "time", "calories", "diet", "without", "type"}),
        currencies=frozenset({"USD", "EUR"}),
        ingredients="1 egg\nmilk",
    )
    assert coverage_of([]) == Coverage(frozenset(), frozenset(), "")


def test_a_word_that_is_no_ingredient_anywhere_is_no_condition() -> None:
    coverage = coverage_of([SOUP])
    known = {word: coverage.knows(Filter("without", "not", word, "", "")) for word in ("milk", "nuts", "oven")}
    assert known == {"milk": True, "nuts": True, "oven": False}

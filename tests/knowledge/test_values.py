import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.knowledge.values import (
    iso_minutes_of,
    last_word,
    minutes_of,
    number_of,
    number_text,
    object_of,
    plain,
    remarks_of,
    steps_of,
    text_of,
    texts_of,
    types_of,
)
from pegboard.text import Json

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "minutes"),
    [
        ("PT1H10M", 70.0),
        ("PT90M", 90.0),
        ("PT1.5H", 90.0),
        ("P1DT2H", 1560.0),
        ("P1W", 10080.0),
        ("pt20m", 20.0),
        ("PT0S", 0.0),
        ("1 h 10 min", 70.0),
        ("1 hour 10 minutes", 70.0),
        ("45分钟", 45.0),
        (30, 30.0),
        ("P", None),
        ("soon", None),
        (None, None),
        (True, None),
    ],
)
def test_a_duration_is_read_in_minutes(value: Json, minutes: float | None) -> None:
    assert minutes_of(value) == minutes


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("410 kcal", 410.0),
        ("1,299.00", 1299.0),
        ("1.299,00", 1299.0),
        ("1,299", 1299.0),
        ("19,90", 19.9),
        ("$89.00", 89.0),
        (4.6, 4.6),
        ("none", None),
        (True, None),
        (float("nan"), None),
        (float("inf"), None),
        (10**400, None),
    ],
)
def test_a_number_is_read_as_people_write_it(value: Json, number: float | None) -> None:
    assert number_of(value) == number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("<p>Salt &amp; <b>pepper</b></p>", "Salt & pepper"),
        ({"@type": "Person", "name": "Mara T."}, "Mara T."),
        ({"value": 254, "unitText": "g"}, "254 g"),
        ([{"name": "a"}, "b", None, 3.0], "a, b, 3"),
        ({"@value": "盐", "@language": "zh"}, "盐"),
        (None, ""),
        (True, "yes"),
    ],
)
def test_a_value_is_told_as_plain_text(value: Json, text: str) -> None:
    assert text_of(value) == text


def test_a_comparison_is_no_tag() -> None:
    assert plain("keep it < 5 °C and > 0 °C") == "keep it < 5 °C and > 0 °C"


def test_addresses_and_prefixes_of_types_are_taken_off() -> None:
    assert types_of({"@type": ["schema:Recipe", "https://schema.org/NewsArticle"]}) == [
        "Recipe",
        "NewsArticle",
    ]
    assert last_word("http://schema.org/InStock") == "InStock"


@given(JSON_VALUES)
def test_no_value_is_too_strange_to_read(value: Json) -> None:
    assert isinstance(text_of(value), str)
    assert all(texts_of(value))
    number, minutes = number_of(value), minutes_of(value)
    assert number is None or abs(number) < float("inf")
    assert minutes is None or isinstance(minutes, float)


@given(st.integers() | st.floats())
def test_any_number_is_written(number: float) -> None:
    assert number_text(number)


@pytest.mark.parametrize(
    ("value", "minutes"),
    [("PT1H10M", 70), ("P1DT2H", 1560), ("PT45S", 0.75), ("PT", None), ("soon", None), ("2 h", None), (3, None)],
)
def test_an_iso_duration_is_told_from_other_texts(value: Json, minutes: float | None) -> None:
    assert iso_minutes_of(value) == minutes


def test_steps_and_remarks_are_found_however_they_are_written() -> None:
    sections: Json = [
        {"@type": "HowToSection", "name": "Dough", "itemListElement": [{"text": "A."}, "B."]},
        {"name": "C."},
    ]
    assert steps_of(sections) == ["A.", "B.", "C."]
    assert steps_of("Boil it.\nServe it.") == ["Boil it.", "Serve it."]
    assert remarks_of([{"name": "Ann", "text": "Good."}, "Cold.", None, {}]) == ["Good.", "Cold."]
    assert (object_of([None, {"a": 1}, {"b": 2}]), object_of("text")) == ({"a": 1}, {})

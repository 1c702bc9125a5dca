"""Measures in the unit that a parameter wants."""

import pytest

from pegboard.bind.rules import extract
from pegboard.text import Json, language

NUMBER: Json = {"type": "number"}
INTEGER: Json = {"type": "integer"}


@pytest.mark.parametrize(
    ("question", "properties", "found"),
    [
        (
            "我身高一米七五，体重七十公斤",
            {"height_cm": NUMBER, "weight_kg": NUMBER},
            {"height_cm": 175, "weight_kg": 70},
        ),
        ("1米75，140斤", {"height_cm": INTEGER, "weight_kg": INTEGER}, {"height_cm": 175, "weight_kg": 70}),
        ("一米八", {"height_cm": NUMBER, "weight_kg": NUMBER}, {"height_cm": 180}),
        ("I am 5 ft 9 and weigh 150 pounds", {"height_cm": NUMBER}, {"height_cm": 175.26}),
        ("1.75m tall", {"height_cm": NUMBER}, {"height_cm": 175}),
        ("三斤肉", {"amount_g": INTEGER}, {"amount_g": 1500}),
        ("半小时", {"minutes": INTEGER}, {"minutes": 30}),
        ("一个半小时", {"duration_minutes": INTEGER}, {"duration_minutes": 90}),
        ("for half an hour", {"duration": {"type": "number", "description": "How long, in minutes"}}, {"duration": 30}),
        ("两斤半", {"weight": {"type": "number", "description": "重量，公斤"}}, {"weight": 1.25}),
        ("四人份", {"servings": INTEGER}, {"servings": 4}),
        ("for 6 people", {"people": INTEGER}, {"people": 6}),
        ("2 kg or 3 kg", {"weight_kg": NUMBER}, {}),
    ],
)
def test_a_measure_is_turned_into_the_unit_of_its_parameter(
    question: str, properties: dict[str, Json], found: dict[str, Json]
) -> None:
    assert extract(question, {"type": "object", "properties": properties}, language=language(question)) == found

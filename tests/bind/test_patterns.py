"""What a schema knows by its pattern is found in a question without a model."""

import pytest

from pegboard.bind.patterns import by_pattern
from pegboard.bind.rules import extract
from pegboard.text import Json

PALLET: dict[str, Json] = {"type": "string", "pattern": "^P[0-9]+$"}


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("how heavy is pallet P3?", "P3"),
        ("where is P17.", "P17"),
        ("P17在哪里", None),
        ("P3 or P4?", None),
        ("P3", None),
        ("where is the pallet?", None),
    ],
)
def test_the_one_word_that_fits_is_meant(question: str, found: str | None) -> None:
    assert by_pattern(question, PALLET) == found


@pytest.mark.parametrize("pattern", [r"^\S+$", "^[a-z0-9]+$"])
def test_a_pattern_that_any_word_fits_tells_nothing(pattern: str) -> None:
    assert by_pattern("how heavy is pallet p3", {"type": "string", "pattern": pattern}) is None


def test_it_is_the_argument_without_a_model() -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {"pallet": PALLET}, "required": ["pallet"]}
    assert extract("how heavy is pallet P3?", schema, language="en") == {"pallet": "P3"}


def test_a_whole_question_is_no_list_of_things() -> None:
    cities: dict[str, Json] = {"type": "array", "items": {"type": "string"}}
    schema: dict[str, Json] = {"type": "object", "properties": {"cities": cities}, "required": ["cities"]}
    assert extract("orders that went to Paris", schema, language="en") == {}

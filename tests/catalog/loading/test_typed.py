"""What annotations and docstrings say of a tool, and that a handler gets what its annotations name."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from pegboard.catalog.contract import tool
from pegboard.catalog.loading.convert import converted, converting
from pegboard.catalog.loading.docstrings import said_in
from pegboard.catalog.loading.handler import runner, signature_of
from pegboard.catalog.schema.faults import faults, valid_schema
from pegboard.catalog.schema.returns import parameters_from
from pegboard.errors import InvalidArguments
from tests.catalog.handlers_of_a_site_types import Guest, Place, Size, Street, everything
from tests.twins import context

SIGNATURE = signature_of(everything)
PARAMETERS: dict[str, Any] = parameters_from(SIGNATURE.properties, SIGNATURE.required, SIGNATURE.definitions)
GIVEN: dict[str, Any] = {
    "place": {"city": "Paris", "streets": [{"name": "Rue"}], "inside": {"city": "x"}},
    "street": {"name": "Main", "number": 2},
    "guests": [{"name": "Ada"}],
    "size": "s",
    "when": "2026-02-03T04:05:06Z",
    "day": "2026-02-03",
    "amount": "0.10",
    "pair": [2, "b"],
    "words": ["a", "b"],
    "by_name": {"a": 1},
    "model_config": "any name",
}


def test_each_annotation_has_its_schema() -> None:
    assert valid_schema(PARAMETERS) == []
    found = PARAMETERS["properties"]
    assert found["place"] == {"$ref": "#/$defs/Place", "description": "Where it is."}
    assert found["guests"] == {"type": "array", "items": {"$ref": "#/$defs/Guest"}}
    assert found["size"]["enum"] == ["s", "l"]
    formats = {name: found[name].get("format") for name in ("when", "day", "amount", "number", "file")}
    assert formats == {"when": "date-time", "day": "date", "amount": "decimal", "number": "uuid", "file": "path"}
    assert found["count"] == {"type": "integer", "minimum": 1, "description": "how many", "default": 1}
    assert found["kind"] == {"enum": ["a", "b"], "description": "Which kind of table."}
    assert found["either"] == {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert found["words"] == {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
    assert found["model_config"] == {"type": "string", "default": "x"}
    assert SIGNATURE.required == {"place", "street", "guests", "size", "when"}
    assert SIGNATURE.summary == "Book a table, e.g. for two."


def test_arguments_that_fit_arrive_as_the_annotations_name_them() -> None:
    assert faults(GIVEN, PARAMETERS) == []
    made: dict[str, Any] = converted(GIVEN, SIGNATURE.conversions)
    assert made["place"] == Place(city="Paris", streets=[Street("Rue")], inside=Place(city="x"))
    assert (made["street"], made["size"]) == (Street("Main", 2), Size.SMALL)
    assert made["guests"] == [Guest(name="Ada")]
    assert (made["when"], made["day"]) == (datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC), date(2026, 2, 3))
    assert (made["amount"], made["pair"], made["words"]) == (Decimal("0.10"), (2, "b"), {"a", "b"})


async def test_the_handler_is_called_with_them() -> None:
    run = converting(runner(everything, SIGNATURE), SIGNATURE)
    said = (await run(context(), GIVEN)).text
    assert "Street(name='Main', number=2)" in said
    assert "Size.SMALL" in said
    assert "'any name'" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"street": {"number": 1}}, "Missing argument 'street.name'."),
        ({"guests": [{"name": 1}]}, "Argument 'guests[0].name' is 1; wanted a string."),
        ({"size": "m"}, "Argument 'size' is 'm'; wanted one of 's', 'l'."),
        ({"count": 0}, "Argument 'count' is 0; wanted 1 or more."),
        ({"either": []}, "Argument 'either' is []; wanted an integer or a string."),
    ],
)
def test_what_does_not_fit_is_refused_by_the_schema(change: dict[str, Any], said: str) -> None:
    assert [fault.message for fault in faults({**GIVEN, **change}, PARAMETERS)] == [said]


def test_what_fits_the_schema_and_is_no_such_thing_is_refused_by_name() -> None:
    wrong = {**GIVEN, "day": "2026-06-31", "amount": "much"}
    assert faults(wrong, PARAMETERS) == []
    with pytest.raises(InvalidArguments) as caught:
        converted(wrong, SIGNATURE.conversions)
    assert "Argument 'day' is '2026-06-31': Input should be a valid date" in str(caught.value)
    assert "Argument 'amount' is 'much'" in str(caught.value)


NUMPY = """Tell the weather of
    a place.

    Parameters
    ----------
    city : str
        Full name.
    lat, lon : float
        Where.

    Returns
    -------
    text
        Not this.
    """
SPHINX = """查天气。然后。

    :param str city: Full name
        of it
    :param days: How many
    :type days: int
    :returns: not this
    """
GOOGLE = """Tell it.

    Args:
        city: Full name
            of the city: with its country.
        days (int, optional): How many.

    Returns:
        text: not this
    """


@pytest.mark.parametrize(
    ("docstring", "summary", "parameters"),
    [
        (None, "", {}),
        ("  ", "", {}),
        ("Only this", "Only this", {}),
        (GOOGLE, "Tell it.", {"city": "Full name of the city: with its country.", "days": "How many."}),
        (NUMPY, "Tell the weather of a place.", {"city": "Full name.", "lat": "Where.", "lon": "Where."}),
        (SPHINX, "查天气。", {"city": "Full name of it", "days": "How many"}),
    ],
)
def test_docstrings_are_read_in_three_styles(docstring: str | None, summary: str, parameters: object) -> None:
    said = said_in(docstring)
    assert (said.summary, said.parameters) == (summary, parameters)


def test_the_mark_takes_no_arguments_and_says_so() -> None:
    with pytest.raises(TypeError, match="@tool takes no arguments, found 'weather'"):
        tool("weather")  # type: ignore[call-overload]

"""One form for every handler."""

import pytest

from pegboard.catalog.calling.values import as_result
from pegboard.catalog.contract import Result
from pegboard.catalog.loading.handler import runner, signature_of
from pegboard.catalog.loading.resolve import Found, Unresolved
from tests.catalog import handlers_of_a_site as own
from tests.catalog.conftest import OWN, Check
from tests.twins import context


async def test_a_coroutine_function_gets_its_arguments_and_the_context() -> None:
    run = runner(own.greet, signature_of(own.greet))
    assert await run(context(), {"name": "Ada"}) == Result(text="Hello Ada of here", data="Hello Ada of here")


async def test_a_plain_function_runs_and_its_data_is_put_into_words() -> None:
    run = runner(own.add, signature_of(own.add))
    result = await run(context(), {"left": 2, "right": 3})
    assert (result.text, result.data) == ("sum: 5", {"sum": 5})


async def test_a_class_gets_all_arguments() -> None:
    run = runner(own.Echo, signature_of(own.Echo))
    assert (await run(context(question="why"), {"a": 1})).text == "why: {'a': 1}"


def test_a_signature_tells_schemas_and_what_is_required() -> None:
    signature = signature_of(own.greet)
    assert signature.properties == {"name": {"type": "string"}, "times": {"type": "integer", "default": 1}}
    assert (signature.required, signature.context, signature.takes_any) == (frozenset({"name"}), "context", False)


def test_annotations_of_choices_and_of_what_may_be_none_are_read() -> None:
    assert signature_of(own.paint).properties == {
        "colour": {"enum": ["red", "green"]},
        "size": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
    }


def test_a_type_that_no_schema_says_is_any() -> None:
    signature = signature_of(own.weigh)
    assert signature.properties == {
        "share": {},
        "amount": {"type": "string", "format": "decimal"},
        "raw": {},
        "grams": {"type": "integer", "description": "in grams"},
        "note": {"type": "string", "default": "-"},
    }
    assert signature.context == "context"


@pytest.mark.parametrize(
    ("handler", "message"),
    [
        (
            own.by_position,
            "tests.catalog.handlers_of_a_site:by_position takes 'place' by position, and is called by name",
        ),
        (
            own.by_any_position,
            "tests.catalog.handlers_of_a_site:by_any_position takes '*places' by position, and is called by name",
        ),
    ],
)
def test_a_handler_that_takes_arguments_by_position_is_refused(handler: Found, message: str) -> None:
    with pytest.raises(Unresolved) as caught:
        signature_of(handler)
    assert (caught.value.code, caught.value.message) == ("PB405", message)


def test_it_is_found_when_the_declarations_are_checked(checked: Check) -> None:
    tool = "tools: [{name: a, handler: %s:%s, returns: {score: integer, %s: text}, description: A.}]"
    for name, argument in (("by_position", "place"), ("by_any_position", "places")):
        report = checked(tools=tool % (OWN, name, argument))
        assert [(problem.code, problem.span.line, problem.span.column) for problem in report.problems] == [
            ("PB405", 1, 28)
        ]
        assert report.catalog.disabled == 1


def test_a_class_takes_any_arguments() -> None:
    assert signature_of(own.Echo).takes_any


def test_nothing_is_an_empty_answer_and_a_list_becomes_lines() -> None:
    assert as_result(None) == Result(text="")
    assert as_result(["a", {"b": "ü"}]).text == '- a\n- {"b":"ü"}'

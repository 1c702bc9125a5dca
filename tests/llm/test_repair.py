import pytest

from pegboard.llm.repair import MAX_CHARACTERS, MAX_COST, MAX_DIGITS, MAX_NESTING, Repairs


def test_a_broken_object_is_repaired() -> None:
    assert Repairs().repaired('{"a":"b,"c":"d"}') == {"a": "b", "c": "d"}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "' + "x" * MAX_CHARACTERS,
        '{"a": ' + "[" * MAX_NESTING,
        '{"a": ' + "1" * (MAX_DIGITS + 1),
        '{"a":"b,' * 200,
    ],
)
def test_what_may_take_long_is_left_alone(text: str) -> None:
    assert Repairs().repaired(text) is None


def test_one_reply_has_only_so_much_repaired() -> None:
    text = '{"a":"b,"c":"d"' + " " * 1000 + "}"
    marks = sum(text.count(mark) for mark in '{}":,')
    repairs = Repairs()
    done = [repairs.repaired(text) for _ in range(MAX_COST // (len(text) * marks) + 1)]
    assert done == [{"a": "b", "c": "d"}] * (len(done) - 1) + [None]


def test_what_the_library_fails_at_is_nothing() -> None:
    assert Repairs().repaired('{s "\'"ep:" "```json{""```') is None


def test_what_is_no_object_or_array_is_nothing() -> None:
    assert Repairs().repaired("hello") is None

import pytest

from pegboard.catalog.tool import Rule
from pegboard.config.span import Span
from pegboard.route.decision import AppliedRule
from pegboard.route.rules import first_rule, holds_word

SUMS = Rule("calculator", ("%", "plus", "加"), "^[0-9+*/ ().-]+$", Span("tools.yaml", 9, 14))
TIME = Rule("clock", ("what time", "几点"))
ALL = ("search", "calculator", "clock")


@pytest.mark.parametrize(
    ("question", "tool", "matched"),
    [
        ("15% of 80", "calculator", "keyword '%'"),
        ("two PLUS two", "calculator", "keyword 'plus'"),
        ("ｐｌｕｓ", "calculator", "keyword 'plus'"),
        ("三加四是多少", "calculator", "keyword '加'"),
        ("2*(3+4)", "calculator", "pattern '^[0-9+*/ ().-]+$'"),
        ("What   time is it?", "clock", "keyword 'what time'"),
        ("现在几点了", "clock", "keyword '几点'"),
        ("用plus版本", "calculator", "keyword 'plus'"),
        ("what time is 2 plus 2", "calculator", "keyword 'plus'"),
    ],
)
def test_the_first_rule_that_applies_decides(question: str, tool: str, matched: str) -> None:
    found = first_rule(question, [SUMS, TIME], ALL)
    place = "tools.yaml:9:14" if tool == "calculator" else ""
    assert found == (tool, AppliedRule(1 if tool == "calculator" else 2, place, matched))


@pytest.mark.parametrize(
    "question", ["a surplus of tomatoes", "plus4", "plúsé", "nonplus", "2 and 2", "whatever time", "", "pluš"]
)
def test_a_part_of_a_word_is_no_word(question: str) -> None:
    assert first_rule(question, [SUMS, TIME], ALL) is None


def test_a_rule_whose_tool_is_no_candidate_is_passed_over() -> None:
    assert first_rule("what time is 2 plus 2", [SUMS, TIME], ("clock",)) == (
        "clock",
        AppliedRule(2, "", "keyword 'what time'"),
    )


def test_words_are_found_behind_a_place_where_they_are_only_a_part() -> None:
    assert holds_word("ba a a", "a a")
    assert holds_word("surplus plus", "plus")
    assert holds_word("c++11", "c++")
    assert not holds_word("abc", "")


def test_a_hostile_question_takes_no_more_than_its_length() -> None:
    slow = Rule("calculator", ("a" * 50,), "^(a+)+$")
    assert first_rule("a" * 100_000 + "b", [slow], ALL) is None
    assert first_rule("\ud800 x", [Rule("clock", (), "x$")], ALL) is not None

"""Conditions: what they come to, and that none is read, or applied, without a bound."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegboard.plan.conditions import BadCondition, check, condition_hint, holds, inputs_in, nodes_in
from pegboard.plan.faults import Allowed, faults
from pegboard.plan.graph import Node, Plan

TOO_DEEP = {
    "brackets": "(" * 900 + "a" + ")" * 900,
    "not": "!" * 1500 + "a",
    "or": "||".join(["a"] * 600),
    "pipes": "|".join(["a"] * 900),
    "lists": "[" * 900 + "a" + "]" * 900,
    "projections": "a" + "[]" * 900,
    "filters": "a" + "[?b" * 300 + "]" * 300,
    "a literal": "`" + "[" * 1900 + "`",
}
TOO_LARGE = {
    "text": "a" * 2001,
    "doubled": "|".join(["[@,@]"] * 60) + "|to_string(@)",
    "compared": "(" + "|".join(["[@,@]"] * 30) + ") == (" + "|".join(["[@,@]"] * 30) + ")",
    "escaped": "to_string(" * 40 + "@" + ")" * 40,
    "joined": "join(to_string(@), keys(@))",
    "joined by much": f"join('{'x' * 1000}', a)",
    "nothing joined": "join()",
}


@pytest.mark.parametrize("condition", [*TOO_DEEP.values(), *TOO_LARGE.values()], ids=[*TOO_DEEP, *TOO_LARGE])
def test_a_condition_without_a_bound_is_a_fault_of_the_plan(condition: str) -> None:
    plan = Plan((Node("a", "echo", when=condition),))
    (fault,) = faults(plan, Allowed({"echo": lambda node: []}, {}, frozenset()))
    assert fault.code == "condition"
    assert len(str(fault)) < 500
    with pytest.raises(BadCondition):
        holds(condition, {}, {})


@pytest.mark.parametrize(
    "condition",
    [
        "inputs.minutes > `0` && (nodes.stock.left || nodes.soups.items[?price < `5`])",
        "contains(to_string(nodes.page), 'rain') || contains(join(', ', inputs.names), 'Ada')",
        "[nodes.a, nodes.b][?ok] | length(@) == `2`",
        "||".join(f"nodes.n{i}.ok" for i in range(90)),
    ],
)
def test_what_people_write_is_read(condition: str) -> None:
    check(condition)


@pytest.mark.parametrize(
    ("condition", "hint"),
    [
        ("nodes.a.city = 'Oslo'", "Equal is `==`."),
        ("nodes.a.count > 3", "Numbers stand in backquotes."),
        ("nodes.a.count == 3", "Numbers stand in backquotes."),
        ("nodes.a.x AND nodes.a.y", "And, or, not are `&&`, `||`, `!`."),
        ("nodes.[[", ""),
    ],
)
def test_what_is_often_written_otherwise_is_told_with_how_it_is_written(condition: str, hint: str) -> None:
    with pytest.raises(BadCondition):
        check(condition)
    assert condition_hint(condition) == (f"{hint} Such as: nodes.n1.count == `3` && inputs.city" if hint else "")


@pytest.mark.filterwarnings("ignore:deprecated string literal syntax")
@given(st.text(alphabet="ab.[]?*(){}|&!@=<>`'\"\\,:019 \x00\ud800", max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_condition_or_is_refused(condition: str) -> None:
    try:
        check(condition)
    except BadCondition:
        assert nodes_in(condition) == inputs_in(condition) == set()
        return
    try:
        holds(condition, {"a": [1, "x", {"b": None}]}, {"a": {"b": [1.5, "1"]}})
    except BadCondition as error:
        assert str(error)  # noqa: PT017 (what it comes to may be refused, with a reason)

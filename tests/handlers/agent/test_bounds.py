"""Pure parts of an agent: what ends it, ids of calls, what is read out of a reply."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.config.blocks.agent import AgentBlockDeclaration
from pegboard.handlers.agent.bounds import Bounds
from pegboard.handlers.agent.calls import with_ids
from pegboard.llm.model import FunctionCall


def bounds(**block: object) -> Bounds:
    return Bounds(AgentBlockDeclaration.model_validate({"system": "x", "tools": [], **block}))


def call(name: str = "a", id_: str = "", **arguments: object) -> FunctionCall:
    return FunctionCall(name, arguments, id_)  # type: ignore[arg-type]


def test_it_ends_at_each_of_its_bounds() -> None:
    for block, tokens, seconds, bound in (
        ({"max_iterations": 1}, 1, 1.0, "iterations"),
        ({"max_tokens": 500}, 600, 1.0, "tokens"),
        ({"timeout": "2s"}, 1, 2.0, "time"),
    ):
        counted = bounds(**block)
        assert counted.before_turn() is None
        counted.took(tokens, seconds)
        ending = counted.before_turn()
        assert ending is not None
        assert ending.bound == bound


@pytest.mark.parametrize(
    ("turns", "ends"),
    [
        ([[call(x=1, y=2)], [call(y=2, x=1)], [call(x=1, y=2)]], [False, False, True]),
        ([[call(x=1)] * 3], [True]),
        ([[call(x=1)], [call(x=2)], [call(x=1)], [call(x=1)]], [False] * 4),
        ([[call(x=1)], [call("b", x=1)], [call(x=1)]], [False] * 3),
    ],
)
def test_the_same_call_three_times_in_a_row_ends_it(turns: list[list[FunctionCall]], ends: list[bool]) -> None:
    counted = bounds()
    assert [counted.repeated(calls) is not None for calls in turns] == ends


@given(st.lists(st.sampled_from(["", "a", "a_2", "call_1_1"]), max_size=8), st.sets(st.sampled_from(["a", "b"])))
def test_ids_are_unique_and_in_order_and_the_models_own_where_they_will_do(ids: list[str], taken: set[str]) -> None:
    calls = with_ids([call(str(place), id_) for place, id_ in enumerate(ids)], taken, 1)
    found = [each.id for each in calls]
    assert [each.name for each in calls] == [str(place) for place in range(len(ids))]
    assert len({*found, *taken}) == len(found) + len(taken)
    if ids and ids[0] and ids[0] not in taken:
        assert found[0] == ids[0]

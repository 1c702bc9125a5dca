from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pegboard.route.score import Score
from pegboard.route.shortlist import ranking, shortlist
from tests.route.conftest import make_tool

TOOLS = [make_tool(f"t{number}") for number in range(6)]


def local(*values: float) -> list[Score]:
    return [Score(value) for value in values]


def test_of_few_candidates_all_are_asked_about() -> None:
    assert shortlist(TOOLS, local(*range(6)), 6) == [0, 1, 2, 3, 4, 5]


def test_of_many_the_locally_best_in_declared_order() -> None:
    assert shortlist(TOOLS, local(50, 0, 70, 60, 0, 0), 3) == [0, 2, 3]
    assert shortlist(TOOLS, local(1, 1, 1, 1, 1, 1), 2) == [0, 1]


def test_pinned_ones_stay_and_count() -> None:
    tools = [*TOOLS[:5], replace(TOOLS[5], pinned=True)]
    assert shortlist(tools, local(50, 40, 70, 60, 0, 0), 3) == [2, 3, 5]
    pinned = [replace(tool, pinned=True) for tool in TOOLS]
    assert shortlist(pinned, local(*range(6)), 2) == [0, 1, 2, 3, 4, 5]


@given(st.lists(st.floats(0, 100), min_size=1, max_size=20))
def test_the_ranking_is_by_score_and_then_by_declared_order(values: list[float]) -> None:
    assert ranking(local(*values)) == sorted(range(len(values)), key=lambda index: (-values[index], index))

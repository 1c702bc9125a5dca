"""What is wrong with a plan, all of it, named."""

from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.plan.circles import circles, way_round
from pegboard.plan.faults import MOST_NODES, Allowed, faults
from pegboard.plan.graph import Node, Plan, Race
from pegboard.plan.written import plan_json, read_plan


def fine(node: Node) -> list[str]:
    return []


def needs_a_query(node: Node) -> list[str]:
    return [] if "query" in node.arguments else ["the argument 'query' is missing"]


ALLOWED = Allowed({"search": needs_a_query, "details": fine}, {"writer": fine}, frozenset({"city"}))


def node(name: str, *waits: str, tool: str = "details", **more: object) -> Node:
    return Node(name, tool, depends_on=waits, **more)  # type: ignore[arg-type]


def told(*nodes: Node, races: tuple[Race, ...] = ()) -> list[str]:
    return [f"{fault.code}: {fault}" for fault in faults(Plan(nodes, races), ALLOWED)]


def test_a_sound_plan_has_no_fault() -> None:
    search = node("a", tool="search", arguments={"query": "soup in ${inputs.city}"})
    agent = Node("c", "writer", {"goal": "write of ${b}"}, type="sub_agent", when="nodes.a.count > `0`")
    assert told(search, node("b", "a"), agent) == []


def test_every_node_of_every_circle_is_named_report_17() -> None:
    ring = (node("a", "c"), node("b", "a"), node("c", "b"), node("x", "y"), node("y", "x"), node("z", "a"))
    assert told(*ring) == [
        "cycle: These steps wait for each other: a -> c -> b -> a. Let one of them go first.",
        "cycle: These steps wait for each other: x -> y -> x. Let one of them go first.",
    ]


@pytest.mark.parametrize(
    ("nodes", "fault"),
    [
        ((), "empty: The plan has no step."),
        (
            (node("A"),),
            "bad_id: 'A' cannot be the id of a step. An id begins with a small letter and has small letters, "
            "digits, `_` and `-`.",
        ),
        ((node("a"), node("a")), "duplicate: 2 steps or races are called 'a'. Give each its own id."),
        ((node("a", "a"),), "self: Step 'a' waits for itself."),
        ((node("a", "bb"), node("b")), "dangling: Step 'a' waits for 'bb', which is no step. Did you mean 'b'?"),
        ((node("a", tool="serch"),), "unknown_tool: Step 'a': there is no tool 'serch'. Did you mean 'search'?"),
        ((node("a", tool="search"),), "arguments: Step 'a': the argument 'query' is missing"),
        (
            (Node("a", "details", type="sub_agent"),),
            "unknown_tool: Step 'a': there is no agent 'details'. It is a tool: name it as `tool`.",
        ),
        (
            (node("a", arguments={"x": "${inputs.town}"}),),
            "dangling: Step 'a' refers to ${inputs.town}. The inputs are city.",
        ),
        (
            (node("a", race="r"), node("b", "a", race="r")),
            "race: Step 'b' waits for a, which it races against: it would never run.",
        ),
        ((node("a", "r", race="r"),), "self: Step 'a' waits for the race that it takes part in."),
    ],
)
def test_a_fault_is_said_so_that_it_can_be_mended_reports_17_and_18(nodes: tuple[Node, ...], fault: str) -> None:
    assert fault in told(*nodes)


def test_a_condition_that_is_no_jmespath_is_told() -> None:
    (fault,) = told(node("a", when="nodes.[["))
    assert fault.startswith("condition: Step 'a': its condition cannot be read")


def test_races_that_nobody_runs_are_told() -> None:
    found = told(node("a", race="r"), races=(Race("q"), Race("r", favourite="b")))
    assert found == [
        "race: No step takes part in the race 'q'.",
        "race: The favourite 'b' does not take part in the race 'r'.",
    ]


def test_too_many_steps_are_refused_before_they_are_looked_at() -> None:
    many = tuple(node(f"n{i}", tool="nosuch") for i in range(MOST_NODES + 1))
    assert told(*many) == ["too_many: The plan has 1,001 steps; at most 1,000 are run."]


def test_a_circle_through_a_race_is_found() -> None:
    racers = (node("c", "a", race="r"), node("d", race="r"))
    way = "These steps wait for each other: a -> b -> c -> a"
    assert told(node("a", "b"), node("b", "r"), *racers) == [
        f"cycle: {way} (b waits for r, in which c races). Let one of them go first."
    ]
    assert told(node("a", "b"), node("b", "d"), *racers) == [
        f"cycle: {way} (b waits for d, with which c races). Let one of them go first."
    ]


def test_of_several_circles_in_one_all_are_named_and_a_short_way_is_shown() -> None:
    found = told(node("a", "b"), node("b", "a", "c"), node("c", "d"), node("d", "b"), node("e", "a"))
    assert found == [
        "cycle: These steps wait for each other: a, b, c, d; one way round is a -> b -> a. Let one of them go first."
    ]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20))
def test_whatever_waits_for_itself_is_in_a_circle_and_its_way_goes_round(pairs: list[tuple[int, int]]) -> None:
    edges: dict[str, list[str]] = {f"n{i}": [f"n{b}" for a, b in pairs if a == i and b != i] for i in range(7)}
    found = circles(edges)
    assert sorted(chain(*found)) == [name for name in edges if name in _reached(name, edges)]
    for circle in found:
        way = way_round(circle, edges)
        assert (way[0], way[-1], len({*way})) == (circle[0], circle[0], len(way) - 1)
        assert {*way} <= {*circle}
        assert all(b in edges[a] for a, b in pairwise(way))


def _reached(start: str, edges: dict[str, list[str]]) -> set[str]:
    """Return what `start` waits for, directly or not."""
    found: set[str] = set()
    left = [start]
    while left:
        fresh = set(edges[left.pop()]) - found
        found |= fresh
        left += fresh
    return found


@pytest.mark.parametrize(
    ("nodes", "wanted"),
    [
        (
            (node("a", fallback="bb"), node("b")),
            "fallback: Step 'a' falls back to 'bb', which is no step. Did you mean 'b'?",
        ),
        (
            (node("a", fallback="c"), node("b", fallback="c"), node("c")),
            "fallback: Step 'a' falls back to 'c', as another step does. A step stands in for one other: "
            "give each its own.",
        ),
        (
            (node("a", fallback="b"), node("b", fallback="a")),
            "fallback: Step 'a' falls back to 'b', and is come to again: it would never run.",
        ),
        (
            (node("a", fallback="b"), node("b", race="r")),
            "fallback: Step 'a' falls back to 'b', and one of them takes part in a race. In a race each step stands "
            "in for the others: let it be run `in_turn`.",
        ),
        (
            (node("a", fallback="b"), node("b", "a")),
            "fallback: Step 'b' waits for a, and one of them stands in for the other. A fallback starts by itself "
            "when the step before it has failed.",
        ),
        (
            (node("a", fallback="b"), node("b", "c"), node("c", "a")),
            "cycle: These steps wait for each other: b -> c -> b (c waits for a, for which b may stand in). "
            "Let one of them go first.",
        ),
    ],
)
def test_a_fallback_that_cannot_stand_in_is_told(nodes: tuple[Node, ...], wanted: str) -> None:
    assert wanted in told(*nodes)


def test_a_fallback_is_no_fault_and_is_read_as_it_is_written() -> None:
    nodes = (node("a", fallback="b"), node("b", fallback="c"), node("c"), node("d", "a"))
    assert told(*nodes) == []
    assert read_plan(plan_json(Plan(nodes))) == Plan(nodes)

"""A plan as somebody sends it: all that is wrong with its form is told at once, and never at length."""

import pytest

from pegboard.errors import UsageError
from pegboard.plan.faults import MOST_FAULTS, MOST_NODES, Allowed, faults
from pegboard.plan.graph import Node
from pegboard.plan.written import read_plan
from pegboard.text import Json

LONG = "a" * 70_000
VALUES: list[Json] = [
    None, True, 0, -1, 1.5, 10**30, "", "x", "\x00", "${a}", LONG, "\u202e", [], [1], [None], [LONG], {}, {"a": 1},
]  # fmt: skip
NODE_KEYS = (
    "id", "type", "tool", "agent", "goal", "arguments", "depends_on", "race_group", "when", "needs", "on_failure",
    "fallback",
)  # fmt: skip
RACE_KEYS = ("in_turn", "favourite", "head_start_seconds", "timeout_seconds")


def fine(node: Node) -> list[str]:
    return []


ALLOWED = Allowed({"echo": fine}, {"writer": fine}, frozenset())


def told(plan: Json) -> str:
    """Return what is said of a plan; empty where it can run."""
    try:
        return "\n".join(map(str, faults(read_plan(plan), ALLOWED)))
    except UsageError as error:
        return str(error)


def test_everything_that_is_wrong_with_the_form_is_told_at_once() -> None:
    nodes: Json = [
        {"id": "a", "tol": "echo"},
        {"id": "b", "tool": ["echo"], "arguments": [1], "depends_on": "a", "needs": "most"},
        "prose",
    ]
    with pytest.raises(UsageError) as refused:
        read_plan({"nodes": nodes, "races": {"r": {"in_turn": 1, "timeout_seconds": True}, "s": []}})
    assert str(refused.value).splitlines() == [
        "The plan cannot be read:",
        "- Node 'a' has no key 'tol'. Did you mean 'tool'?",
        "- Node 'a' names no tool.",
        "- Node 'b': `tool` is no text: '[\"echo\"]'.",
        "- Node 'b' names no tool.",
        "- Node 'b': `arguments` is no object: '[1]'.",
        "- Node 'b': `depends_on` is no list: 'a'.",
        "- Node 'b': `needs` cannot be 'most'. It is one of all, any.",
        "- A node is an object with an `id`; found 'prose'.",
        "- Race 'r': `in_turn` is no boolean: '1'.",
        "- Race 'r': `timeout_seconds` is a number of seconds, not 'true'.",
        "- Race 's' is an object of in_turn, favourite, head_start_seconds, timeout_seconds.",
    ]


@pytest.mark.parametrize("key", [*NODE_KEYS, *RACE_KEYS, "race", "races", "nodes", "plan"])
@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:20])
def test_whatever_stands_in_a_field_is_read_or_refused_shortly(key: str, value: Json) -> None:
    node: dict[str, Json] = {"id": "a", "tool": "echo", "race_group": "r"}
    plans: dict[str, Json] = {
        "plan": value,
        "nodes": {"nodes": value},
        "races": {"nodes": [node], "races": value},
        "race": {"nodes": [node], "races": {"r": value}},
        **{field: {"nodes": [node], "races": {"r": {field: value}}} for field in RACE_KEYS},
    }
    assert len(told(plans.get(key, [{**node, key: value}]))) < 2000


@pytest.mark.parametrize(
    "plan",
    [
        {"nodes": [{"id": "a", "tool": "echo"}], "races": {f"r{i}": {} for i in range(50_000)}},
        [{"id": "a", "tool": "echo", "arguments": {"text": "".join(f"${{m{i}}}" for i in range(40_000))}}],
        [{"id": "a", "tool": "echo", "depends_on": [f"m{i}" for i in range(40_000)]}],
        [{"id": f"n{i}", "tool": f"ech{LONG}"} for i in range(MOST_NODES)],
        [{"id": f"n{i}", "tool": "echo", "fallback": f"n{(i + 1) % 1000}"} for i in range(MOST_NODES)],
        [{"id": f"n{i}", "tool": "echo", "depends_on": [f"n{i ^ 1}"]} for i in range(MOST_NODES)],
        [{"id": f"n{i}", "tool": "echo", "arguments": {"x": f"${{{LONG[:5000]}}}"}} for i in range(MOST_NODES)],
        [{f"k{i}": 1} for i in range(50_000)],
        [{"id": "a", "tool": "echo", **{f"k{i}": 1 for i in range(50_000)}}],
    ],
    ids=["races", "references", "waits", "tools", "fallbacks", "circles", "long names", "no ids", "keys"],
)
def test_of_very_many_faults_the_first_are_told(plan: Json) -> None:
    lines = told(plan).splitlines()
    assert len(lines) <= MOST_FAULTS + 2
    assert max(map(len, lines)) < 1500
    assert len(lines) == 1 or lines[-1].removeprefix("- ") == "There is more; these are the first 200 faults."


def test_what_a_name_is_near_to_is_told_in_the_order_of_the_plan() -> None:
    plan: Json = [{"id": f"n{i}", "tool": "echo"} for i in range(4)]
    assert isinstance(plan, list)
    last: Json = {"id": "z", "tool": "echo", "depends_on": ["elsewhere"]}
    assert told([*plan, last]) == "Step 'z' waits for 'elsewhere', which is no step. Known steps: n0, n1, n2, n3, z."

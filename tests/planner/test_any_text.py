"""Whatever a model writes, reading it ends, and raises nothing but what it declares; what we write reads back equal."""

import json
from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import ModelMalformed
from pegboard.plan.graph import Node, Plan, Race
from pegboard.plan.written import plan_json
from pegboard.planner.reading.draft import NothingPlanned
from pegboard.planner.reading.pieces import StepReader
from pegboard.planner.reading.read import read
from pegboard.text import Json
from tests.planner.tools import TOOLS, step, steps

_PIECES = st.sampled_from([
    "{", "}", "[", "]", ",", ":", '"', "'", "\\", "```", "```json\n", "<think>", "</think>", "\n", " ", "null", "1",
    '"id"', '"tool"', '"search"', '"details"', '"arguments"', '"query"', '"depends_on"', '"steps"', '"tool_calls"',
    '"function"', '"name"', '"when"', '"races"', "${n1.text}", "$1", "<node-1>", "{{n1}}", "<GENERATED>-0", "${", "n1",
    '{"tool":"search","params":{"query":"x"}}', '{"id":"n1","tool":"search","arguments":{"query":"$2"}}', "步骤", "#E1",
])  # fmt: skip
_KEYS = st.sampled_from(["id", "tool", "type", "arguments", "params", "depends_on", "when", "race_group", "steps", "x"])
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.sampled_from(["$1", "${n1}", "<node-0>"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=20,
)
_EITHER: st.SearchStrategy[bool] = st.booleans()
_WORDS = st.text(st.characters(codec="utf-8", exclude_characters="$<{#"), min_size=1, max_size=20)


@given(st.lists(_PIECES, max_size=40).map("".join) | st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ModelMalformed, NothingPlanned):
        read(text, TOOLS)
    StepReader().feed(text)


@given(st.lists(st.dictionaries(_KEYS, _VALUES, max_size=6), min_size=1, max_size=5))
def test_any_steps_are_read_or_refused(rows: list[dict[str, Json]]) -> None:
    with suppress(ModelMalformed, NothingPlanned):
        read(json.dumps({"steps": rows}), TOOLS)


@st.composite
def plans(draw: Any) -> Plan:
    """Return sound plans: each step may wait for, or refer to, those before it."""
    nodes: list[Node] = []
    for place in range(1, draw(st.integers(1, 5)) + 1):
        before = [node.id for node in nodes]
        waits: list[str] = draw(st.lists(st.sampled_from(before), unique=True)) if before else []
        refers = f"${{{draw(st.sampled_from(before))}.text}}" if before and draw(_EITHER) else ""
        called, argument = draw(st.sampled_from([("search", "query"), ("details", "name"), ("save_note", "text")]))
        value = refers or draw(_WORDS)
        when = f"nodes.{waits[0]}.text" if waits and draw(_EITHER) else ""
        nodes.append(Node(f"n{place}", called, {argument: value}, depends_on=tuple(waits), when=when))
    if draw(_EITHER):
        racers = (Node("r1", "search", {"query": "a"}, race="r"), Node("r2", "search", {"query": "b"}, race="r"))
        race = Race("r", favourite="r2", head_start_seconds=0.5, timeout_seconds=9.0)
        return Plan((*nodes, *racers), (race,))
    return Plan(tuple(nodes))


@given(plans())
def test_a_plan_of_ours_reads_back_equal(plan: Plan) -> None:
    found = read(json.dumps(plan_json(plan)), TOOLS)
    assert (found.plan, found.mended, found.faults) == (plan, (), ())


@given(st.lists(st.tuples(st.sampled_from([("search", "query"), ("details", "name")]), _WORDS), min_size=1, max_size=5))
def test_a_flat_plan_and_native_calls_read_back_equal(calls: list[tuple[tuple[str, str], str]]) -> None:
    plan = Plan(tuple(Node(f"n{i}", tool, {name: value}) for i, ((tool, name), value) in enumerate(calls, 1)))
    flat = [{"tool": node.tool, "params": dict(node.arguments)} for node in plan.nodes]
    native = [{"function": {"name": n.tool, "arguments": json.dumps(dict(n.arguments))}} for n in plan.nodes]
    for text in (json.dumps(flat), json.dumps({"steps": flat}), json.dumps({"tool_calls": native})):
        found = read(text, TOOLS)
        assert (found.plan, found.mended, found.faults) == (plan, (), ())


@given(plans(), st.integers(1, 9))
def test_steps_are_whole_as_soon_as_their_brackets_are(plan: Plan, size: int) -> None:
    text = "Here it is: " + json.dumps({"nodes": [node.to_json() for node in plan.nodes]}) + " done"
    reader = StepReader()
    found = [row for start in range(0, len(text), size) for row in reader.feed(text[start : start + size])]
    assert found == [node.to_json() for node in plan.nodes]


def test_steps_come_one_after_the_other() -> None:
    reader, text = StepReader(), steps(step("a", query="]}{["), step("b", query='"\\'))
    first = text.index('{"id": "b"')
    assert [row["id"] for row in reader.feed(text[:first])] == ["a"]
    assert reader.feed(text[first:-3]) == []
    assert reader.feed(text[-3:])[0]["id"] == "b"

"""What models write is read, mended by rules that have names, or refused; never guessed at."""

import json

import pytest

from pegboard.errors import ModelMalformed
from pegboard.plan.graph import Node, Plan, Race
from pegboard.planner.reading.draft import MOST_STEPS, NothingPlanned
from pegboard.planner.reading.read import read
from pegboard.text import Json
from tests.planner.tools import TOOLS, step, steps

SOUP = Node("n1", "search", {"query": "soup"})


def mended(text: str) -> list[str]:
    found = read(text, TOOLS)
    assert found.faults == ()
    return [f"{mend.rule}: {mend}" for mend in found.mended]


def wrong(text: str) -> list[str]:
    return [f"{fault.code}: {fault}" for fault in read(text, TOOLS).faults]


def arguments(text: str) -> list[dict[str, Json]]:
    found = read(text, TOOLS)
    assert found.faults == ()
    return [dict(node.arguments) for node in found.plan.nodes]


# Shapes


@pytest.mark.parametrize(
    "text",
    [
        steps(step("n1", query="soup")),
        '[{"id":"n1","type":"tool","tool":"search","arguments":{"query":"soup"},"depends_on":[],"race_group":"","when":""}]',
        '[{"id":"n1","tool":"search","params":{"query":"soup"}}]',
        '[{"tool":"search","params":{"query":"soup"}}]',
        '{"steps":[{"tool":"search","params":{"query":"soup"}}]}',
        '{"tool_calls":[{"function":{"name":"search","arguments":"{\\"query\\": \\"soup\\"}"}}]}',
        '{"tool_calls":[{"id":"call_A1","type":"function","function":{"name":"search","arguments":"{\\"query\\":\\"soup\\"}"}}]}',
    ],
)
def test_each_shape_is_the_same_plan(text: str) -> None:
    found = read(text, TOOLS)
    assert (found.plan, found.mended, found.faults) == (Plan((SOUP,)), (), ())


def test_an_agent_is_asked_with_its_goal() -> None:
    text = '[{"id":"w","type":"sub_agent","agent":"writer","goal":"write it"}]'
    expected = Node("w", "writer", {"goal": "write it"}, type="sub_agent")
    assert read(text, TOOLS).plan.nodes == (expected,)
    assert read(text.replace('"type":"sub_agent",', ""), TOOLS).plan.nodes == (expected,)


def test_a_tool_that_is_asked_as_an_agent_is_called_as_a_tool() -> None:
    found = read('[{"id":"n1","type":"sub_agent","tool":"search","arguments":{"query":"soup"}}]', TOOLS)
    assert (found.plan.nodes, [mend.rule for mend in found.mended], found.faults) == ((SOUP,), ["kind"], ())


def test_a_flat_list_that_only_reads_runs_at_once_and_one_that_changes_something_in_its_order() -> None:
    rows = '[{"tool":"search","params":{"query":"a"}},{"tool":"details","params":{"name":"b"}}%s]'
    assert [node.depends_on for node in read(rows % "", TOOLS).plan.nodes] == [(), ()]
    found = read(rows % ',{"tool":"save_note","params":{"text":"c"}}', TOOLS)
    assert [node.depends_on for node in found.plan.nodes] == [(), ("n1",), ("n2",)]
    assert [mend.rule for mend in found.mended] == ["sequence"]


# Mends


@pytest.mark.parametrize(
    ("text", "mends"),
    [
        (
            'Here is the plan:\n```json\n[{"id":"a","tool":"search","arguments":{"query":"x"}}]\n```',
            ["cleaned: What stood around the plan was left out."],
        ),
        (
            "[{'id': 'a', 'tool': 'search', 'arguments': {'query': 'x'},}]",
            ["lenient: The plan was no strict JSON; it was read by looser rules, in the one way there is."],
        ),
        (
            '{"steps":[{"id":"a","tool":"search","arguments":{"query":"x"}}',
            ["closed: The brackets that the plan lacked at its end were added."],
        ),
        (steps(step("Step 1", query="x")), ["id: The id 'Step 1' is written 'step-1'."]),
        (steps(step("a", "Search", query="x")), ["tool: Step 'a': the tool 'Search' is 'search'."]),
        (steps(step("a", "functions.search", query="x")), ["tool: Step 'a': the tool 'functions.search' is 'search'."]),
        (steps(step("a", "serch", query="x")), ["tool: Step 'a': the tool 'serch' is 'search'."]),
        (steps(step("a", query="x", limit="5")), ["arguments: Step 'a': limit was made to fit 'search'."]),
        ('[{"id":"a","tool":"details","arguments":["x"]}]', ["arguments: Step 'a': its value is its argument 'name'."]),
        (
            steps(step("a", query="x"), step("b", "details", waits=("search",), name="y")),
            ["owner: Step 'b': 'search' is step 'a', the only one that calls it."],
        ),
        (
            steps(step("b", "details", name="${a.text}"), step("a", query="x")),
            ["order: Step 'b' is done after a, which it waits for and which is written later."],
        ),
    ],
)
def test_a_mend_is_told_by_its_rule(text: str, mends: list[str]) -> None:
    assert mended(text) == mends


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        ("${n1.items[0].name}", "${n1.items[0].name}"),
        ("${N1.text}", "${n1.text}"),
        ("$n1.text", "${n1.text}"),
        ("{{n1.text}}", "${n1.text}"),
        ("{{ steps.n1.text }}", "${n1.text}"),
        ("<n1>", "${n1}"),
        ("all of <n1>.text please", "all of ${n1.text} please"),
        ("${search.text}", "${n1.text}"),
        ("a wine under $5", "a wine under $5"),
        ("{{ name }} and <b>", "{{ name }} and <b>"),
        ("$${n1}", "$${n1}"),
        ("$HOME", "$HOME"),
    ],
)
def test_references_of_other_styles_are_written_as_ours(written: str, ours: str) -> None:
    text = steps(step("n1", query="x"), step("n2", "details", name=written))
    assert arguments(text)[1] == {"name": ours}


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        ("$1", "${n1}"),
        ("$1.text", "${n1.text}"),
        ("of $1 and $2", "of ${n1} and ${n2}"),
        ("<node-0>", "${n1}"),
        ("<GENERATED>-0", "${n1}"),
        ("{{step_2.text}}", "${n2.text}"),
    ],
)
def test_positions_are_counted_from_where_they_lead_to_earlier_steps(written: str, ours: str) -> None:
    rows = [
        {"tool": "search", "params": {"query": "x"}},
        {"tool": "search", "params": {"query": "y"}},
        {"tool": "details", "params": {"name": written}},
    ]
    assert arguments(json.dumps(rows))[2] == {"name": ours}


def test_a_position_that_may_be_counted_from_either_end_is_refused() -> None:
    rows = [
        {"tool": "search", "params": {"query": "x"}},
        {"tool": "search", "params": {"query": "y"}},
        {"tool": "details", "params": {"name": "<node-1>"}},
    ]
    assert wrong(json.dumps(rows)) == [
        "unclear: Step 'n3': <node-1> may be counted from 0 or from 1. Give each step an id, and refer to that."
    ]


def test_ids_of_numbers_are_followed_in_all_references() -> None:
    rows = [
        {"id": 0, "tool": "search", "arguments": {"query": "x"}, "dep": [-1]},
        {"id": 1, "tool": "details", "arguments": {"name": "<GENERATED>-0"}, "dep": [0]},
    ]
    found = read(json.dumps(rows), TOOLS)
    assert found.faults == ()
    assert [(n.id, n.depends_on, dict(n.arguments)) for n in found.plan.nodes] == [
        ("n0", (), {"query": "x"}),
        ("n1", ("n0",), {"name": "${n0}"}),
    ]


def test_conditions_get_our_notation_and_the_ids_as_they_are_now() -> None:
    row = {**step("b", "details", name="y"), "when": '${A.count} > 3 && nodes.A.status == "ok"'}
    (node,) = [node for node in read(steps(step("A", query="x"), row), TOOLS).plan.nodes if node.id == "b"]
    assert node.when == 'nodes.a.count > `3` && nodes.a.status == "ok"'


def test_races_get_names_as_ids_have_and_are_followed() -> None:
    racers = [{**step(name, query=name), "race_group": "Fast One"} for name in ("a", "B")]
    last = step("c", "details", waits=("Fast One",), name="${Fast One.text}")
    races: dict[str, Json] = {"Fast One": {"favourite": "B", "head_start_seconds": 1}}
    found = read(json.dumps({"nodes": [*racers, last], "races": races}), TOOLS)
    assert found.faults == ()
    assert [node.race for node in found.plan.nodes] == ["fast-one", "fast-one", ""]
    assert found.plan.nodes[2].depends_on == ("fast-one",)
    assert dict(found.plan.nodes[2].arguments) == {"name": "${fast-one.text}"}
    assert found.plan.races == (Race("fast-one", favourite="b", head_start_seconds=1.0),)


# Bad input


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (steps(step("a", "nosuch", query="x")), "unknown_tool: Step 'a': there is no tool 'nosuch'."),
        (steps(step("a", "delete_note", name="x")), "unknown_tool: Step 'a': there is no tool 'delete_note'."),
        (steps(step("a", "plan", goal="x")), "unknown_tool: Step 'a': there is no tool 'plan'."),
        (steps(step("a", query="${b.text}")), "dangling: Step 'a' waits for 'b', which is no step."),
        (steps(step("a", query="x", waits=("gone",))), "dangling: Step 'a' waits for 'gone', which is no step."),
        (steps(step("a", query="${a.text}")), "self: Step 'a' waits for itself."),
        (
            steps(step("a", query="x", waits=("b",)), step("b", query="y", waits=("a",))),
            "cycle: These steps wait for each other: a -> b -> a.",
        ),
        (steps(step("a", query="x"), step("a", query="y")), "duplicate: 2 steps or races are called 'a'."),
        (steps(step("a")), "arguments: Step 'a': "),
        (steps(step("a", query="${inputs.x}")), "dangling: Step 'a' refers to ${inputs.x}."),
        (
            steps(step("a", query=[step("b", query="x")])),
            "nested: Step 'a': an argument is a whole plan of its own.",
        ),
        (
            steps(step("a", query=steps(step("b", query="x")))),
            "nested: Step 'a': an argument is a whole plan of its own.",
        ),
        ('{"steps":[{"id":"a","tool":"search","arguments":{"query":"x', "unclear: The plan breaks off before its end."),
        (
            '{"steps":[{"id":"a","tool":"search","arguments":{"query":"x"}},{"id":"b","tool":"sea',
            "unclear: The plan breaks off before its end.",
        ),
        (
            steps(step("a", query="x"), step("b", query="y"), step("c", "details", waits=("search",), name="z")),
            "unclear: Step 'c' waits for 'search', which a, b call.",
        ),
        ('[{"id":"a","tool":"search","arguments":"one two"}]', "arguments: Step 'a': its arguments are no object:"),
        (steps({**step("a", query="x"), "when": "nodes.["}), "condition: Step 'a': its condition cannot be read"),
        (steps({**step("a", query="x"), "foreach": "b"}), "unclear: Step 'a' is to be repeated (foreach)."),
    ],
)
def test_what_cannot_be_mended_is_a_fault_that_says_what_to_do(text: str, fault: str) -> None:
    found = wrong(text)
    assert any(each.startswith(fault) for each in found), found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("I would search for soups first, and then write the report.", "holds no JSON"),
        ('{"answer": 42}', "holds no steps"),
        ("[" * 100_000, "deeper|holds no"),
        (steps(*[step(f"n{place}", query="x") for place in range(10_000)]), "characters|10,000 steps"),
        ("[" + ",".join(['{"tool":"a"}'] * 10_000) + "]", "10,000 steps; at most 200"),
        ("x" * 300_000, "300,000 characters"),
    ],
)
def test_what_is_no_plan_or_too_large_a_one_is_refused_unread(text: str, message: str) -> None:
    with pytest.raises(ModelMalformed, match=message):
        read(text, TOOLS)


@pytest.mark.parametrize("text", ["[]", '{"steps": []}', '{"nodes": [], "races": {}}'])
def test_a_plan_without_steps_is_none(text: str) -> None:
    with pytest.raises(NothingPlanned):
        read(text, TOOLS)


def test_as_many_steps_as_may_be_are_read() -> None:
    text = steps(*[step(f"n{place}", query="x") for place in range(MOST_STEPS)])
    assert len(read(text, TOOLS).plan.nodes) == MOST_STEPS

"""The makespan benchmark measures the schedule that runs are driven by."""

import random

from benchmarks.makespan import measured, nestful, worfbench
from pegboard.plan.graph import Node, Plan
from pegboard.plan.order import makespan, ranks, ways


def test_a_plan_of_nestful_refers_as_ours_do() -> None:
    line = '{"id": "x", "steps": [{"id": "var1", "tool": "a", "args": {}}, {"id": "var2", "tool": "b", "args": {"q": "$var1.f.g$"}}]}'
    name, plan = nestful(line)
    assert (name, plan.needs["var2"], plan.nodes[1].arguments) == ("x", ("var1",), {"q": "${var1.f.g}"})


def test_a_graph_of_worfbench_has_its_edges() -> None:
    line = '{"id": "x", "nodes": [{"id": "1"}, {"id": "2"}], "edges": [["START", "1"], ["1", "2"], ["2", "END"]]}'
    assert worfbench(line)[1].needs == {"n1": (), "n2": ("n1",)}


def test_no_order_of_chance_beats_the_schedule_by_more_than_a_twentieth() -> None:
    chance = random.Random(3)
    for _ in range(20):
        nodes = [
            Node(
                f"n{i}",
                "t",
                depends_on=tuple({f"n{chance.randrange(i)}" for _ in range(chance.randrange(3))} if i else ()),
            )
            for i in range(chance.randrange(3, 14))
        ]
        found = measured("x", Plan(tuple(nodes)), chance, orders=100)
        assert (round(found.ample, 9), found.chance <= 1.05) == (1.0, True)


def test_what_is_not_known_counts_as_nodes_and_what_is_known_as_seconds() -> None:
    plan = Plan((Node("a", "t"), Node("b", "t", depends_on=("a",)), Node("long", "t")))
    assert min(ranks(plan, {}, 1), key=ranks(plan, {}, 1).__getitem__) == "a"
    known = ranks(plan, {"a": 1.0, "b": 1.0, "long": 9.0}, 2)
    assert min(known, key=known.__getitem__) == "long"
    assert ways(plan, {"a": 1.0, "b": 2.0, "long": 9.0}) == {"a": 3.0, "b": 2.0, "long": 9.0}
    assert makespan(plan, {"a": 1.0, "b": 2.0, "long": 9.0}, 2, known) == 9.0

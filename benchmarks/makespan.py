"""How long plans take by the schedule, beside what they must take and what chance can do; on a virtual clock.

    python -m benchmarks.makespan FOLDER [--orders 1000]

FOLDER holds `nestful_plans.jsonl` (plans with references) and `worfbench_*.jsonl` (true graphs). Each node is a stub
with an uneven delay that nobody knows before. Read off: the makespan with ample parallelism over the critical path;
with two at once, over the lower bound (the longer of the critical path and half the work), and over the best of many
list schedules whose order is chance's.
"""

import argparse
import heapq
import json
import random
import re
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pegboard.plan.graph import Node, Plan, in_order
from pegboard.plan.order import makespan, ways
from pegboard.run.record import Succeeded
from pegboard.run.schedule import Schedule
from pegboard.text import Json

_REFERENCE = re.compile(r"\$(var\d+)((?:\.[\w-]+|\[\d+\])*)\$")


def nestful(line: str) -> tuple[str, Plan]:
    """Read a plan of NESTFUL; `$var1.a$` is `${var1.a}`."""
    held = json.loads(line)
    nodes = [Node(step["id"], step["tool"], _referring(step["args"])) for step in held["steps"]]
    return held["id"], Plan(tuple(nodes))


def _referring(value: Json) -> dict[str, Json]:
    text = _REFERENCE.sub(r"${\1\2}", json.dumps(value))
    read: dict[str, Json] = json.loads(text)
    return read


def worfbench(line: str) -> tuple[str, Plan]:
    """Read a graph of WorfBench: numbered nodes, and edges from START and to END."""
    held = json.loads(line)
    edges = [(str(a), str(b)) for a, b in held["edges"]]
    names = [str(node["id"] if isinstance(node, dict) else number) for number, node in enumerate(held["nodes"], 1)]
    waits = {name: tuple(f"n{a}" for a, b in edges if b == name and a in names) for name in names}
    return held["id"], Plan(tuple(Node(f"n{name}", "stub", depends_on=waits[name]) for name in names))


def plans_in(folder: Path) -> Iterator[tuple[str, Plan]]:
    """Yield all plans of the folder by name."""
    for name, read in (("nestful_plans", nestful), ("worfbench_tools", worfbench), ("worfbench_other", worfbench)):
        for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines():
            named = read(line)
            if len(in_order(named[1])) == len(named[1].nodes):  # some of WorfBench's have circles: those are refused
                yield named


def delays(plan: Plan, chance: random.Random) -> dict[str, float]:
    """Return an uneven delay for each node, in seconds."""
    return {node.id: chance.choice((0.1, 0.2, 0.4, 0.8)) * chance.uniform(0.8, 1.2) for node in plan.nodes}


def scheduled(plan: Plan, takes: Mapping[str, float], parallel: int, known: Mapping[str, float] | None = None) -> float:
    """Return when the last node of the schedule ends, the first having begun at 0; `known` is what it knows before."""
    schedule = Schedule(plan, max_parallel=parallel, seconds=known)
    now = 0.0
    running: list[tuple[float, str]] = []
    while True:
        for name in schedule.moves().start:
            heapq.heappush(running, (now + takes[name], name))
        if not running:
            assert schedule.status == "succeeded"
            return now
        now, name = heapq.heappop(running)
        schedule.apply(Succeeded(name))


@dataclass(frozen=True, slots=True)
class Makespan:
    """What one plan took, as ratios."""

    name: str
    nodes: int
    ample: float
    """With ample parallelism, over the critical path."""
    tight: float
    """With two at once, over the lower bound."""
    chance: float
    """With two at once, over the best of the orders of chance."""


def measured(name: str, plan: Plan, chance: random.Random, orders: int) -> Makespan:
    """Measure one plan."""
    takes = delays(plan, chance)
    longest = max(ways(plan, takes).values())
    two = scheduled(plan, takes, 2, takes)
    best = two
    for _ in range(orders):
        ranks = {node.id: chance.random() for node in plan.nodes}
        best = min(best, makespan(plan, takes, 2, ranks))
    bound = max(longest, sum(takes.values()) / 2)
    return Makespan(name, len(plan.nodes), scheduled(plan, takes, 10_000) / longest, two / bound, two / best)


def main() -> None:
    """Measure all plans, and print what is to be read off."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--orders", type=int, default=1000)
    given = parser.parse_args()
    chance = random.Random(1)
    found = [measured(name, plan, chance, given.orders) for name, plan in plans_in(given.folder)]
    print(f"{len(found)} plans, {sum(each.nodes for each in found)} nodes")
    print(f"ample parallelism over the critical path: at most {max(each.ample for each in found):.3f}")
    tight = [each.tight for each in found]
    print(f"two at once over the lower bound: median {statistics.median(tight):.3f}, at most {max(tight):.3f}")
    far = [each for each in found if each.chance > 1.05]
    print(f"two at once over the best of {given.orders} orders: at most {max(each.chance for each in found):.3f}")
    print(f"further than 5 % from it: {len(far)} plans")
    for each in sorted(far, key=lambda each: -each.chance)[:12]:
        print(f"  {each.name} ({each.nodes} nodes): {each.chance:.3f}")


if __name__ == "__main__":
    main()

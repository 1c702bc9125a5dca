"""Real plans through the engine with real delays: how long they take, and that one of an unknown tool runs nothing.

    python -m benchmarks.plans_run FOLDER

FOLDER is that of `benchmarks.makespan`. Each node is a stub with an uneven delay of its own tool, 30 to 320 ms. Each
plan runs with ample parallelism, over its critical path, and then, the engine knowing its tools, with two at once, over
the lower bound. Beside it, what the same waits take without an engine. Then a tool of each plan is one that the site
does not have: the plan must be refused, and no tool called.
"""

import argparse
import math
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import anyio

from benchmarks.failing_nodes import gives
from benchmarks.makespan import plans_in
from pegboard.catalog.allowed import refuse_faulty
from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool
from pegboard.errors import UsageError
from pegboard.plan.graph import Plan
from pegboard.plan.order import ways
from pegboard.run.local.engine import LocalEngine
from pegboard.run.request import RunRequest
from pegboard.text import Json
from tests.run.running import Arguments, engine, limited
from tests.twins import a_toolset


def of_own_tools(plan: Plan) -> Plan:
    """Return `plan` with a tool of its own for each node, so that each has a delay that can be known."""
    return replace(plan, nodes=tuple(replace(node, tool=f"{node.tool}_{node.id}") for node in plan.nodes))


def tools_of(plan: Plan, takes: Mapping[str, float]) -> list[Tool]:
    """Return the tools of `plan`; each takes its seconds."""

    async def work(context: Context, arguments: Arguments) -> Result:
        name = context.idempotency_key.rpartition(":")[2]
        await anyio.sleep(takes[name])
        return Result(name, data=values[name])

    values: dict[str, Json] = {node.id: gives(plan, node.id) for node in plan.nodes}
    return [replace(limited(node.tool, work), parameters={}) for node in plan.nodes]


async def seconds_of(opened: LocalEngine, request: RunRequest) -> float:
    """Run `request`, and return how long that took."""
    began = anyio.current_time()
    ran = await opened.outcome(await opened.start(request))
    assert ran.status == "succeeded", ran
    return anyio.current_time() - began


async def seconds_bare(plan: Plan, takes: Mapping[str, float]) -> float:
    """Return how long the waits of `plan` take with a task and an event each, and nothing else."""
    done = {node.id: anyio.Event() for node in plan.nodes}

    async def wait(name: str) -> None:
        for need in plan.needs[name]:
            await done[need].wait()
        await anyio.sleep(takes[name])
        done[name].set()

    began = anyio.current_time()
    async with anyio.create_task_group() as group:
        for node in plan.nodes:
            group.start_soon(wait, node.id)
    return anyio.current_time() - began


def calls_of_an_unknown_tool(plan: Plan, tools: Sequence[Tool]) -> bool:
    """Tell whether `plan` with one tool less on the site is refused; nothing is called to find that out."""
    try:
        refuse_faulty(plan, a_toolset(*tools[1:]), {})
    except UsageError:
        return False
    return True


async def measured(folder: Path) -> None:
    """Run all, and print what is to be read off."""
    chance = random.Random(3)
    ample, tight, bare, allowed = [], [], [], 0
    for _, read in plans_in(folder):
        plan = of_own_tools(read)
        takes = {node.id: chance.choice((0.04, 0.08, 0.16, 0.32)) * chance.uniform(0.8, 1.0) for node in plan.nodes}
        tools = tools_of(plan, takes)
        longest = max(ways(plan, takes).values())
        async with engine(None, tools) as opened:
            ample.append(await seconds_of(opened, RunRequest(plan, "here", max_parallel=64)) / longest)
            bound = max(longest, math.fsum(takes.values()) / 2)
            tight.append(await seconds_of(opened, RunRequest(plan, "here", max_parallel=2)) / bound)
        bare.append(await seconds_bare(plan, takes) / longest)
        allowed += calls_of_an_unknown_tool(plan, tools)
    for what, found in (
        ("ample parallelism over the critical path", ample),
        ("the same waits without an engine", bare),
        ("two at once over the lower bound", tight),
    ):
        print(f"{what:42} median {statistics.median(found):.3f}, at most {max(found):.3f}")
    print(f"{len(ample)} plans; of an unknown tool {allowed} were let through")


def main() -> None:
    """Measure the plans of a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    anyio.run(measured, parser.parse_args().folder)


if __name__ == "__main__":
    main()

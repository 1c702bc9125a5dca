"""Real plans through the engine: references find their values, and a node that goes wrong spoils only what follows.

    python -m benchmarks.failing_nodes FOLDER

FOLDER is that of `benchmarks.makespan`. Each plan runs as it is, and then once each with a node of chance's choice that
fails, that hangs until its timeout, and that answers another type than its tool declares.
"""

import argparse
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

import anyio

from benchmarks.makespan import plans_in
from pegboard.catalog.contract import Context, Ran, Result
from pegboard.catalog.tool import Tool
from pegboard.errors import CallFailed
from pegboard.plan.graph import Plan
from pegboard.plan.references import references_in
from pegboard.run.request import RunRequest
from pegboard.text import Json
from tests.run.running import Arguments, engine, limited

Wrong: TypeAlias = Literal["none", "fails", "hangs", "answers another type"]
WRONGS: tuple[Wrong, ...] = ("none", "fails", "hangs", "answers another type")


def gives(plan: Plan, name: str) -> Json:
    """Return a value in which every path that the plan has into the node `name` leads to something."""
    value: dict[str, Json] = {}
    for node in plan.nodes:
        for reference in references_in(dict(node.arguments)):
            if reference.name == name:
                value = _with(value, reference.path)
    return value


def _with(value: Json, path: tuple[str | int, ...]) -> dict[str, Json]:
    """Return `value` with something at the end of `path`; positions may be keys, which are looked up alike."""
    held: dict[str, Json] = dict(value) if isinstance(value, Mapping) else {}
    if path:
        held[str(path[0])] = _with(held.get(str(path[0]), {}), path[1:])
    return held


def tools_of(plan: Plan, spoiled: str, wrong: Wrong, seen: dict[str, Json]) -> list[Tool]:
    """Return the tools of a plan; the call of the node `spoiled` goes wrong."""

    async def work(context: Context, arguments: Arguments) -> Result:
        name = context.idempotency_key.rpartition(":")[2]
        seen[name] = dict(arguments)
        if name == spoiled and wrong == "fails":
            raise CallFailed("as it is meant to")
        if name == spoiled and wrong == "hangs":
            await anyio.sleep_forever()
        if name == spoiled and wrong == "answers another type":
            return Result("odd", data="no object")
        return Result(name, data=gives(plan, name))

    seconds = 0.02 if wrong == "hangs" else 10.0
    made = {node.tool: limited(node.tool, work, timeout_seconds=seconds) for node in plan.nodes}
    return [replace(tool, output={"type": "object"}, parameters={}) for tool in made.values()]


def descendants(plan: Plan, name: str) -> set[str]:
    """Return all that waits for `name`, over however many."""
    found: set[str] = set()
    while True:
        more = {node.id for node in plan.nodes if {name, *found} & {*plan.needs[node.id]}} - found
        if not more:
            return found
        found |= more


def is_right(plan: Plan, ran: Ran, spoiled: str, wrong: Wrong, seen: Mapping[str, Json]) -> bool:
    """Tell whether the run ended as it must."""
    after = descendants(plan, spoiled) if wrong != "none" else set()
    wanted = {node.id: "skipped" if node.id in after else "succeeded" for node in plan.nodes}
    wanted |= {spoiled: "failed"} if wrong != "none" else {}
    unresolved = [name for name, arguments in seen.items() if next(references_in(arguments), None) is not None]
    return {each.node: each.state for each in ran.nodes} == wanted and not unresolved


async def counted(folder: Path) -> Counter[tuple[Wrong, bool]]:
    """Run all plans with all that may go wrong."""
    chance, found = random.Random(2), Counter[tuple[Wrong, bool]]()
    for name, plan in plans_in(folder):
        for wrong in WRONGS:
            spoiled = chance.choice(plan.nodes).id
            seen: dict[str, Json] = {}
            async with engine(None, tools_of(plan, spoiled, wrong, seen)) as opened:
                ran = await opened.outcome(await opened.start(RunRequest(plan, "here")))
            right = is_right(plan, ran, spoiled, wrong, seen)
            found[wrong, right] += 1
            if not right:
                print(f"{name}: {spoiled} {wrong}: {ran}")
    return found


def main() -> None:
    """Count, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    found = anyio.run(counted, parser.parse_args().folder)
    for wrong in WRONGS:
        right = found[wrong, True]
        print(f"{wrong:20} {right} of {right + found[wrong, False]} plans end as they must")


if __name__ == "__main__":
    main()

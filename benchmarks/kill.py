"""Kill a process that drives a run, at random moments, and look at what the next ones make of it.

    python -m benchmarks.kill [--kills 50] [--seed 1]

The run has races, a nested run with a race of its own, an approval, an agent with a scripted model, of whose calls one
waits for an approval, and further steps that are planned when all has ended. Each process appends to a file what it has
been called for; what the journal had recorded before a process was started, results, turns and plans, must not be among
that. Races keep their
winners, numbers have no gap, and each run ends as it would have without a kill.
"""

import argparse
import contextlib
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.kind import About
from pegboard.catalog.tool import Run, Tool
from pegboard.config.blocks.agent import AgentBlockDeclaration
from pegboard.config.server.settings import Settings
from pegboard.errors import CallFailed
from pegboard.handlers.agent import agent as agent_kind
from pegboard.llm.model import Prompt, Said
from pegboard.llm.scripted import ScriptedModel
from pegboard.plan.graph import Node
from pegboard.plan.written import plan_json
from pegboard.run.context import CallContext
from pegboard.run.held import NotHeld
from pegboard.run.journal.entry import Entry, Written
from pegboard.run.journal.journal import Journal
from pegboard.run.local.engine import LocalEngine
from pegboard.run.request import RunRequest
from tests.run.planning import Planning
from tests.run.running import Arguments, engine, limited, request, tools

INNER = request(
    Node("i1", "quick"),
    Node("i2", "slow", race="ir"),
    Node("i3", "quick", race="ir"),
    Node("i4", "quick", depends_on=("i1", "ir")),
)
TURNS = 4
PLANNED = "further steps"
LONGEST_SECONDS = 0.5
"""The latest moment of a kill, counted from when the run is taken up: whole, it takes about twice as long."""


def outer() -> RunRequest:
    """Return the run."""
    chains = [
        Node(f"c{chain}-{step}", "quick", depends_on=(f"c{chain}-{step - 1}",) if step else ())
        for chain in range(3)
        for step in range(4)
    ]
    return request(
        *chains,
        Node("r1", "failing", race="r"),
        Node("r2", "quick", race="r", depends_on=("c0-0",)),
        Node("r3", "slow", race="r"),
        Node("inner", "nested", type="sub_agent", depends_on=("c1-0",)),
        Node("agent", "agent", type="sub_agent", depends_on=("c2-0",)),
        Node("write", "guarded", depends_on=("c2-1",)),
        Node("join", "quick", depends_on=("r", "inner", "agent", "write", "c0-3", "c1-3", "c2-3")),
        further=True,
    )


MORE = (Node("m1", "quick"), Node("m2", "guarded", depends_on=("m1", "join")))
WANTED = {**{each.id: "succeeded" for each in (*outer().plan.nodes, *MORE)}, "r1": "failed", "r3": "lost"}


def site(calls: Path) -> list[Tool]:
    """Return the tools; each call is a line of the file `calls`."""

    def note(context: Context, turn: str = "") -> None:
        with calls.open("a") as file:
            file.write(f"{context.idempotency_key}{turn and ' '}{turn}\n")

    async def quick(context: Context, arguments: Arguments) -> Result:
        note(context)
        await anyio.sleep(random.uniform(0.01, 0.08))
        return Result("done")

    async def slow(context: Context, arguments: Arguments) -> Result:
        note(context)
        await anyio.sleep(60)
        return Result("too late")

    async def failing(context: Context, arguments: Arguments) -> Result:
        note(context)
        raise CallFailed("as it is meant to")

    async def nested(context: Context, arguments: Arguments) -> Result:
        ran = await context.run(plan_json(INNER.plan))
        if ran.status != "succeeded":
            raise CallFailed(f"the nested run {ran.status}")
        return Result("done")

    return [
        *tools(quick=quick, slow=slow, failing=failing, nested=nested, agent=an_agent(note)),
        limited("guarded", quick, approval="always"),
    ]


def an_agent(note: Callable[[Context, str], None]) -> Run:
    """Return an agent whose model notes its turns: all but the last call tools, of which one waits for an approval."""
    here = Path()
    block = AgentBlockDeclaration(system="You work.", tools=["quick", "guarded"], max_iterations=TURNS)
    made = agent_kind(block, About("agent", "", Settings(here, here, here), here))

    async def agent(context: Context, arguments: Arguments) -> Result:
        async def turn(prompt: Prompt) -> str:
            number = 1 + sum(isinstance(each, Said) for each in prompt.turns)
            note(context, f"turn {number}")
            await anyio.sleep(random.uniform(0.01, 0.05))
            calls = [f'quick {{"n": {2 * number + call}}}' for call in range(2)]
            calls += ["guarded {}"] if number == 2 else []
            return "done" if number == TURNS else "\n".join(calls)

        assert isinstance(context, CallContext)
        result = await made.call(replace(context, model=ScriptedModel(turn)), {"goal": "work"})
        if result.text != "done":
            raise CallFailed(f"the agent said {result.text!r}")
        return result

    return agent


def planning(calls: Path) -> Planning:
    """Return what plans further steps; that it was asked is a line of the file `calls`."""

    async def planned() -> None:
        with calls.open("a") as file:
            file.write(f"{PLANNED}\n")
        await anyio.sleep(random.uniform(0.01, 0.05))

    return Planning(*MORE, meanwhile=planned)


async def child(folder: Path) -> None:
    """Drive the run on, or begin it; whoever waits for an approval gets it."""

    async with engine(folder, site(folder / "calls"), solving=planning(folder / "calls")) as opened:
        runs = await opened.runs()
        run = runs[0].run if runs else await opened.start(outer())
        await opened.resume(run)
        print("driving", flush=True)
        async with anyio.create_task_group() as group:
            group.start_soon(approve_all, opened)
            await opened.outcome(run)
            group.cancel_scope.cancel()


async def approve_all(opened: LocalEngine) -> None:
    """Approve whatever waits for it, in nested runs too."""
    while True:
        for row in await opened.journal.rows(parent=None, unfinished=True, limit=-1):
            for held in [each.id for each in (await opened.show(row.id)).nodes if each.state == "held"]:
                with contextlib.suppress(NotHeld):  # it has been approved since
                    await opened.approve(row.id, held)
        await anyio.sleep(random.uniform(0.0, 0.1))


@dataclass
class Kills:
    """What was seen."""

    kills: int = 0
    runs: int = 0
    repeated: list[str] = field(default_factory=list)
    """Nodes that were called although the journal had their end."""
    faults: list[str] = field(default_factory=list)
    turns: int = 0
    """Turns that were recorded."""
    again: int = 0
    """Calls that had been under way at a kill, and were made once more."""


def journals(folder: Path) -> dict[str, list[Written]]:
    """Return the entries of all runs of a journal, whoever drives them."""

    async def read() -> dict[str, list[Written]]:
        journal = Journal(folder / "runs.db")
        try:
            return {row.id: await journal.entries(row.id) for row in await journal.rows(parent=None, limit=-1)}
        finally:
            journal.close()

    return anyio.run(read)


def ended(entries: dict[str, list[Written]]) -> set[str]:
    """Return the keys of the nodes whose end is recorded, and of the turns and plans that are."""
    return {key for run, all_ in entries.items() for each in all_ if (key := _ended(run, each.entry))}


def _ended(run: str, entry: Entry) -> str:
    match entry.kind:
        case "node_noted":
            return f"{run}:{entry.node} {entry.body['name']}"
        case "plan_extended":
            return PLANNED
        case "node_ended":
            return f"{run}:{entry.node}"
        case _:
            return ""


def winners(entries: dict[str, list[Written]]) -> set[tuple[str, str, str]]:
    """Return run, race and winner of each race that is won."""
    won = [each for all_ in entries.values() for each in all_ if each.entry.kind == "race_won"]
    return {(each.run, str(each.entry.body["race"]), each.entry.node) for each in won}


@contextlib.contextmanager
def driving(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process that drives the run of `folder`, and wait until it does."""
    command = [sys.executable, "-m", "benchmarks.kill", "--child", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


def one_run(folder: Path, seen: Kills, most: int, chance: random.Random) -> None:
    """Kill whoever drives one run until it ends, or `most` were killed; then let it end."""
    folder.mkdir()
    (folder / "calls").touch()
    recorded: set[str] = set()
    won: set[tuple[str, str, str]] = set()
    is_killing = True
    while True:
        called = len((folder / "calls").read_text().splitlines())
        with driving(folder) as process:
            if is_killing:
                time.sleep(chance.uniform(0, LONGEST_SECONDS))
                seen.kills += process.poll() is None
                process.kill()
            process.wait(timeout=60)
        calls = (folder / "calls").read_text().splitlines()
        seen.repeated += [key for key in calls[called:] if key in recorded]
        entries = journals(folder)
        recorded |= ended(entries)
        if not won <= winners(entries):
            seen.faults.append(f"a winner is gone: {won - winners(entries)}")
        won = winners(entries)
        if any(each.entry.kind == "run_ended" for run, all_ in entries.items() if "." not in run for each in all_):
            break
        is_killing = seen.kills < most
    seen.runs += 1
    seen.again += sum(count - 1 for count in Counter(calls).values())
    _judge(folder, entries, seen)


def _judge(folder: Path, entries: dict[str, list[Written]], seen: Kills) -> None:
    """Note what is not as it would have been without a kill."""
    for run, all_ in entries.items():
        if [each.seq for each in all_] != list(range(1, len(all_) + 1)):
            seen.faults.append(f"{run}: its numbers have gaps")
        ends = Counter(each.entry.node for each in all_ if each.entry.kind == "node_ended")
        seen.faults += [f"{run}: {node} ended {count} times" for node, count in ends.items() if count > 1]
        notes = Counter((each.entry.node, each.entry.body["name"]) for each in all_ if each.entry.kind == "node_noted")
        seen.faults += [f"{run}: {note} was recorded {count} times" for note, count in notes.items() if count > 1]
        seen.turns += len(notes)
        if "." in run:
            continue
        states = {each.entry.node: each.entry.body["state"] for each in all_ if each.entry.kind == "node_ended"}
        if states != WANTED:
            seen.faults.append(f"{run}: {[(k, v) for k, v in states.items() if WANTED.get(k) != v]}")


def killed(kills: int, seed: int) -> Kills:
    """Kill so many times, over as many runs as that takes."""
    chance, seen = random.Random(seed), Kills()
    with tempfile.TemporaryDirectory() as folder:
        while seen.kills < kills:
            one_run(Path(folder) / str(seen.runs), seen, kills, chance)
    return seen


def main() -> None:
    """Kill, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child is not None:
        anyio.run(child, given.child)
        return
    seen = killed(given.kills, given.seed)
    print(f"{seen.kills} kills of {seen.runs} runs; recorded turns of agents: {seen.turns}")
    print(f"recorded nodes, turns and plans that were done again: {len(seen.repeated)}")
    print(f"calls under way at a kill that were made again: {seen.again}; other faults: {seen.faults or 'none'}")
    sys.exit(bool(seen.repeated or seen.faults))


if __name__ == "__main__":
    main()

"""What a run costs beside its nodes' own work: milliseconds a node, in one run with others.

    python3 -m venv /tmp/others && /tmp/others/bin/pip install -r benchmarks/runs_of_others.requirements.txt
    python -m benchmarks.runs --python /tmp/others/bin/python

Shapes: ten layers of ten nodes, each waiting for the ten before; a thousand nodes side by side; thirty nodes of uneven
delays, over their critical path. Each node gives its arguments back. The others, pydantic-graph and LangGraph with its
SQLite checkpointer, have an environment of their own: their dependencies are not ours. Without it they are left out.
"""

import argparse
import os
import random
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.plan.graph import Node
from pegboard.plan.order import ways
from pegboard.run.request import RunRequest
from tests.run.running import Arguments, engine, request, tools

REPEATS = 5


def layers() -> RunRequest:
    """Return ten layers of ten."""
    return request(
        *(
            Node(f"n{layer}-{i}", "echo", depends_on=tuple(f"n{layer - 1}-{j}" for j in range(10)) if layer else ())
            for layer in range(10)
            for i in range(10)
        ),
        max_parallel=64,
    )


def wide() -> RunRequest:
    """Return a thousand side by side."""
    return request(*(Node(f"n{i}", "echo") for i in range(1000)), max_parallel=64)


def uneven() -> tuple[RunRequest, dict[str, float]]:
    """Return four branches of twelve, eight, five and three nodes with a join, and the seconds that each node takes."""
    chance = random.Random(5)
    nodes = [
        Node(f"b{branch}-{i}", "sleep", depends_on=(f"b{branch}-{i - 1}",) if i else ())
        for branch, length in enumerate((12, 8, 5, 3))
        for i in range(length)
    ]
    nodes.append(Node("join", "sleep", depends_on=("b0-11", "b1-7", "b2-4", "b3-2")))
    takes = {node.id: chance.uniform(0.01, 0.08) for node in nodes}
    return request(*nodes, max_parallel=64), takes


def fsync_milliseconds(folder: Path) -> float:
    """Return what one fsync of a small file takes."""
    handle = os.open(folder / "probe", os.O_CREAT | os.O_WRONLY)
    taken: list[float] = []
    for _ in range(30):
        os.write(handle, b"x" * 4096)
        began = time.perf_counter()
        os.fsync(handle)
        taken.append(time.perf_counter() - began)
    os.close(handle)
    return 1000 * statistics.median(taken)


async def plain(asked: RunRequest) -> None:
    """Run the same with tasks and events alone: no journal, no schema, no limit but the tasks' own."""
    done = {node.id: anyio.Event() for node in asked.plan.nodes}
    gave: dict[str, object] = {}

    async def one(node: Node) -> None:
        for need in asked.plan.needs[node.id]:
            await done[need].wait()
        gave[node.id] = dict(node.arguments)
        done[node.id].set()

    async with anyio.create_task_group() as group:
        for node in asked.plan.nodes:
            group.start_soon(one, node)


async def measured(folder: Path) -> None:
    """Measure ours, and print a line for each."""
    print(f"one fsync here: {fsync_milliseconds(folder):.2f} ms")
    shapes = {"10x10 layers": layers(), "1,000 wide": wide()}
    for name, asked in shapes.items():
        taken = []
        for _ in range(REPEATS):
            began = time.perf_counter()
            await plain(asked)
            taken.append(time.perf_counter() - began)
        _line(name, "plain tasks and events", taken, len(asked.plan.nodes))
    for durability in ("none", "process", "power"):
        async with engine(folder / durability, tools(), durability=durability) as opened:
            for name, asked in shapes.items():
                taken = []
                for _ in range(REPEATS + 1):
                    began = time.perf_counter()
                    ran = await opened.outcome(await opened.start(asked))
                    taken.append(time.perf_counter() - began)
                    assert ran.status == "succeeded"
                _line(name, f"pegboard, durability {durability}", taken[1:], len(asked.plan.nodes))
    asked, takes = uneven()

    async def sleep(context: Context, arguments: Arguments) -> Result:
        await anyio.sleep(takes[context.idempotency_key.rpartition(":")[2]])
        return Result("done")

    async with engine(folder / "uneven", tools(sleep=sleep)) as opened:
        began = time.perf_counter()
        await opened.outcome(await opened.start(asked))
        ratio = (time.perf_counter() - began) / max(ways(asked.plan, takes).values())
    print(f"{'30 uneven':14} {'pegboard, durability process':38} {ratio:8.2f} of the critical path")


def _line(shape: str, who: str, taken: list[float], nodes: int) -> None:
    print(f"{shape:14} {who:38} {1000 * statistics.median(taken) / nodes:8.3f} ms a node", flush=True)


def main() -> None:
    """Measure ours and the others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        anyio.run(measured, Path(folder))
    if given.python is not None:
        others = Path(__file__).with_name("runs_of_others.txt")
        subprocess.run([str(given.python), str(others)], check=True, env={"PATH": os.environ["PATH"]})


if __name__ == "__main__":
    main()

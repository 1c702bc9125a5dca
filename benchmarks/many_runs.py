"""How fair many runs at once are: 200 runs of ten nodes, alone, and beside one run of a thousand nodes.

    python -m benchmarks.many_runs [--runs 200] [--nodes 10] [--parallel 64] [--milliseconds 5]

Each run is a chain, so it waits for a place ten times; each node sleeps so long. Printed are the time of all, that of
the median run and of the slowest, and what the slowest took of the median. The bound is what the places need at least.
"""

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.plan.graph import Node
from pegboard.run.local.engine import LocalEngine
from pegboard.run.request import RunRequest
from tests.run.running import Arguments, engine, request, tools


@dataclass
class Taken:
    """Seconds from the start of each run to its end."""

    runs: list[float] = field(default_factory=list)
    large: float = 0.0
    whole: float = 0.0


def chain(nodes: int) -> RunRequest:
    """Return a run of nodes one after the other."""
    return request(*(Node(f"n{i}", "work", depends_on=(f"n{i - 1}",) if i else ()) for i in range(nodes)))


def large() -> RunRequest:
    """Return a run that would take every place there is."""
    return request(*(Node(f"n{i}", "work") for i in range(1000)), max_parallel=64)


async def timed(opened: LocalEngine, asked: RunRequest) -> float:
    """Return how long a run takes.

    Raises:
        AssertionError: it has not succeeded.
    """
    began = time.perf_counter()
    ran = await opened.outcome(await opened.start(asked))
    assert ran.status == "succeeded", ran.status
    return time.perf_counter() - began


async def measured(folder: Path, given: argparse.Namespace, *, beside_large: bool) -> Taken:
    """Let all runs begin at once, and return what they took."""
    seconds = given.milliseconds / 1000

    async def work(context: Context, arguments: Arguments) -> Result:
        await anyio.sleep(seconds)
        return Result("done")

    taken = Taken()
    async with engine(folder, tools(work=work), max_parallel=given.parallel) as opened:
        began = time.perf_counter()

        async def one() -> None:
            taken.runs.append(await timed(opened, chain(given.nodes)))

        async def beside() -> None:
            taken.large = await timed(opened, large())

        async with anyio.create_task_group() as group:
            if beside_large:
                group.start_soon(beside)
            for _ in range(given.runs):
                group.start_soon(one)
        taken.whole = time.perf_counter() - began
    return taken


def told(name: str, taken: Taken, given: argparse.Namespace, nodes: int) -> str:
    """Return a line about one measurement."""
    median, slowest = statistics.median(taken.runs), max(taken.runs)
    bound = max(given.nodes, nodes / given.parallel) * given.milliseconds / 1000
    line = f"{name:28} all {taken.whole:6.2f} s (bound {bound:.2f}), median {median:6.2f} s, slowest {slowest:6.2f} s"
    line += f" = {slowest / median:.2f} of the median, {1000 * taken.whole / nodes:.3f} ms a node"
    return line + (f"; the large run {taken.large:.2f} s" if taken.large else "")


def main() -> None:
    """Measure, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=10)
    parser.add_argument("--parallel", type=int, default=64)
    parser.add_argument("--milliseconds", type=float, default=5.0)
    given = parser.parse_args()
    small = given.runs * given.nodes
    for name, beside_large, nodes in (("alone", False, small), ("beside a run of 1,000", True, small + 1000)):
        with tempfile.TemporaryDirectory() as folder:
            taken = anyio.run(partial(measured, Path(folder), given, beside_large=beside_large))
        print(told(name, taken, given, nodes), flush=True)


if __name__ == "__main__":
    main()

"""What a reload costs those who ask meanwhile: the swap itself, the time to build, and the longest stall of the loop.

Beside it stands the stall of a loop in whose process nothing else runs.

    python benchmarks/reload.py [TOOLS] [SITES]
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import anyio
import anyio.lowlevel

from pegboard.app import open_serving, settings_from
from pegboard.app.serving import Serving
from pegboard.llm.hashed import HashedEmbedder

ROUNDS = 9
TICK_SECONDS = 0.001


def document(tools: int, sites: int, version: int) -> str:
    """Return a configuration whose tools are spread over the sites; every description tells the version."""
    lines = ["sites:"]
    for site in range(sites):
        lines += [f"  - name: site{site}", f"    description: v{version}", "    inherit: false", "    tools:"]
        for number in range(site, tools, sites):
            lines += [
                f"      - name: tool{number}",
                f"        description: v{version}, thing {number}",
                f"        examples: [do thing {number} now, please thing {number}, 做事 {number}]",
                "        handler: pegboard.handlers.clock:clock",
            ]
    return "\n".join(lines) + "\n"


async def longest_stall(work: Callable[[], Awaitable[None]]) -> float:
    """Run `work`; return the longest time, in seconds, that the loop kept a tick waiting beyond its due."""
    worst = 0.0

    async def ticking() -> None:
        nonlocal worst
        while True:
            before = time.perf_counter()
            await anyio.sleep(TICK_SECONDS)
            worst = max(worst, time.perf_counter() - before - TICK_SECONDS)

    async with anyio.create_task_group() as group:
        group.start_soon(ticking)
        await anyio.lowlevel.checkpoint()
        await work()
        group.cancel_scope.cancel()
    return worst


@dataclass
class Measured:
    """Seconds, one of each a reload."""

    swaps: list[float] = field(default_factory=list)
    built: list[float] = field(default_factory=list)
    stalls: list[float] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)

    async def one_more(self, serving: Serving) -> None:
        """Reload once, then wait as long with nothing to do."""

        async def reload() -> None:
            result = await serving.reload(is_content_read=False)
            assert result.is_new
            self.built.append(result.milliseconds / 1000)

        self.stalls.append(await longest_stall(reload))
        self.idle.append(await longest_stall(partial(anyio.sleep, self.built[-1])))
        self.swaps.append(swap_seconds(serving))


def write(folder: Path, text: str) -> None:
    """Put `text` in the place of the document."""
    (folder / "tools.yaml").write_text(text)


def swap_seconds(serving: Serving) -> float:
    """Return how long putting an app in the place of another takes."""
    started = time.perf_counter()
    serving._swap(serving.current)
    return time.perf_counter() - started


async def seconds_until_served(serving: Serving, change: Callable[[], object]) -> float:
    """Return how long after `change` another snapshot serves."""
    async with anyio.create_task_group() as group:
        group.start_soon(serving.watch)
        await anyio.sleep(0.5)  # let it have looked once
        before, started = serving.state.snapshot, time.perf_counter()
        change()
        while serving.state.snapshot == before:
            await serving.changed()
        taken = time.perf_counter() - started
        group.cancel_scope.cancel()
    return taken


def edits(folder: Path) -> dict[str, Callable[[int], object]]:
    """Return the kinds of edit that must be seen; each is called with a number that is new."""
    target = folder / "tools.d" / "50.yaml"

    def renamed_over(number: int) -> None:
        draft = folder / "draft"
        draft.write_text(site(f"renamed{number}"))
        draft.rename(target)

    def swapped(number: int) -> None:
        new = folder / "tools.d" / f"..{number}"
        new.mkdir()
        (new / "60.yaml").write_text(site(f"swapped{number}"))
        (folder / "tools.d" / "..new").symlink_to(new.name)
        (folder / "tools.d" / "..new").rename(folder / "tools.d" / "..data")
        link = folder / "tools.d" / "60.yaml"
        if not link.is_symlink():
            link.symlink_to("..data/60.yaml")

    return {
        "written": lambda number: target.write_text(site(f"written{number}")),
        "renamed over": renamed_over,
        "a link that is swapped": swapped,
        "added": lambda number: (folder / "tools.d" / f"a{number}.yaml").write_text(site(f"added{number}")),
        "deleted": lambda number: (folder / "tools.d" / f"a{number}.yaml").unlink(),
    }


def site(name: str) -> str:
    """Return a document that declares one site."""
    return f"sites: [{{name: {name}}}]\n"


async def report_seen() -> None:
    """Measure how soon each kind of edit serves."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tools.d").mkdir()
        write(folder, document(10, 2, 0))
        async with open_serving(settings_from(config=folder, environ={}), embedder=HashedEmbedder()) as serving:
            for kind, edit in edits(folder).items():
                taken = [await seconds_until_served(serving, partial(edit, number)) for number in range(ROUNDS)]
                shown(f"{kind} until served", taken)


def shown(name: str, seconds: list[float]) -> None:
    """Print the median and the spread, in milliseconds."""
    low, middle, high = min(seconds), statistics.median(seconds), max(seconds)
    print(f"{name:34} median {1000 * middle:9.3f} ms   ({1000 * low:.3f} to {1000 * high:.3f})")


async def main(tools: int, sites: int) -> None:
    """Measure, each in turn, and print."""
    with tempfile.TemporaryDirectory() as name:
        folder, measured = Path(name), Measured()
        write(folder, document(tools, sites, 0))
        settings = settings_from(config=folder, environ={})
        async with open_serving(settings, embedder=HashedEmbedder()) as serving:
            for version in range(1, ROUNDS + 1):
                write(folder, document(tools, sites, version))
                await measured.one_more(serving)
    print(f"{tools} tools over {sites} sites, {ROUNDS} reloads")
    shown("the swap", measured.swaps)
    shown("reading and building", measured.built)
    shown("longest stall of the loop", measured.stalls)
    shown("the same with nothing to do", measured.idle)
    await report_seen()


if __name__ == "__main__":
    counts = [int(argument) for argument in sys.argv[1:]] or [1000, 50]
    anyio.run(main, counts[0], counts[1])

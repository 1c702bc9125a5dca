"""Contenders measured in one run: in turn, in changing order, nine times; medians with their spread, and ratios."""

import gc
import statistics
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

ROUNDS = 9

Contender = Callable[[], Coroutine[Any, Any, object]]
Clock = Callable[[], float]


async def paired(
    contenders: Mapping[str, Contender], *, times: int = 1, clock: Clock = time.perf_counter
) -> dict[str, list[float]]:
    """Return the milliseconds of each contender in each of nine rounds, each the median of `times` runs.

    The runs of a round are interleaved one by one, so that what else the machine does meets all alike. On the clock
    `time.process_time` only our own work counts, that of other threads too, and not what others do on the machine.
    """
    for contender in contenders.values():
        await contender()
    rounds: dict[str, list[float]] = {name: [] for name in contenders}
    order = list(contenders)
    for number in range(ROUNDS):
        gc.collect()
        runs: dict[str, list[float]] = {name: [] for name in contenders}
        for turn in range(times):
            shift = (number + turn) % len(order)
            for name in (*order[shift:], *order[:shift]):
                runs[name].append(await _milliseconds(contenders[name], clock))
        for name, durations in runs.items():
            rounds[name].append(statistics.median(durations))
    return rounds


async def _milliseconds(contender: Contender, clock: Clock) -> float:
    started = clock()
    await contender()
    return 1000 * (clock() - started)


def spread(values: Sequence[float]) -> str:
    """Return the median, the least and the most."""
    return f"{statistics.median(values):8.3f} ms ({min(values):.3f} to {max(values):.3f})"


def ratio(ours: Sequence[float], other: Sequence[float]) -> str:
    """Return the median of the ratios of each round, with the least and the most."""
    ratios = [one / another for one, another in zip(ours, other, strict=True)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def report(title: str, rounds: Mapping[str, Sequence[float]], ours: str) -> None:
    """Print each contender's line, with `ours` as a multiple of it."""
    print(title)
    for name, values in rounds.items():
        beside = "" if name == ours else f"   {ours} is {ratio(rounds[ours], values)} of it"
        print(f"  {name:24}{spread(values)}{beside}")

"""How runs are read, by whoever asks for them: their entries, as they come and after the end, and what they came to."""

import json
from collections.abc import AsyncIterator

from pegboard.catalog.contract import Ran
from pegboard.run.engine import RunBroken
from pegboard.run.journal.entry import Written
from pegboard.run.past.fold import Past, folded
from pegboard.run.past.ran import ran_of
from pegboard.run.request import read_request
from pegboard.run.temporal.client import Service
from pegboard.run.temporal.keep import Keep
from pegboard.run.temporal.log import read_entry
from pegboard.run.temporal.wire import Standing

_SHORTEST_SECONDS, _LONGEST_SECONDS = 0.05, 1.0
"""How often a run is looked at that goes on: the longer nothing has come of it, the more seldom."""


async def followed(service: Service, run: str, *, after: int = 0) -> AsyncIterator[Written]:
    """Yield the entries of a run from the one after number `after` on, until it has ended.

    Raises:
        UnknownRun, Unreachable
        RunBroken: it waits to be resumed.
    """
    pause, has_ended = _SHORTEST_SECONDS, False
    while True:
        page = await service.page(run, after)
        for text in page.entries:
            written = read_entry(run, text)
            after = written.seq
            yield written
        if page.entries:
            pause = _SHORTEST_SECONDS
            continue
        if has_ended or (page.is_over and after >= page.seq):
            return
        refuse_broken(run, page.broken)
        has_ended = await service.ended(run, pause)
        pause = min(2 * pause, _LONGEST_SECONDS)


def refuse_broken(run: str, why: str) -> None:
    """Raise `RunBroken` for a run that waits to be resumed, for the reason `why`; empty: it does not."""
    if why:
        raise RunBroken(f"Run {run} waits: {why}.", hint=f"platform runs resume {run} --changed reuse")


async def entries_of(service: Service, run: str) -> list[Written]:
    """Return the entries of a run so far."""
    found: list[Written] = []
    while page := (await service.page(run, found[-1].seq if found else 0)).entries:
        found += [read_entry(run, text) for text in page]
    return found


async def past_of(service: Service, run: str) -> tuple[Standing, Past]:
    """Return how a run stands."""
    standing = await service.standing(run)
    return standing, folded(read_request(json.loads(standing.request)), await entries_of(service, run))


async def ran_of_run(service: Service, run: str, keep: Keep) -> Ran:
    """Return what a run came to that has ended.

    Raises:
        RunBroken: Temporal has ended it.
        JournalBroken: what it gave cannot be read.
    """
    _, past = await past_of(service, run)
    if not past.schedule.is_over:
        raise RunBroken(f"Run {run} was ended in Temporal itself.", hint="Start it again.")
    results = {name: (await keep.read(written)).result for name, written in past.outputs.items()}
    return ran_of(run, past, results)

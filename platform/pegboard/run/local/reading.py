"""How runs are read from the journal, by whoever asks for them: how they stand, and what they came to."""

from collections.abc import Mapping
from typing import Any

from pegboard.catalog.contract import Ran
from pegboard.run.engine import RunView
from pegboard.run.journal.blobs import Blobs
from pegboard.run.journal.entry import Entry
from pegboard.run.journal.journal import Journal
from pegboard.run.journal.log import output_of
from pegboard.run.journal.row import Row
from pegboard.run.past.fold import folded
from pegboard.run.past.ran import ran_of
from pegboard.run.past.views import listed, view_of
from pegboard.run.request import RunRequest, read_request


async def listed_runs(journal: Journal, limit: int) -> list[RunView]:
    """Return the runs that are no part of another, the latest first, each as a list shows it."""
    rows = await journal.rows(limit=limit)
    ends = await journal.ends([row.id for row in rows if row.status != "running"])
    return [
        listed(await view_of_row(journal, row)) if row.status == "running" else view_of(row, steps=_steps(ends, row))
        for row in rows
    ]


def _steps(ends: Mapping[str, Entry], row: Row) -> dict[str, int] | None:
    """Return how many steps of a run ended in each state; None: it ended before that was written down."""
    steps: Any = ends[row.id].body.get("steps") if row.id in ends else None
    return dict(steps) if isinstance(steps, dict) else None


async def view_of_row(journal: Journal, row: Row) -> RunView:
    """Return how a run, its nodes and the runs inside of them stand."""
    past = folded(read_request(row.request), await journal.entries(row.id))
    inside = await journal.rows(parent=row.id, limit=-1)
    unfinished = [await view_of_row(journal, inner) for inner in inside if inner.status == "running"]
    return view_of(row, past, [inner.id for inner in inside], unfinished)


async def request_of_row(journal: Journal, row: Row) -> RunRequest:
    """Return what a run is asked for, with the further steps of its plan."""
    request = read_request(row.request)
    return folded(request, await journal.entries(row.id)).request if request.further else request


async def ran_of_row(journal: Journal, blobs: Blobs | None, row: Row) -> Ran:
    """Return what a run that has ended came to."""
    past = folded(read_request(row.request), await journal.entries(row.id))
    outputs = {name: await output_of(written, blobs) for name, written in past.outputs.items()}
    return ran_of(row.id, past, {name: output.result for name, output in outputs.items()})

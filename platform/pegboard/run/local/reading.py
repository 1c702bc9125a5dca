"""How runs are read from the journal, by whoever asks for them: how they stand, and what they came to."""

from pegboard.catalog.contract import Ran
from pegboard.run.engine import RunView
from pegboard.run.journal.blobs import Blobs
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
    return [view_of(row) if row.status != "running" else listed(await view_of_row(journal, row)) for row in rows]


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

"""How a run stands, for whoever asks. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pegboard.llm.usage import Used
from pegboard.run.engine import NodeView, RunView
from pegboard.run.held import PendingApproval
from pegboard.run.journal.entry import Written
from pegboard.run.journal.row import Row
from pegboard.run.past.ending import steps_in
from pegboard.run.past.fold import Past


def view_of(
    row: Row,
    past: Past | None = None,
    inside: Sequence[str] = (),
    unfinished: Sequence[RunView] = (),
    *,
    steps: Mapping[str, int] | None = None,
) -> RunView:
    """Return how the run of `row` stands; without `past`, not how its nodes do, but for the counts in `steps`.

    `inside` are the runs inside of its nodes, `unfinished` how those of them stand that have not ended.
    """
    request = row.request
    approvals = _approvals(row, past, unfinished)
    nodes = (
        ()
        if past is None
        else tuple(
            NodeView(
                id=node.id,
                tool=node.tool,
                state="running" if node.id in past.under_way else past.schedule.states[node.id],
                reason=_reason(past, node.id),
                attempt=past.attempts.get(node.id, 0),
                needs=past.plan.needs[node.id],
                race=node.race,
                fallback=node.fallback,
            )
            for node in past.plan.nodes
        )
    )
    return RunView(
        run=row.id,
        parent=row.parent,
        site=str(request["site"]),
        question=str(request["question"]),
        status=row.status,
        created=row.created,
        ended=row.ended,
        seq=row.seq,
        nodes=nodes,
        steps=(steps or {}) if past is None else steps_in(node.state for node in nodes),
        inside=tuple(inside),
        tainted=str(past.tainted) if past and past.tainted else "",
        approvals=approvals,
        used=Used() if past is None else past.used,
        is_held=past is not None and bool(approvals) and not _is_working(row.id, past, unfinished),
    )


def listed(view: RunView) -> RunView:
    """Return a run as a list shows it: without its nodes and what is inside of them."""
    return replace(view, nodes=(), inside=())


def _approvals(row: Row, past: Past | None, unfinished: Sequence[RunView]) -> tuple[PendingApproval, ...]:
    """Return what a run waits for: in the order of its nodes, then what those inside do."""
    if past is None or row.status != "running":
        return ()
    own = [_pending(past.held[node.id]) for node in past.plan.nodes if past.schedule.states[node.id] == "held"]
    return (*own, *(each for view in unfinished for each in view.approvals))


def _pending(written: Written) -> PendingApproval:
    body: Any = written.entry.body
    return PendingApproval(
        written.run, written.entry.node, body["tool"], body["arguments"], body["reason"], body["until"]
    )


def _is_working(run: str, past: Past, unfinished: Sequence[RunView]) -> bool:
    """Tell whether a node does more than to wait for runs within it that only wait for approvals."""
    within = {name: [each for each in unfinished if each.run.startswith(f"{run}.{name}.")] for name in past.under_way}
    return not all(views and all(each.is_held for each in views) for views in within.values())


def _reason(past: Past, node: str) -> str:
    """Return why a node ended as it did, or why it is held."""
    if past.schedule.states[node] == "held":
        return str(past.held[node].entry.body.get("reason", ""))
    return past.schedule.reasons.get(node, "")

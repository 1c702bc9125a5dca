"""How a run stands, for whoever asks. Pure."""

from collections.abc import Sequence

from pegboard.run.engine import NodeView, RunView
from pegboard.run.journal.row import Row
from pegboard.run.past.fold import Past


def view_of(row: Row, past: Past | None = None, inside: Sequence[str] = ()) -> RunView:
    """Return how the run of `row` stands; without `past`, not how its nodes do."""
    request = row.request
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
        inside=tuple(inside),
        tainted=str(past.tainted) if past and past.tainted else "",
    )


def _reason(past: Past, node: str) -> str:
    """Return why a node ended as it did, or why it is held."""
    is_held = past.schedule.states[node] == "held"
    return past.held_for.get(node, "") if is_held else past.schedule.reasons.get(node, "")

"""What a run came to, for whoever waits for it. Pure."""

from collections.abc import Mapping
from typing import Literal

from pegboard.catalog.contract import NodeEnd, Ran, Result
from pegboard.run.past.fold import Past
from pegboard.run.schedule import State


def ran_of(run: str, past: Past, results: Mapping[str, Result]) -> Ran:
    """Return what a run whose nodes have ended came to; `results` are those of its nodes."""
    schedule = past.schedule
    nodes = tuple(
        NodeEnd(
            node.id,
            node.tool,
            _ended(schedule.states[node.id]),
            results.get(node.id),
            schedule.reasons.get(node.id, ""),
        )
        for node in past.plan.nodes
    )
    return Ran(run, schedule.came_to, nodes)


def _ended(state: State) -> Literal["succeeded", "failed", "skipped", "lost", "cancelled"]:
    assert state not in {"waiting", "judging", "held", "running"}
    return state  # type: ignore[return-value]  # what is left has ended

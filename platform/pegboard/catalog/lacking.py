"""What a run lacks: the nodes that came to nothing and why, in words. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from pegboard.catalog.contract import NodeEnd, Ran
from pegboard.plan.graph import Plan
from pegboard.text import named


@dataclass(frozen=True, slots=True)
class Lack:
    """A node that came to nothing, and that nothing stands in for."""

    node: str
    tool: str
    reason: str
    """Of a failure; safe to show. Empty: the node was left out."""
    rests_on: tuple[str, ...] = ()
    """The tools that it was left out for, because they came to nothing; none: its condition does not hold."""

    @property
    def is_failure(self) -> bool:
        """It failed, or rests on what did."""
        return bool(self.reason or self.rests_on)

    def __str__(self) -> str:
        """Return it in English."""
        return f"{self.tool}: {self.why('en')}"

    def why(self, language: str) -> str:
        """Say why it came to nothing."""
        if self.reason:
            return self.reason
        words = _WORDS["zh" if language == "zh" else "en"]
        return words["rests_on"].format(named(self.rests_on)) if self.rests_on else words["condition"]


_WORDS = {
    "en": {
        "heading": "Not everything could be done:",
        "line": "- {}: {}",
        "rests_on": "it was left out, for it rests on {}",
        "condition": "it was left out, for its condition does not hold",
    },
    "zh": {
        "heading": "以下部分未能完成：",
        "line": "- {}：{}",
        "rests_on": "已略过，因为它依赖 {} 的结果",
        "condition": "已略过，因为条件不成立",
    },
}


def lacking(ran: Ran, plan: Plan) -> list[Lack]:
    """Return the nodes of `ran`, a run of `plan`, that came to nothing; not those that another stands in for."""
    came = {plan.unit(end.node) for end in ran.nodes if end.state == "succeeded"}
    lost = [end for end in ran.nodes if plan.unit(end.node) not in came and not _is_idle(end, plan)]
    empty = {plan.unit(end.node): end.tool for end in lost if end.state != "succeeded"}
    found: dict[str, Lack] = {}
    for end in lost:
        needed = [empty[unit] for unit in plan.needs[end.node] if unit in empty]
        if end.state == "skipped":
            found[end.node] = Lack(end.node, end.tool, "", tuple(dict.fromkeys(needed)))
        else:
            found[end.node] = Lack(end.node, end.tool, end.reason or end.state)
    return list(found.values())


def _is_idle(end: NodeEnd, plan: Plan) -> bool:
    """Tell whether a node is a fallback of one that was never tried."""
    return end.state == "skipped" and plan.unit(end.node) != end.node and not plan.by_id[end.node].race


def said(lacks: Sequence[Lack], language: str) -> str:
    """Say what could not be done; empty where all was."""
    words = _WORDS["zh" if language == "zh" else "en"]
    lines = [words["line"].format(lack.tool, lack.why(language)) for lack in lacks]
    return "\n".join([words["heading"], *lines]) if lines else ""

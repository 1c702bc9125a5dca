"""How long the tools of each site took lately, so that a schedule knows what to start first."""

from collections.abc import Mapping

from pegboard.plan.graph import Plan

_WEIGHT = 0.3
"""Of the latest call."""
_MOST = 10_000
"""Tools that are remembered."""


class Durations:
    """Means of the seconds of calls, the latest counting most."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, str], float] = {}

    def note(self, site: str, tool: str, seconds: float) -> None:
        """Take a call into account."""
        before = self._seconds.get((site, tool))
        if before is not None or len(self._seconds) < _MOST:
            self._seconds[site, tool] = seconds if before is None else before + _WEIGHT * (seconds - before)

    def of(self, site: str, plan: Plan) -> Mapping[str, float]:
        """Return how long the nodes of `plan` will probably take; those of tools never called are left out."""
        known = ((node.id, self._seconds.get((site, node.tool))) for node in plan.nodes)
        return {name: seconds for name, seconds in known if seconds is not None}

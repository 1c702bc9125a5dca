"""The choice itself, pure: scores and a site's settings in, a tool out.

The order in which scores arrived is not known here, so it cannot matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pegboard.catalog.tool import Routing
from pegboard.route.decision import Candidate


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen."""

    candidate: Candidate | None
    decided_by: Literal["early_stop", "best", "fallback", "none"]


def choose(candidates: Sequence[Candidate], routing: Routing) -> Choice:
    """Choose the best of `candidates`, which stand in declared order: of equal scores the first wins.

    A score passes from `cutoff` on, 70 by default and 70.0 exactly. When none passes, the fallback is taken
    if it is a candidate, with its own score or None; an unscored candidate never counts as zero, and never
    wins otherwise.
    """
    best = max((one for one in candidates if one.score is not None), key=_score, default=None)
    if best is not None and _score(best) >= routing.cutoff:
        return Choice(best, "early_stop" if _score(best) >= routing.early_stop else "best")
    fallback = next((one for one in candidates if routing.fallback and one.tool == routing.fallback), None)
    return Choice(fallback, "fallback" if fallback else "none")


def _score(candidate: Candidate) -> float:
    return -1.0 if candidate.score is None else candidate.score

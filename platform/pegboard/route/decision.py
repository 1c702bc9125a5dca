"""`Decision`: which tool a question goes to, and everything that led to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.catalog.tool import Tool
from pegboard.text import Json

DecidedBy: TypeAlias = Literal["early_stop", "best", "single", "fallback", "explicit", "none"]
"""`early_stop`: the best score is one that ends the scoring; `best`: the best score, high enough; `single`:
there is one candidate; `fallback`: no score is high enough; `explicit`: the client named it; `none`: and
there is no fallback.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that could have been chosen."""

    tool: str
    score: float | None
    """0 to 100; None: unscored."""
    reason: str
    """Why this score, or why there is none."""

    @property
    def scored(self) -> bool:
        """A scorer gave it a score."""
        return self.score is not None

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform route --json` prints it."""
        return {
            "tool": self.tool,
            "score": _rounded(self.score),
            "scored": self.scored,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Decision:
    """What routing decides."""

    question: str
    site: str
    tool: Tool | None
    """None: an answer without a tool."""
    score: float | None
    """The tool's, 0 to 100; None where no scorer gave it one."""
    decided_by: DecidedBy
    candidates: tuple[Candidate, ...]
    """In declared order."""
    model: str
    """Who scored: the model's name, or `embedded (…)`."""
    model_calls: int
    milliseconds: float
    degraded: str = ""
    """Why something stood in for what was configured, one sentence; empty: nothing did."""
    arguments: Mapping[str, Json] | None = field(default=None, repr=False)
    """Of the winning scoring reply, unchecked; None: binding has to find them."""

    @property
    def type(self) -> str | None:
        """The type that owns the tool."""
        return self.tool.type if self.tool else None

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform route --json` prints it; scores have one decimal."""
        told: dict[str, Json] = {
            "query": self.question,
            "site": self.site,
            "type": self.type,
            "tool": self.tool.name if self.tool else None,
            "score": _rounded(self.score),
            "decided_by": self.decided_by,
            "candidates": [candidate.to_json() for candidate in self.candidates],
            "model": self.model,
            "model_calls": self.model_calls,
            "milliseconds": round(self.milliseconds, 1),
        }
        return told | ({"degraded": self.degraded} if self.degraded else {})


def _rounded(score: float | None) -> float | None:
    """Round down to one decimal: 69.99 must not look like the 70 that would have passed."""
    return None if score is None else int(score * 10 + 1e-9) / 10

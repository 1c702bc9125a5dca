"""`Decision`: which tool a question goes to, and everything that led to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.catalog.contract import Mode, Strategy
from pegboard.catalog.tool import Tool
from pegboard.route.parting.parts import Part
from pegboard.route.score import State
from pegboard.text import Json

DecidedBy: TypeAlias = Literal["early_stop", "best", "single", "fallback", "explicit", "rule", "mode", "none"]
"""`early_stop`: the best score is one that ends the scoring; `best`: the best score, high enough; `single`:
there is one candidate; `fallback`: no score is high enough; `explicit`: the client named it; `rule`: a rule of the
site applied; `mode`: the request's mode leaves no choice; `none`: no score is high enough, and there is no fallback.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that could have been chosen."""

    tool: str
    score: float | None
    """0 to 100; None: it has none, `state` says why."""
    reason: str
    """Why this score, or why there is none."""
    state: State = "scored"
    defence: str = "none"
    """What the scoring reply needed before it could be read."""
    local: float | None = None
    """What the embedded scorer gave it, where it ranked for another."""

    @property
    def scored(self) -> bool:
        """A scorer gave it a score."""
        return self.score is not None

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform route --json` prints it; `exact` is given where `score` is rounded."""
        shown = _rounded(self.score)
        told: dict[str, Json] = {
            "tool": self.tool,
            "score": shown,
            "scored": self.scored,
            "state": self.state,
            "reason": self.reason,
        }
        if self.score != shown:
            told["exact"] = self.score
        if self.defence != "none":
            told["defence"] = self.defence
        if self.local is not None:
            told["local"] = _rounded(self.local)
        return told


@dataclass(frozen=True, slots=True)
class AppliedRule:
    """The rule that decided."""

    number: int
    """From 1, in declared order."""
    place: str
    """File, line and column; empty where it is not declared in a document."""
    matched: str
    """What of it the question holds: ``keyword 'plus'``, ``pattern '^[0-9+]+$'``."""

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform route --json` prints it."""
        return {"number": self.number, "place": self.place, "matched": self.matched}


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
    """In declared order; those that were left out last."""
    model: str
    """Who scored: the model's name, or `embedded (…)`."""
    model_calls: int
    milliseconds: float
    degraded: str = ""
    """Why something stood in for what was configured, one sentence; empty: nothing did."""
    arguments: Mapping[str, Json] | None = field(default=None, repr=False)
    """Of the winning scoring reply, unchecked; None: binding has to find them."""
    mode: Mode = "tool"
    strategy: Strategy | None = None
    """By which the candidates were scored; None: nothing was scored."""
    named: tuple[str, ...] = ()
    """The tools that the client named."""
    rule: AppliedRule | None = None
    shortlisted_by: str = ""
    """Who picked the candidates that were scored; empty: all were."""
    cut_off: str = ""
    """Which candidates were not waited for, and why; empty: all were."""
    parts: tuple[Part, ...] = ()
    """Of the question, with the tool that each goes to; empty: it is of one part, or nobody had to know."""
    tokens_in: int = 0
    """Of all model calls together."""
    tokens_out: int = 0

    @property
    def type(self) -> str | None:
        """The type that owns the tool."""
        return self.tool.type if self.tool else None

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform route --json` prints it; scores have one decimal, what has nothing to say is left out.

        `replay.redecide` decides again from it, `replay.decision_from` reads it back.
        """
        told: dict[str, Json] = {
            "query": self.question,
            "site": self.site,
            "type": self.type,
            "tool": self.tool.name if self.tool else None,
            "score": _rounded(self.score),
            "decided_by": self.decided_by,
            "mode": self.mode,
            "strategy": self.strategy,
            "candidates": [candidate.to_json() for candidate in self.candidates],
            "model": self.model,
            "model_calls": self.model_calls,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "milliseconds": round(self.milliseconds, 1),
        }
        return told | {name: value for name, value in self._said() if value}

    def _said(self) -> tuple[tuple[str, Json], ...]:
        """Return what is told only where there is something to say."""
        return (
            ("named", list(self.named)),
            ("rule", self.rule.to_json() if self.rule else None),
            ("shortlisted_by", self.shortlisted_by),
            ("cut_off", self.cut_off),
            ("parts", [part.to_json() for part in self.parts]),
            ("degraded", self.degraded),
        )


def _rounded(score: float | None) -> float | None:
    """Round down to one decimal: 69.99 must not look like the 70 that would have passed."""
    return None if score is None else int(score * 10 + 1e-9) / 10

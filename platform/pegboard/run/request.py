"""`RunRequest`: what a run is asked for; it is kept with the run, so that anybody can go on with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pegboard.llm.usage import UNBOUNDED, Budget, Used, read_used
from pegboard.plan.graph import Plan
from pegboard.plan.written import plan_json, read_plan
from pegboard.text import Json

DAY_SECONDS = 86_400.0
_READ = frozenset({"plan", "budget", "previous", "used", "tools"})
"""What is read by itself."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One of them; the plan is sound (`plan/faults.py`)."""

    plan: Plan
    site: str
    """Whose tools do the work."""
    question: str = ""
    """What was asked; the tools are told."""
    inputs: Mapping[str, Json] = field(default_factory=dict)
    max_parallel: int = 8
    """Nodes that run at once, nested runs included; at least 1."""
    deadline_seconds: float | None = None
    """How long its nodes may work, counted anew when it is resumed; waiting for approvals does not count."""
    approval_seconds: float = DAY_SECONDS
    """How long a node waits for somebody's approval."""
    budget: Budget = UNBOUNDED
    """How much of models it may use, `used` included; what it used before it is resumed counts."""
    used: Used = field(default_factory=Used)
    """What making its plan used of models."""
    previous: tuple[str, ...] = ()
    """Earlier questions of the same conversation, oldest first."""
    is_attached: bool = False
    """It ends with the request that its plan is of: when that is gone, nobody drives it on."""
    further: bool = False
    """When its nodes have ended, further steps may be planned, once (`run/further.py`)."""
    tools: tuple[str, ...] = ()
    """What those may use; empty: all of the site's tools."""
    first: int = 0
    """How many nodes the plan had before further steps came; 0: none have."""
    specs: Mapping[str, str] = field(default_factory=dict)
    """By node, the hash of what it does (`run/node/specs.py`), as it was at the start."""

    def with_specs(self, specs: Mapping[str, str]) -> "RunRequest":
        """Return the same with the hashes of its nodes."""
        return replace(self, specs=specs)

    def to_json(self) -> dict[str, Json]:
        """Return it as a journal keeps it."""
        told: dict[str, Json] = {
            "plan": plan_json(self.plan),
            "site": self.site,
            "question": self.question,
            "inputs": dict(self.inputs),
            "max_parallel": self.max_parallel,
            "deadline_seconds": self.deadline_seconds,
            "approval_seconds": self.approval_seconds,
            "budget": {"calls": self.budget.calls, "tokens": self.budget.tokens, "seconds": self.budget.seconds},
            "previous": list(self.previous),
            "specs": dict(self.specs),
        }
        told |= {"used": self.used.to_json()} if self.used != Used() else {}
        told |= {"is_attached": True} if self.is_attached else {}
        told |= {"further": True} if self.further else {}
        told |= {"tools": list(self.tools)} if self.tools else {}
        return told | ({"first": self.first} if self.first else {})


def read_request(held: Mapping[str, Json]) -> RunRequest:
    """Return what `to_json` has written."""
    values = {key: value for key, value in held.items() if key not in _READ}
    budget, previous, used, tools = held["budget"], held["previous"], held.get("used"), held.get("tools", [])
    assert isinstance(budget, dict)
    assert isinstance(previous, list)
    assert isinstance(tools, list)
    return RunRequest(
        plan=read_plan(held["plan"]),
        budget=Budget(**budget),  # type: ignore[arg-type]  # as they were written
        previous=tuple(map(str, previous)),
        used=read_used(used) if isinstance(used, dict) else Used(),
        tools=tuple(map(str, tools)),
        **values,  # type: ignore[arg-type]  # as they were written
    )

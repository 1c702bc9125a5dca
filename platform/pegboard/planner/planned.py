"""What crosses the planner: `Goal`, what is to be planned; `Means`, with what; `Planned`, what comes of it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pegboard.catalog.contract import Question
from pegboard.catalog.tool import Tool, Toolset
from pegboard.events import Emit
from pegboard.llm.model import Model
from pegboard.llm.usage import Used
from pegboard.plan.graph import Plan
from pegboard.plan.written import plan_json, read_plan
from pegboard.route.router import Router
from pegboard.text import Json

BY_RULES, AS_ONE_STEP = "rules", "single"
"""Who made a plan, where no model has."""

Begin: TypeAlias = Callable[[Tool, Mapping[str, Json]], None]
"""Starts a call before the plan is whole that asks for it."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to be planned."""

    question: Question
    toolset: Toolset
    """What may be used."""
    language: str


@dataclass(frozen=True, slots=True)
class Means:
    """What plans are made with."""

    router: Router
    """Chooses the tool of a step."""
    names: Callable[[str], Awaitable[Sequence[str]]]
    """Returns names of things that the site has and a text may mean."""
    emit: Emit
    timeout_seconds: float
    """How long a model may take to find arguments."""
    plan_timeout_seconds: float
    """How long a model may take to write a plan, with its second try."""
    planner: Model | None = None
    scorer: Model | None = None
    writer: Model | None = None
    """Finds arguments."""
    begin: Begin | None = None
    """Starts what may start while a plan is still being written; None: nothing does."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A sound plan."""

    plan: Plan
    by: str
    """The model that wrote it, `BY_RULES`, or `AS_ONE_STEP` where the question is one step."""
    mended: tuple[str, ...] = ()
    """What was changed of what the model wrote, and by which rule: a sentence each."""
    degraded: str = ""
    """Why it was not made in the best way that there is; empty: it was."""
    after: tuple[str, ...] = ()
    """The steps of an earlier plan that came to nothing, for which these are further ones; none: it is the first."""
    used: Used = field(default_factory=Used)
    """What making it used of models, where that is known."""

    def to_json(self) -> dict[str, Json]:
        """Return it as clients get it."""
        told: dict[str, Json] = {"plan": plan_json(self.plan), "by": self.by}
        told |= {"mended": list(self.mended)} if self.mended else {}
        told |= {"after": list(self.after)} if self.after else {}
        told |= {"usage": self.used.to_json()} if self.used != Used() else {}
        return told | ({"degraded": self.degraded} if self.degraded else {})


def is_by_model(told: Mapping[str, Json]) -> bool:
    """Tell whether a model has made the plan of which `Planned.to_json` tells."""
    return told["by"] not in {BY_RULES, AS_ONE_STEP}


def planned_from(told: Mapping[str, Json]) -> Planned:
    """Return what `Planned.to_json` has written."""
    mended, after = told.get("mended", []), told.get("after", [])
    assert isinstance(mended, list)
    assert isinstance(after, list)
    return Planned(
        read_plan(told["plan"]),
        str(told["by"]),
        mended=tuple(map(str, mended)),
        degraded=str(told.get("degraded", "")),
        after=tuple(map(str, after)),
    )

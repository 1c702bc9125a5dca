"""A decision from its JSON: read back, and decided again. Pure: nothing is scored, no model is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, get_args

from pegboard.catalog.contract import Mode, Strategy
from pegboard.catalog.snapshot import Catalog
from pegboard.catalog.tool import Routing, Toolset
from pegboard.errors import UsageError
from pegboard.route.choose import Choice, alone, choose, settled
from pegboard.route.decision import AppliedRule, Candidate, DecidedBy, Decision
from pegboard.route.parting.parts import Part
from pegboard.route.score import Absence
from pegboard.text import Json

Told: TypeAlias = Mapping[str, Json]
"""What `Decision.to_json` returns."""

_STATES = ("scored", *get_args(Absence))


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the scores of a recorded decision lead to now."""

    tool: str | None
    decided_by: str
    recorded_tool: str | None
    recorded_by: str

    @property
    def agrees(self) -> bool:
        """The choice is the recorded one."""
        return (self.tool, self.decided_by) == (self.recorded_tool, self.recorded_by)

    def to_json(self) -> dict[str, Json]:
        """Return what `platform route --replay --json` prints."""
        return {
            "agrees": self.agrees,
            "tool": self.tool,
            "decided_by": self.decided_by,
            "recorded": {"tool": self.recorded_tool, "decided_by": self.recorded_by},
        }


def replayed(told: Told, catalog: Catalog) -> Replayed:
    """Decide again from a decision's JSON, by the routing that its site declares now.

    Raises:
        UsageError: it is no decision.
        UnknownSite: the catalog does not have its site.
    """
    toolset = catalog.toolset(_text(told, "site"))
    choice, recorded = redecide(told, toolset.routing), decision_from(told, toolset)
    tool = choice.candidate.tool if choice.candidate else None
    return Replayed(tool, choice.decided_by, recorded.tool.name if recorded.tool else None, recorded.decided_by)


def redecide(told: Told, routing: Routing) -> Choice:
    """Choose again from a decision's JSON; with the `routing` that it was made by, what was chosen then.

    With other thresholds or rules, what they choose from the same scores.

    Raises:
        UsageError: it is no decision.
    """
    candidates = _candidates(told)
    names = [candidate.tool for candidate in candidates]
    choice = settled(_text(told, "query"), _mode(told), _names(told, "named"), names, routing)
    scored = [candidate.tool for candidate in candidates if candidate.state != "left_out"]
    return choice or alone(scored, routing) or choose(candidates, routing)


def decision_from(told: Told, toolset: Toolset) -> Decision:
    """Return the decision that `told` is the JSON of: scores are exact, arguments are not in it.

    Raises:
        UsageError: it is no decision.
        UnknownTool: it chose a tool that the site does not have.
    """
    name = told.get("tool")
    candidates = _candidates(told)
    return Decision(
        question=_text(told, "query"),
        site=_text(told, "site"),
        tool=toolset.tool(name) if isinstance(name, str) else None,
        score=next((candidate.score for candidate in candidates if candidate.tool == name), None),
        decided_by=_one_of(told, "decided_by", get_args(DecidedBy)),
        candidates=candidates,
        model=_text(told, "model"),
        model_calls=int(_number(told, "model_calls") or 0),
        milliseconds=_number(told, "milliseconds") or 0.0,
        degraded=_text(told, "degraded"),
        mode=_mode(told),
        strategy=_one_of(told, "strategy", get_args(Strategy)) if told.get("strategy") is not None else None,
        named=_names(told, "named"),
        rule=_rule(told),
        shortlisted_by=_text(told, "shortlisted_by"),
        cut_off=_text(told, "cut_off"),
        parts=_parts(told),
        tokens_in=int(_number(told, "tokens_in") or 0),
        tokens_out=int(_number(told, "tokens_out") or 0),
    )


def _candidates(told: Told) -> tuple[Candidate, ...]:
    held = told.get("candidates")
    if not isinstance(held, list):
        raise _unread("candidates")
    return tuple(map(_candidate, held))


def _candidate(held: Json) -> Candidate:
    if not isinstance(held, dict):
        raise _unread("candidates")
    return Candidate(
        tool=_text(held, "tool"),
        score=_number(held, "exact" if "exact" in held else "score"),
        reason=_text(held, "reason"),
        state=_one_of(held, "state", _STATES),
        defence=_text(held, "defence") or "none",
        local=_number(held, "local"),
    )


def _rule(told: Told) -> AppliedRule | None:
    held = told.get("rule")
    if held is None:
        return None
    if not isinstance(held, dict):
        raise _unread("rule")
    return AppliedRule(int(_number(held, "number") or 0), _text(held, "place"), _text(held, "matched"))


def _parts(told: Told) -> tuple[Part, ...]:
    held = told.get("parts", [])
    if not isinstance(held, list):
        raise _unread("parts")
    return tuple(map(_part, held))


def _part(held: Json) -> Part:
    if not isinstance(held, dict):
        raise _unread("parts")
    tool = None if held.get("tool") is None else _text(held, "tool")
    return Part(_text(held, "text"), tool, _number(held, "score") or 0.0)


def _mode(told: Told) -> Mode:
    mode: Mode = _one_of(told, "mode", get_args(Mode))
    return mode


def _names(told: Told, key: str) -> tuple[str, ...]:
    held = told.get(key, [])
    if not isinstance(held, list) or not all(isinstance(each, str) for each in held):
        raise _unread(key)
    return tuple(map(str, held))


def _text(told: Told, key: str) -> str:
    held = told.get(key, "")
    if not isinstance(held, str):
        raise _unread(key)
    return held


def _number(told: Told, key: str) -> float | None:
    held = told.get(key)
    if held is not None and (isinstance(held, bool) or not isinstance(held, int | float)):
        raise _unread(key)
    return held


def _one_of(told: Told, key: str, choices: tuple[str, ...]) -> Any:
    held = told.get(key)
    if held not in choices:
        raise _unread(key)
    return held


def _unread(key: str) -> UsageError:
    return UsageError(
        f"This is no decision: {key!r} is not what it should be.", hint="Take one of platform route --json."
    )

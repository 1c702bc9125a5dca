"""The choice itself, pure: scores and a site's settings in, a tool out.

The order in which scores arrived is not known here, so it cannot matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pegboard.catalog.contract import Mode
from pegboard.catalog.tool import Routing, Toolset
from pegboard.route.decision import AppliedRule, Candidate, DecidedBy, Decision
from pegboard.route.rules import first_rule


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen."""

    candidate: Candidate | None
    decided_by: DecidedBy
    rule: AppliedRule | None = None


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


def settled(
    question: str, mode: Mode, named: Sequence[str], candidates: Sequence[str], routing: Routing
) -> Choice | None:
    """Choose without a score, where the request or a rule leaves no need for one; None: neither does.

    In this order: `chat` takes no tool, `plan` the one that plans, if there is one; what the client names alone is
    taken; so is the only tool that the mode `knowledge` leaves; the first rule that applies decides.
    """
    if mode == "chat":
        return Choice(None, "mode")
    if mode == "plan":
        return Choice(_unscored(candidates[0], "the mode is plan") if candidates else None, "mode")
    if len(set(named)) == 1 and candidates:
        return Choice(_unscored(candidates[0], "named by the client"), "explicit")
    if mode == "knowledge" and len(candidates) == 1:
        return Choice(_unscored(candidates[0], "the only one that searches the site's content"), "mode")
    if (found := first_rule(question, routing.rules, candidates)) is not None:
        tool, rule = found
        return Choice(_unscored(tool, f"rule {rule.number}: {rule.matched}"), "rule", rule)
    return None


def alone(candidates: Sequence[str], routing: Routing) -> Choice | None:
    """Choose where there is one candidate; None: there are several, or there is none."""
    if len(candidates) != 1:
        return None
    return Choice(Candidate(candidates[0], routing.single_score, "the only candidate"), "single")


def _unscored(tool: str, reason: str) -> Candidate:
    return Candidate(tool, None, reason, state="unscored")


def _score(candidate: Candidate) -> float:
    return -1.0 if candidate.score is None else candidate.score


def instead(decision: Decision, toolset: Toolset) -> Decision | None:
    """Return what to do when the question lacks an argument that the chosen tool needs; None: ask for it.

    A tool that was chosen for sure, alone or by the client is kept. Of the others the missing argument says that
    the choice was wrong: the next best candidate that is good enough takes the question, then the fallback, if it
    is a candidate too: a client's white list and what GET may run are kept.
    """
    if decision.tool is None or decision.score is None or decision.decided_by != "best":
        return None
    ranked = sorted(decision.candidates, key=_score, reverse=True)
    place = [candidate.tool for candidate in ranked].index(decision.tool.name)
    choice = choose(ranked[place + 1 :], toolset.routing)
    tool = toolset.get(choice.candidate.tool) if choice.candidate else None
    if choice.candidate is None or tool is None:
        return None
    return replace(decision, tool=tool, score=choice.candidate.score, decided_by=choice.decided_by, arguments=None)

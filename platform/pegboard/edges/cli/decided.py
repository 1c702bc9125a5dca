"""A decision as `platform route` shows it: by itself, or several side by side."""

import sys
from collections.abc import Mapping, Sequence

from pegboard.edges.cli.output import inform, padded, print_line, print_table, styled, width
from pegboard.text import Json, clipped

_BAR = 20
_STATES = {"cut_off": "cut off", "not_shortlisted": "not asked", "left_out": "left out"}
"""What is said of a candidate in place of a score."""

Told = Mapping[str, Json]
"""The JSON of a decision."""


def print_decision(decision: Told) -> None:
    """Print the tool, then each candidate with its score and the reason; on stderr what it cost."""
    print_line(f"{_styled_tool(decision)}  ({decision.get('decided_by')}, site {decision.get('site')})")
    candidates = candidates_of(decision)
    names = max((width(str(each.get("tool"))) for each in candidates), default=0)
    for each in candidates:
        print_line(f"  {padded(str(each.get('tool')), names)}  {_bar(each)}  {_reason(each)}".rstrip())
    inform(f"model: {decision.get('model') or 'none'}, {_cost(decision)}")
    for key in ("shortlisted_by", "cut_off", "degraded"):
        if decision.get(key):
            inform(f"{key.replace('_', ' ')}: {decision[key]}")


def print_side_by_side(decisions: Mapping[str, Told]) -> None:
    """Print a column for each strategy: the score of each candidate, the choice, and what it cost."""
    tools = dict.fromkeys(str(each.get("tool")) for one in decisions.values() for each in candidates_of(one))
    rows = [[tool, *(_score_of(tool, one) for one in decisions.values())] for tool in tools]
    rows.append(["tool", *(str(one.get("tool") or "no tool") for one in decisions.values())])
    rows += [[key, *(_cell(one.get(key)) for one in decisions.values())] for key in ("decided_by", "model")]
    rows.append(["calls", *(_cell(one.get("model_calls")) for one in decisions.values())])
    rows.append(["tokens", *(str(_tokens(one)) for one in decisions.values())])
    rows.append(["ms", *(f"{_number(one.get('milliseconds')):.1f}" for one in decisions.values())])
    print_table(["CANDIDATE", *decisions], rows)
    for name, one in decisions.items():
        for each in candidates_of(one):
            if not isinstance(each.get("score"), int | float):
                inform(f"{name}: {each.get('tool')}: {_reason(each)}")
        if one.get("degraded"):
            inform(f"{name}: degraded: {one['degraded']}")


def candidates_of(decision: Told) -> Sequence[Told]:
    """Return the candidates, in declared order."""
    held = decision.get("candidates")
    return [each for each in held if isinstance(each, dict)] if isinstance(held, list) else []


def _styled_tool(decision: Told) -> str:
    return styled(str(decision.get("tool") or "no tool"), "bold", to=sys.stdout)


def _score_of(tool: str, decision: Told) -> str:
    found = next((each for each in candidates_of(decision) if each.get("tool") == tool), None)
    if found is None:
        return ""
    score = found.get("score")
    return f"{score:.0f}" if isinstance(score, int | float) else _state(found)


def _bar(candidate: Told) -> str:
    score = candidate.get("score")
    if not isinstance(score, int | float):
        return f"{_state(candidate):<{_BAR + 4}}"
    filled = round(_BAR * min(max(score, 0), 100) / 100)
    return f"{score:3.0f} {styled('█' * filled, 'cyan', to=sys.stdout)}{'·' * (_BAR - filled)}"


def _state(candidate: Told) -> str:
    return _STATES.get(str(candidate.get("state")), "not scored")


def _reason(candidate: Told) -> str:
    return clipped(str(candidate.get("reason") or ""), 60)


def _cost(decision: Told) -> str:
    tokens = f", tokens: {_tokens(decision)}" if _tokens(decision) else ""
    return f"calls: {decision.get('model_calls', 0)}{tokens}, {_number(decision.get('milliseconds')):.1f} ms"


def _tokens(decision: Told) -> int:
    return int(_number(decision.get("tokens_in")) + _number(decision.get("tokens_out")))


def _number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _cell(value: Json) -> str:
    return "" if value is None else str(value)

"""A plan as JSON and back: the form in which runs are kept, and in which a client may send one.

It is strict: what a model writes is read by the planner, which mends. Not here: whether the plan can work.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar, get_args

from pegboard.errors import UsageError
from pegboard.plan.graph import Node, NodeType, OnFailure, Plan, Race
from pegboard.text import Json, did_you_mean

T = TypeVar("T")

_NODE_KEYS = (
    "id", "type", "tool", "agent", "goal", "arguments", "depends_on", "race_group", "when", "needs", "on_failure",
    "fallback",
)  # fmt: skip
_RACE_KEYS = ("in_turn", "favourite", "head_start_seconds", "timeout_seconds")


def plan_json(plan: Plan) -> dict[str, Json]:
    """Return `plan` as `read_plan` reads it."""
    races: dict[str, Json] = {race.name: _race_json(race) for race in plan.races}
    return {"nodes": [node.to_json() for node in plan.nodes], **({"races": races} if races else {})}


def _race_json(race: Race) -> dict[str, Json]:
    told: dict[str, Json] = {"in_turn": race.in_turn, "favourite": race.favourite}
    return told | {"head_start_seconds": race.head_start_seconds, "timeout_seconds": race.timeout_seconds}


def read_plan(value: Json) -> Plan:
    """Read a list of nodes, or an object of `nodes` and `races`.

    Raises:
        UsageError: it is not of that form.
    """
    held = {"nodes": value} if isinstance(value, list) else value
    if not isinstance(held, Mapping) or not isinstance(nodes := held.get("nodes"), list):
        raise UsageError("A plan is a list of nodes, or an object with `nodes`.", hint='Such as [{"id": "n1", ...}].')
    _refuse_others("A plan", held, ("nodes", "races"))
    races = _of_kind("A plan", held, "races", dict, {})
    return Plan(tuple(map(_node, nodes)), tuple(_race(name, race) for name, race in races.items()))


def _node(value: Json) -> Node:
    if not isinstance(value, Mapping) or not isinstance(name := value.get("id"), str):
        raise UsageError(f"A node is an object with an `id`; found {str(value)[:80]!r}.")
    what = f"Node {name[:80]!r}"
    _refuse_others(what, value, _NODE_KEYS)
    kind: NodeType = _one_of(what, value, "type", get_args(NodeType), "sub_agent" if "agent" in value else "tool")
    tool = _of_kind(what, value, "agent" if kind == "sub_agent" else "tool", str, "")
    if not tool:
        raise UsageError(f"{what} names no {'agent' if kind == 'sub_agent' else 'tool'}.")
    arguments: dict[str, Json] = _of_kind(what, value, "arguments", dict, {})
    goal: dict[str, Json] = {"goal": value["goal"]} if "goal" in value else {}
    on_failure: OnFailure = _one_of(what, value, "on_failure", get_args(OnFailure), "skip_dependents")
    waits = _of_kind(what, value, "depends_on", list, [])
    if not all(isinstance(each, str) for each in waits):
        raise UsageError(f"{what}: `depends_on` is a list of ids.")
    return Node(
        id=name,
        tool=tool,
        arguments={**goal, **arguments},
        type=kind,
        depends_on=tuple(map(str, waits)),
        race=_of_kind(what, value, "race_group", str, ""),
        when=_of_kind(what, value, "when", str, ""),
        needs="any" if _one_of(what, value, "needs", ("all", "any"), "all") == "any" else "all",
        on_failure=on_failure,
        fallback=_of_kind(what, value, "fallback", str, ""),
    )


def _race(name: str, value: Json) -> Race:
    what = f"Race {name[:80]!r}"
    if not isinstance(value, Mapping):
        raise UsageError(f"{what} is an object of {', '.join(_RACE_KEYS)}.")
    _refuse_others(what, value, _RACE_KEYS)
    return Race(
        name,
        in_turn=_of_kind(what, value, "in_turn", bool, False),
        favourite=_of_kind(what, value, "favourite", str, ""),
        head_start_seconds=_seconds(what, value, "head_start_seconds") or 0.0,
        timeout_seconds=_seconds(what, value, "timeout_seconds"),
    )


def _seconds(what: str, held: Mapping[str, Json], key: str) -> float | None:
    value = held.get(key)
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9):
        return None if value is None else float(value)
    raise UsageError(f"{what}: `{key}` is a number of seconds, not {str(value)[:80]!r}.")


def _of_kind(what: str, held: Mapping[str, Json], key: str, kind: type[T], usual: T) -> T:
    value = held.get(key, usual)
    if value is None:
        return usual
    if not isinstance(value, kind):
        raise UsageError(f"{what}: `{key}` is no {kind.__name__}: {str(value)[:80]!r}.")
    return value


def _one_of(what: str, held: Mapping[str, Json], key: str, choices: Sequence[T], usual: T) -> T:
    value = held.get(key) or usual
    for choice in choices:
        if choice == value:
            return choice
    raise UsageError(
        f"{what}: `{key}` cannot be {str(value)[:80]!r}.", hint=f"It is one of {', '.join(map(str, choices))}."
    )


def _refuse_others(what: str, held: Mapping[str, Json], keys: Sequence[str]) -> None:
    for key in held:
        if key not in keys:
            raise UsageError(f"{what} has no key {key[:80]!r}.", hint=did_you_mean(key, keys, noun="keys"))

"""A plan as JSON and back: the form in which runs are kept, and in which a client may send one.

It is strict: what a model writes is read by the planner, which mends. Not here: whether the plan can work.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar, get_args

from pegboard.errors import UsageError
from pegboard.plan.graph import Node, NodeType, OnFailure, Plan, Race
from pegboard.text import Json, did_you_mean, quoted, to_json

T = TypeVar("T")

_NODE_KEYS = (
    "id", "type", "tool", "agent", "goal", "arguments", "depends_on", "race_group", "when", "needs", "on_failure",
    "fallback",
)  # fmt: skip
_RACE_KEYS = ("in_turn", "favourite", "head_start_seconds", "timeout_seconds")
_KINDS: Mapping[type, str] = {str: "text", bool: "boolean", list: "list", dict: "object"}
_MOST_SHOWN = 80
_MOST_TOLD = 200
"""Of what is wrong with the form."""


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
        UsageError: it is not of that form; with everything that is wrong with it.
    """
    held = {"nodes": value} if isinstance(value, list) else value
    if not isinstance(held, Mapping) or not isinstance(nodes := held.get("nodes"), list):
        raise UsageError("A plan is a list of nodes, or an object with `nodes`.", hint='Such as [{"id": "n1", ...}].')
    form = _Form()
    form.has_only("A plan", held, ("nodes", "races"))
    races = form.of_kind("A plan", held, "races", dict, {})
    plan = Plan(
        tuple(_node(form, node) for node in nodes), tuple(_race(form, name, race) for name, race in races.items())
    )
    form.refuse()
    return plan


class _Form:
    """Reads values, and keeps what is not of its form; what stands in for it is never run."""

    def __init__(self) -> None:
        self._wrong: list[tuple[str, str]] = []

    def wrong(self, message: str, hint: str = "") -> None:
        if len(self._wrong) <= _MOST_TOLD:
            self._wrong.append((message, hint))

    def refuse(self) -> None:
        """Raise all that was wrong."""
        if len(self._wrong) == 1:
            raise UsageError(self._wrong[0][0], hint=self._wrong[0][1])
        if self._wrong:
            lines = [f"- {message} {hint}".rstrip() for message, hint in self._wrong]
            if len(lines) > _MOST_TOLD:
                lines[_MOST_TOLD:] = [f"- There is more; these are the first {_MOST_TOLD} faults."]
            raise UsageError("\n".join(["The plan cannot be read:", *lines]))

    def of_kind(self, what: str, held: Mapping[str, Json], key: str, kind: type[T], usual: T) -> T:
        value = held.get(key, usual)
        if value is None:
            return usual
        if not isinstance(value, kind):
            self.wrong(f"{what}: `{key}` is no {_KINDS[kind]}: {_shown(value)}.")
            return usual
        return value

    def one_of(self, what: str, held: Mapping[str, Json], key: str, choices: Sequence[T], usual: T) -> T:
        value = held.get(key) or usual
        for choice in choices:
            if choice == value:
                return choice
        hint = f"It is one of {', '.join(map(str, choices))}."
        self.wrong(f"{what}: `{key}` cannot be {_shown(value)}.", hint)
        return usual

    def seconds(self, what: str, held: Mapping[str, Json], key: str) -> float | None:
        value = held.get(key)
        if value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9:
            return float(value)
        self.wrong(f"{what}: `{key}` is a number of seconds, not {_shown(value)}.")
        return None

    def has_only(self, what: str, held: Mapping[str, Json], keys: Sequence[str]) -> None:
        for key in held:
            if key not in keys:
                self.wrong(f"{what} has no key {quoted(key)}.", did_you_mean(key, keys, noun="keys"))


def _shown(value: object) -> str:
    """Return the beginning of `value`."""
    return repr(value if isinstance(value, str) else to_json(value))[: _MOST_SHOWN + 2]


def _node(form: _Form, value: Json) -> Node:
    if not isinstance(value, Mapping) or not isinstance(name := value.get("id"), str):
        form.wrong(f"A node is an object with an `id`; found {_shown(value)}.")
        return Node("", "")
    what = f"Node {quoted(name)}"
    form.has_only(what, value, _NODE_KEYS)
    kind: NodeType = form.one_of(what, value, "type", get_args(NodeType), "sub_agent" if "agent" in value else "tool")
    tool = form.of_kind(what, value, "agent" if kind == "sub_agent" else "tool", str, "")
    if not tool:
        form.wrong(f"{what} names no {'agent' if kind == 'sub_agent' else 'tool'}.")
    arguments: dict[str, Json] = form.of_kind(what, value, "arguments", dict, {})
    goal: dict[str, Json] = {"goal": value["goal"]} if "goal" in value else {}
    on_failure: OnFailure = form.one_of(what, value, "on_failure", get_args(OnFailure), "skip_dependents")
    waits = form.of_kind(what, value, "depends_on", list, [])
    if not all(isinstance(each, str) for each in waits):
        form.wrong(f"{what}: `depends_on` is a list of ids.")
    return Node(
        id=name,
        tool=tool,
        arguments={**goal, **arguments},
        type=kind,
        depends_on=tuple(map(str, waits)),
        race=form.of_kind(what, value, "race_group", str, ""),
        when=form.of_kind(what, value, "when", str, ""),
        needs="any" if form.one_of(what, value, "needs", ("all", "any"), "all") == "any" else "all",
        on_failure=on_failure,
        fallback=form.of_kind(what, value, "fallback", str, ""),
    )


def _race(form: _Form, name: str, value: Json) -> Race:
    what = f"Race {quoted(name)}"
    if not isinstance(value, Mapping):
        form.wrong(f"{what} is an object of {', '.join(_RACE_KEYS)}.")
        return Race(name)
    form.has_only(what, value, _RACE_KEYS)
    return Race(
        name,
        in_turn=form.of_kind(what, value, "in_turn", bool, False),
        favourite=form.of_kind(what, value, "favourite", str, ""),
        head_start_seconds=form.seconds(what, value, "head_start_seconds") or 0.0,
        timeout_seconds=form.seconds(what, value, "timeout_seconds"),
    )

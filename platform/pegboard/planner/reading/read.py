"""`read`: from a model's reply to a plan, with all that was mended in it and all that is wrong with it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from pegboard.bind.repair import repair
from pegboard.catalog.allowed import allowed, wrong
from pegboard.catalog.tool import Tool, Toolset
from pegboard.plan.faults import PlanFault, faults, shown
from pegboard.plan.graph import Node, NodeType, OnFailure, Plan, Race, named_by
from pegboard.planner.reading.condition import condition
from pegboard.planner.reading.draft import drafted
from pegboard.planner.reading.ids import Ids, is_legal, legal
from pegboard.planner.reading.mend import Findings, Mend
from pegboard.planner.reading.naming import Names
from pegboard.planner.reading.nested import holds_plan
from pegboard.planner.reading.placeholders import Placeholders
from pegboard.text import Json, clipped, named

AGENT = "pegboard.handlers.agent:"
_WAITS = ("depends_on", "dependencies", "dependsOn", "depends", "deps", "dep")
_RACES = ("race_group", "race")
_CONDITIONS = ("when", "condition", "if")
_REPEATS = ("for_each", "foreach", "loop", "repeat")
_NO_STEP = frozenset({"", "none", "null", "-1", "[]"})
_ORDERING = (*_WAITS, *_RACES, *_CONDITIONS)


@dataclass(frozen=True, slots=True)
class Read:
    """A plan as it was read."""

    plan: Plan
    mended: tuple[Mend, ...]
    faults: tuple[PlanFault, ...]
    """Everything that is wrong with it; none: it can work."""


def read(text: str, toolset: Toolset, *, known: Collection[str] = (), taken: Sequence[str] = ()) -> Read:
    """Read the plan that `text` holds, of the tools of `toolset`.

    `known` are names that it may refer to besides its own steps; `taken` are ids that its steps cannot have.

    Raises:
        ModelMalformed: there is none, or it is too large.
        NothingPlanned: it has no step.
    """
    findings = Findings()
    draft = drafted(text, findings)
    reading = _Reading(toolset, draft.rows, findings, known, taken)
    nodes = tuple(reading.nodes())
    plan = Plan(nodes, tuple(map(reading.race, draft.races)))
    _note_order(plan, findings)
    found = dict.fromkeys([*findings.wrong, *(() if known else faults(plan, allowed(toolset, {})))])
    return Read(plan, tuple(findings.mended), tuple(found))


@dataclass
class _Reading:
    """The steps of one plan on their way."""

    toolset: Toolset
    rows: list[dict[str, Json]]
    findings: Findings
    known: Collection[str]
    taken: Sequence[str]
    names: Names = field(init=False)
    ids: Ids = field(init=False)
    tools: list[Tool | None] = field(init=False)
    races: dict[str, str] = field(init=False)
    """What each race is called, by its name as it was written."""
    references: Placeholders = field(init=False)

    def __post_init__(self) -> None:
        """Find out what the steps are called, and what they call."""
        self.names = Names(self.toolset.tools)
        self.tools = [self._tool(row) for row in self.rows]
        self.ids = Ids([_own_id(row) for row in self.rows], self.findings, self.taken)
        self.races = {name: self._race(name) for row in self.rows if (name := _text(row, _RACES))}
        written = [str(row.get("tool") or "") for row in self.rows]
        named_so = zip(self.tools, written, strict=True)
        called = [(name,) if tool is None else (tool.name, name) for tool, name in named_so]
        self.references = Placeholders(
            self.ids, called, self.findings, {**self.races, **{name: name for name in self.known}}
        )
        self.references.learn([row.get("arguments") for row in self.rows])

    def _race(self, name: str) -> str:
        """Return a race's name as ids are written."""
        if name != (called := name if is_legal(name) else legal(name)):
            self.findings.mend("id", f"The race {clipped(name, 60)!r} is written {called!r}.")
        return called

    def nodes(self) -> list[Node]:
        """Return the steps."""
        made = [self._node(place, row) for place, row in enumerate(self.rows)]
        if not self._is_in_sequence():
            return made
        changing = next(tool.name for tool in self.tools if tool is not None and not tool.read_only)
        message = f"The steps are done one after the other, as they are written: {changing!r} may change something."
        self.findings.mend("sequence", message)
        chained = [(made[place - 1].id,) if place else () for place in range(len(made))]
        return [_waiting(node, waits) for node, waits in zip(made, chained, strict=True)]

    def race(self, race: Race) -> Race:
        """Return how a race runs, with its own name and its favourite's as they are now."""
        favourite = self.ids.named(race.favourite) or race.favourite
        return replace(race, name=self.races.get(race.name, race.name), favourite=favourite)

    def _is_in_sequence(self) -> bool:
        """Tell whether nothing says in which order steps are done of which one changes something."""
        says = self.ids.are_given or any(key in row for row in self.rows for key in _ORDERING)
        return not says and len(self.rows) > 1 and any(tool is not None and not tool.read_only for tool in self.tools)

    def _tool(self, row: Mapping[str, Json]) -> Tool | None:
        name = row.get("tool")
        return self.names.found(name) if isinstance(name, str) else None

    def _node(self, place: int, row: Mapping[str, Json]) -> Node:
        name, tool = self.ids.all[place], self.tools[place]
        kind = _kind(row, tool)
        written = str(row.get("tool") or "")
        if not written:
            self.findings.fault("unknown_tool", name, f"Step {name!r} names no tool.")
        elif tool is not None and tool.name != written:
            message = f"Step {name!r}: the tool {clipped(written, 60)!r} is {tool.name!r}."
            self.findings.mend("tool", message, name, written)
        if kind == "sub_agent" and tool is not None and not tool.runs_others:
            kind = "tool"
            self.findings.mend("kind", f"Step {name!r}: {tool.name!r} is a tool and no agent.", name)
        for key in _REPEATS:
            if row.get(key):
                message, hint = f"Step {name!r} is to be repeated ({key}).", "Write a step for each."
                self.findings.fault("unclear", name, message, hint)
        arguments = self._arguments(row, tool, name)
        return Node(
            id=name,
            tool=tool.name if tool is not None else written,
            arguments=arguments,
            type=kind,
            depends_on=self._waits(row, name),
            race=self.races.get(_text(row, _RACES), ""),
            when=self._condition(row, name),
            needs="any" if row.get("needs") == "any" else "all",
            on_failure=self._on_failure(row, name),
            fallback=self._fallback(row),
        )

    # Arguments

    def _arguments(self, row: Mapping[str, Json], tool: Tool | None, node: str) -> dict[str, Json]:
        given = row.get("arguments")
        found = dict(given) if isinstance(given, dict) else self._lone(given, tool, node)
        takes = _parameters(tool)
        if "goal" in row and "goal" not in found and (row.get("agent") or "goal" in takes or _is_agent(tool, row)):
            found = {"goal": row["goal"], **found}
        if any(holds_plan(value, [each.name for each in self.toolset.tools]) for value in found.values()):
            message = f"Step {node!r}: an argument is a whole plan of its own."
            self.findings.fault("nested", node, message, "Write its steps as steps of this plan.")
        ours = self.references.written(found, node)
        assert isinstance(ours, dict)  # as it was
        return self._fitting(ours, tool, node)

    def _lone(self, given: Json, tool: Tool | None, node: str) -> dict[str, Json]:
        """Return arguments that were written without their names, where there is one name alone."""
        values = given if isinstance(given, list) else [] if given is None else [given]
        takes = _parameters(tool)
        if len(values) == 1 and len(takes) == 1 and not isinstance(values[0], dict | list):
            self.findings.mend("arguments", f"Step {node!r}: its value is its argument {takes[0]!r}.", node)
            return {takes[0]: values[0]}
        if values:
            message = f"Step {node!r}: its arguments are no object: {clipped(str(given), 80)!r}."
            self.findings.fault("arguments", node, message, 'Write {"name": value}.')
        return {}

    def _fitting(self, arguments: dict[str, Json], tool: Tool | None, node: str) -> dict[str, Json]:
        """Return arguments that fit, where repair can make them so; what refers to others is left alone."""
        if tool is None or not wrong(tool, arguments):
            return arguments
        known = {key: value for key, value in arguments.items() if not shown(value)}
        mended = {**repair(known, tool.parameters), **{key: arguments[key] for key in arguments if key not in known}}
        if wrong(tool, mended):
            return arguments
        changed = [key for key in {**known, **mended} if known.get(key) != mended.get(key) or key not in mended]
        self.findings.mend("arguments", f"Step {node!r}: {named(changed)} was made to fit {tool.name!r}.", node)
        return mended

    # Order

    def _waits(self, row: Mapping[str, Json], node: str) -> tuple[str, ...]:
        value = next((row[key] for key in _WAITS if key in row), None)
        listed = value if isinstance(value, list) else [] if value is None else [value]
        written = [str(each).strip() for each in listed if not isinstance(each, dict | list)]
        if len(written) < len(listed):
            self.findings.fault("unclear", node, f"Step {node!r}: `depends_on` is a list of ids.")
        found = [
            self._step(name, node) for name in written if name.lower() not in _NO_STEP or self.ids.is_written(name)
        ]
        return tuple(dict.fromkeys(found))

    def _step(self, name: str, node: str) -> str:
        """Return the step, or the race, that `node` waits for by `name`; as it is, where there is none."""
        if name in self.references.known:
            return self.references.known[name]
        if found := self.ids.named(name):
            return found
        calling = self.references.calling(name)
        if len(calling) == 1:
            message = f"Step {node!r}: {clipped(name, 60)!r} is step {calling[0]!r}, the only one that calls it."
            self.findings.mend("owner", message, node, name)
            return calling[0]
        if calling:
            message = f"Step {node!r} waits for {clipped(name, 60)!r}, which {named(calling)} call."
            self.findings.fault("unclear", node, message, "Name the step by its id.", name)
            return calling[0]
        return name

    def _condition(self, row: Mapping[str, Json], node: str) -> str:
        value = next((row[key] for key in _CONDITIONS if row.get(key) not in (None, "")), "")
        if value is True:
            return ""
        if not isinstance(value, str):
            self.findings.fault("condition", node, f"Step {node!r}: its condition is no text.")
            return ""
        ours = condition(value, self.references.step)
        if ours != value:
            self.findings.mend("condition", f"Step {node!r}: its condition is written {ours}.", node)
        return ours

    def _on_failure(self, row: Mapping[str, Json], node: str) -> OnFailure:
        value = row.get("on_failure") or "skip_dependents"
        for choice in get_args(OnFailure):
            if value == choice:
                return choice  # type: ignore[no-any-return]  # of a Literal
        message = f"Step {node!r}: `on_failure` cannot be {clipped(str(value), 60)!r}."
        self.findings.fault("unclear", node, message, f"It is one of {', '.join(get_args(OnFailure))}.")
        return "skip_dependents"

    def _fallback(self, row: Mapping[str, Json]) -> str:
        name = _text(row, ("fallback",))
        return self.ids.named(name) or name


def _own_id(row: Mapping[str, Json]) -> Json:
    """Return the id of a step; that of a native call is nobody's name for it."""
    return None if row.get("type") == "function" else row.get("id", row.get("step_id"))


def _kind(row: Mapping[str, Json], tool: Tool | None) -> NodeType:
    written = str(row.get("type") or "").lower().replace("-", "_")
    if written in {"sub_agent", "subagent", "agent"}:
        return "sub_agent"
    return "sub_agent" if written != "tool" and _is_agent(tool, row) else "tool"


def _is_agent(tool: Tool | None, row: Mapping[str, Json]) -> bool:
    return row.get("type") == "sub_agent" or (tool is not None and tool.handler.startswith(AGENT))


def _parameters(tool: Tool | None) -> list[str]:
    declared = tool.parameters.get("properties") if tool is not None else None
    return list(declared) if isinstance(declared, Mapping) else []


def _text(row: Mapping[str, Json], keys: Sequence[str]) -> str:
    value = next((row[key] for key in keys if row.get(key)), "")
    return value if isinstance(value, str) else str(value)


def _waiting(node: Node, waits: tuple[str, ...]) -> Node:
    return Node(node.id, node.tool, node.arguments, node.type, tuple(dict.fromkeys((*node.depends_on, *waits))))


def _note_order(plan: Plan, findings: Findings) -> None:
    """Say which steps wait for one that is written after them: legal, and seldom meant."""
    places = {node.id: place for place, node in enumerate(plan.nodes)}
    for place, node in enumerate(plan.nodes):
        later = sorted(name for name in named_by(node) if places.get(name, -1) > place)
        if later:
            message = f"Step {node.id!r} is done after {named(later)}, which it waits for and which is written later."
            findings.mend("order", message, node.id)

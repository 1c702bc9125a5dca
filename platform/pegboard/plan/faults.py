"""What is wrong with a plan, all of it, in words that whoever wrote it (a model, a person) can mend it by.

Pure. A plan with a fault is never run.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice, pairwise, starmap
from typing import Literal, TypeAlias

from pegboard.plan.circles import circles, way_round
from pegboard.plan.conditions import BadCondition, check, condition_hint, inputs_in
from pegboard.plan.graph import ID, Node, Plan, in_order, named_by
from pegboard.plan.references import INPUTS, references_in
from pegboard.text import LONGEST_QUOTED, Json, clipped, did_you_mean, named, quoted

MOST_NODES = 1000
"""Of one plan."""
MOST_FAULTS = 200
"""That are told of one plan: more are not read."""

Code: TypeAlias = Literal[
    "empty",
    "too_many",
    "bad_id",
    "duplicate",
    "unknown_tool",
    "forbidden_tool",
    "dangling",
    "cycle",
    "self",
    "arguments",
    "condition",
    "race",
    "fallback",
    "nested",
    "unclear",
]
"""`nested` and `unclear` are found where a model's plan is read: a plan in an argument; what may be meant otherwise."""

Arguments: TypeAlias = Callable[[Node], Sequence[str]]
"""Says what is wrong with the arguments of a node; what a reference stands for is not known yet and may be anything."""


@dataclass(frozen=True, slots=True)
class PlanFault:
    """One thing that is wrong."""

    code: Code
    nodes: tuple[str, ...]
    """The ids that it is about."""
    message: str
    hint: str = ""
    about: str = field(default="", compare=False)
    """The name, or the reference, that is wrong; empty: none is."""

    def __str__(self) -> str:
        """Return it as a sentence or two."""
        return f"{self.message} {self.hint}".strip()


@dataclass(frozen=True, slots=True)
class Allowed:
    """What a plan may use."""

    tools: Mapping[str, Arguments]
    """The tools by name, with a check of their arguments."""
    agents: Mapping[str, Arguments]
    inputs: frozenset[str] | None = None
    """Names below `inputs`; None: any."""


def faults(plan: Plan, allowed: Allowed) -> list[PlanFault]:
    """Return what is wrong with `plan`: everything, or the first `MOST_FAULTS` and that there is more."""
    if not plan.nodes:
        return [PlanFault("empty", (), "The plan has no step.")]
    for count, noun in ((len(plan.nodes), "steps"), (len(plan.races), "races")):
        if count > MOST_NODES:
            return [PlanFault("too_many", (), f"The plan has {count:,} {noun}; at most {MOST_NODES:,} are run.")]
    found = list(islice(_found(plan, allowed), MOST_FAULTS + 1))
    if len(found) > MOST_FAULTS:
        found[MOST_FAULTS:] = [PlanFault("too_many", (), f"There is more; these are the first {MOST_FAULTS} faults.")]
    return found


def _found(plan: Plan, allowed: Allowed) -> Iterator[PlanFault]:
    is_ordered = True
    for fault in chain(
        _of_ids(plan), _of_tools(plan, allowed), _of_references(plan, allowed), _of_races(plan), _of_fallbacks(plan)
    ):
        is_ordered = is_ordered and fault.code not in {"duplicate", "race", "fallback"}
        yield fault
    if is_ordered:
        yield from _of_cycles(plan)


def _of_ids(plan: Plan) -> Iterator[PlanFault]:
    for node in plan.nodes:
        if not re.fullmatch(ID, node.id) or node.id == INPUTS:
            hint = "An id begins with a small letter and has small letters, digits, `_` and `-`."
            yield PlanFault("bad_id", (node.id,), f"{quoted(node.id)} cannot be the id of a step.", hint)
    counts = Counter([*(node.id for node in plan.nodes), *plan.racers])
    for name, count in counts.items():
        if count > 1:
            yield PlanFault(
                "duplicate", (name,), f"{count} steps or races are called {quoted(name)}.", "Give each its own id."
            )


def _of_tools(plan: Plan, allowed: Allowed) -> Iterator[PlanFault]:
    for node in plan.nodes:
        noun, known = ("agent", allowed.agents) if node.type == "sub_agent" else ("tool", allowed.tools)
        if node.tool not in known:
            hint = did_you_mean(node.tool, known, noun=f"{noun}s")
            if noun == "agent" and node.tool in allowed.tools:
                hint = "It is a tool: name it as `tool`."
            yield PlanFault(
                "unknown_tool",
                (node.id,),
                f"Step {quoted(node.id)}: there is no {noun} {quoted(node.tool)}.",
                hint,
                node.tool,
            )
            continue
        for wrong in known[node.tool](node):
            yield PlanFault("arguments", (node.id,), f"Step {quoted(node.id)}: {wrong}")


def _of_references(plan: Plan, allowed: Allowed) -> Iterator[PlanFault]:
    known = dict.fromkeys((*plan.by_id, *plan.racers))
    for node in plan.nodes:
        if node.when:
            yield from _of_condition(node, allowed.inputs)
        own = {node.id, node.race} - {""}
        for name in sorted(named_by(node)):
            if name in own:
                what = "itself" if name == node.id else "the race that it takes part in"
                yield PlanFault("self", (node.id,), f"Step {quoted(node.id)} waits for {what}.", about=name)
            elif name not in known:
                hint = did_you_mean(name, known, noun="steps")
                message = f"Step {quoted(node.id)} waits for {quoted(name)}, which is no step."
                yield PlanFault("dangling", (node.id,), message, hint, name)
        yield from _of_inputs(node, allowed.inputs)


def _of_condition(node: Node, inputs: frozenset[str] | None) -> Iterator[PlanFault]:
    try:
        check(node.when)
    except BadCondition as error:
        message = f"Step {quoted(node.id)}: its condition cannot be read: {error}"
        yield PlanFault("condition", (node.id,), message, condition_hint(node.when))
    if inputs is None:
        return
    for name in sorted(inputs_in(node.when) - inputs):
        message = f"Step {quoted(node.id)}: its condition names inputs.{clipped(name, LONGEST_QUOTED)}."
        yield PlanFault("dangling", (node.id,), message, _wanted(inputs), f"inputs.{name}")


def _of_inputs(node: Node, inputs: frozenset[str] | None) -> Iterator[PlanFault]:
    for reference in references_in(dict(node.arguments)):
        if reference.name != INPUTS or inputs is None:
            continue
        if not reference.path or str(reference.path[0]) not in inputs:
            message = f"Step {quoted(node.id)} refers to {clipped(str(reference), LONGEST_QUOTED)}."
            yield PlanFault("dangling", (node.id,), message, _wanted(inputs), str(reference))


def _wanted(inputs: frozenset[str]) -> str:
    return f"The inputs are {named(sorted(inputs))}." if inputs else "There are no inputs."


def _of_races(plan: Plan) -> Iterator[PlanFault]:
    for race in plan.races:
        if race.name not in plan.racers:
            yield PlanFault("race", (), f"No step takes part in the race {quoted(race.name)}.", about=race.name)
        elif race.favourite and race.favourite not in plan.racers[race.name]:
            message = f"The favourite {quoted(race.favourite)} does not take part in the race {quoted(race.name)}."
            yield PlanFault("race", plan.racers[race.name], message, about=race.name)
    for name, members in plan.racers.items():
        if not re.fullmatch(ID, name) or name == INPUTS:
            yield PlanFault("bad_id", members, f"{quoted(name)} cannot be the name of a race.", about=name)
        for member in members:
            if (others := named_by(plan.by_id[member]) & set(members)) - {member}:
                whom = named(sorted(others))
                message = f"Step {quoted(member)} waits for {whom}, which it races against: it would never run."
                yield PlanFault("race", (member,), message)


def _of_fallbacks(plan: Plan) -> Iterator[PlanFault]:
    falling = [node for node in plan.nodes if node.fallback]
    counts = Counter(node.fallback for node in falling)
    for node in falling:
        other, whose = plan.by_id.get(node.fallback), f"Step {quoted(node.id)} falls back to {quoted(node.fallback)}"
        if other is None:
            hint = did_you_mean(node.fallback, plan.by_id, noun="steps")
            yield PlanFault("fallback", (node.id,), f"{whose}, which is no step.", hint, node.fallback)
        elif node.race or other.race:
            hint = "In a race each step stands in for the others: let it be run `in_turn`."
            yield PlanFault("fallback", (node.id,), f"{whose}, and one of them takes part in a race.", hint, other.id)
        elif counts[other.id] > 1:
            hint = "A step stands in for one other: give each its own."
            yield PlanFault("fallback", (node.id,), f"{whose}, as another step does.", hint, other.id)
        elif plan.unit(node.id) == node.id and counts[node.id] == 1:
            yield PlanFault("fallback", (node.id,), f"{whose}, and is come to again: it would never run.", "", other.id)
    for unit, members in plan.members.items():
        for member in members if unit not in plan.racers else ():
            if others := named_by(plan.by_id[member]) & set(members) - {member}:
                message = (
                    f"Step {quoted(member)} waits for {named(sorted(others))}, and one of them stands in for the other."
                )
                hint = "A fallback starts by itself when the step before it has failed."
                yield PlanFault("fallback", (member,), message, hint, min(others))


def _of_cycles(plan: Plan) -> Iterator[PlanFault]:
    """Name every node of every circle, each circle by itself; not who waits for itself alone."""
    ordered = set(in_order(plan))
    left = [node for node in plan.nodes if node.id not in ordered]
    names = {node.id for node in left}
    edges = {node.id: [name for name in _followed(plan, node, names) if name != node.id] for node in left}
    for circle in circles(edges):
        way = way_round(circle, edges)
        said = " -> ".join(way)
        if len(way) <= len(circle):
            said = f"{', '.join(circle)}; one way round is {said}"
        if reasons := list(filter(None, starmap(partial(_roundabout, plan), pairwise(way)))):
            said = f"{said} ({'; '.join(reasons)})"
        message = f"These steps wait for each other: {said}."
        yield PlanFault("cycle", tuple(circle), message, "Let one of them go first.")


def _followed(plan: Plan, node: Node, names: set[str]) -> list[str]:
    """Return the nodes among `names` that `node` waits for; of a race, its racers, of a node, its fallbacks too."""
    return sorted(
        {member for unit in plan.needs[node.id] for member in plan.members.get(unit, (unit,)) if member in names}
    )


def _roundabout(plan: Plan, waiting: str, name: str) -> str:
    """Say why `waiting` waits for a step that it does not name; empty: it names it."""
    named_here = named_by(plan.by_id[waiting])
    if name in named_here:
        return ""
    unit = plan.unit(name)
    instead = min((each for each in named_here if plan.unit(each) == unit), default=unit)
    if unit not in plan.racers:
        return f"{waiting} waits for {instead}, for which {name} may stand in"
    return f"{waiting} waits for {instead}, {'in' if instead == unit else 'with'} which {name} races"


def explained(found: Sequence[PlanFault]) -> str:
    """Return the faults as a list for a model that shall mend them."""
    return "\n".join(f"- {fault}" for fault in found)


def shown(value: Json) -> bool:
    """Tell whether `value` holds a reference, so that its type is not known before the run."""
    return next(references_in(value), None) is not None

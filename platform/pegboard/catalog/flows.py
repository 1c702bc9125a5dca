"""Flows: from the block `flow` of a declaration to its plan, with everything that is wrong with it by itself.

Not here: whether a site has the tools that it names (`checks/flows.py`), nor how it is run (`handlers/flow.py`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from pegboard.catalog.kind import Misfit
from pegboard.config.blocks.flow import FlowBlockDeclaration, FlowNodeDeclaration
from pegboard.plan.faults import Allowed, PlanFault, faults
from pegboard.plan.graph import Node, Plan, Race
from pegboard.plan.references import INPUTS, Reference, references_in
from pegboard.text import Json, did_you_mean, named

_Path = tuple[str | int, ...]


def plan_of(block: FlowBlockDeclaration) -> Plan:
    """Return the plan that `block` says."""
    races = tuple(
        Race(race.name, race.in_turn, race.favourite or "", race.head_start, race.timeout) for race in block.races
    )
    return Plan(tuple(map(_node, block.nodes)), races)


def _node(said: FlowNodeDeclaration) -> Node:
    goal: dict[str, Json] = {"goal": said.goal} if said.goal else {}
    return Node(
        id=said.id,
        tool=said.tool or said.agent or "",
        arguments={**goal, **said.arguments},
        type="tool" if said.agent is None else "sub_agent",
        depends_on=tuple(said.depends_on),
        race=said.race_group or "",
        when=said.when,
        needs=said.needs,
        on_failure=said.on_failure,
        fallback=said.fallback or "",
    )


def outputs_of(block: FlowBlockDeclaration) -> dict[str, Json]:
    """Return what `block` says that it gives."""
    data: dict[str, Json] = {"data": block.outputs.data} if block.outputs.data else {}
    return {"text": block.outputs.text, **data} if block.outputs.text else data


def inputs_of(block: FlowBlockDeclaration) -> list[str]:
    """Return the inputs that `block` refers to, in the order in which it does; in conditions, as they are read."""
    from pegboard.plan.conditions import inputs_in  # noqa: PLC0415 (jmespath is for the few that have conditions)

    found: list[str] = []
    for node in block.nodes:
        found += _inputs([node.goal, node.arguments])
        found += sorted(inputs_in(node.when)) if node.when else []
    return list(dict.fromkeys([*found, *_inputs(outputs_of(block))]))


def _inputs(value: Json) -> list[str]:
    return [str(each.path[0]) for each in references_in(value) if each.name == INPUTS and each.path]


def uses(block: FlowBlockDeclaration, name: str) -> bool:
    """Tell whether `block` may use an input of that name."""
    texts: list[Json] = [outputs_of(block)]
    for node in block.nodes:
        texts += [node.goal, node.arguments]
    if any(each.name == INPUTS and each.path[:1] in {(), (name,)} for each in references_in(texts)):
        return True
    return any(re.search(rf"\b{re.escape(name)}\b", node.when) for node in block.nodes)


# What is wrong


def misfits(block: FlowBlockDeclaration, inputs: Sequence[str] | None) -> list[Misfit]:
    """Return everything that is wrong with `block`, whatever tools there are; `inputs` are declared, or nobody says."""
    plan = plan_of(block)
    tools = dict.fromkeys((node.tool for node in plan.nodes), _anything)
    known = None if inputs is None else frozenset(inputs)
    found = [*_of_tools(block)]
    for fault in faults(plan, Allowed(tools, tools, known)):
        clause = fault.message[:1].lower() + fault.message[1:].removesuffix(".")
        found.append(Misfit(_place(block, fault), f"cannot run: {clause}", fault.hint))
    return [*found, *_of_outputs(block, plan, inputs)]


def _anything(node: Node) -> Sequence[str]:
    return ()


def _of_tools(block: FlowBlockDeclaration) -> Iterator[Misfit]:
    for index, node in enumerate(block.nodes):
        if (node.tool is None) == (node.agent is None):
            what = "neither a tool nor an agent" if node.tool is None else "both a tool and an agent"
            place: _Path = ("nodes", index) if node.tool is None else ("nodes", index, "agent")
            yield Misfit(place, f"has the step {node.id!r}, which names {what}", "Name one of them.")
        elif node.goal and node.agent is None:
            hint = "A tool is given `arguments`."
            yield Misfit(("nodes", index, "goal"), f"has the step {node.id!r} with a goal, and no agent", hint)


def _of_outputs(block: FlowBlockDeclaration, plan: Plan, inputs: Sequence[str] | None) -> Iterator[Misfit]:
    known = {*plan.by_id, *plan.racers}
    for path, reference in _references(outputs_of(block)):
        if reference.name != INPUTS:
            if reference.name not in known:
                hint = did_you_mean(reference.name, known, noun="steps")
                yield Misfit(("outputs", *path), f"gives {reference}, and {reference.name!r} is no step", hint)
        elif inputs is not None and (not reference.path or str(reference.path[0]) not in inputs):
            hint = f"The inputs are {named(sorted(inputs))}." if inputs else "There are no inputs."
            yield Misfit(("outputs", *path), f"gives {reference}, which is no input", hint)


def _place(block: FlowBlockDeclaration, fault: PlanFault) -> _Path:
    """Return where the value stands that a fault of the plan is about."""
    if not fault.nodes:
        races = [("races", index, "name") for index, race in enumerate(block.races) if race.name == fault.about]
        return races[0] if races else ("nodes",)
    same = [index for index, node in enumerate(block.nodes) if node.id == fault.nodes[0]]
    if fault.code == "duplicate":
        return ("nodes", same[-1], "id") if same else ("nodes",)
    at = same[0]
    return ("nodes", at, *_inside(block.nodes[at], fault))


def _inside(node: FlowNodeDeclaration, fault: PlanFault) -> _Path:
    """Return where in a node the value stands that a fault is about."""
    match fault.code:
        case "condition":
            return ("when",)
        case "race":
            return ("race_group",)
        case "bad_id" if fault.about:
            return ("race_group",)
        case "fallback" if node.fallback == fault.about:
            return ("fallback",)
        case "dangling" | "self" | "fallback":
            return _named_at(node, fault.about)
        case _:
            return ("id",)


def _named_at(node: FlowNodeDeclaration, name: str) -> _Path:
    """Return where `node` names another step, or refers to what `name` spells."""
    if name in node.depends_on:
        return ("depends_on", node.depends_on.index(name))
    said: dict[str, Json] = {"goal": node.goal, "arguments": node.arguments}
    places = [path for path, reference in _references(said) if name in {reference.name, str(reference)}]
    return places[0] if places else ("when",)


def _references(value: Json, path: _Path = ()) -> Iterator[tuple[_Path, Reference]]:
    """Yield the references below `value`, each with the path of its text."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _references(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _references(inner, (*path, index))
    else:
        for reference in references_in(value):
            yield path, reference

"""`Plan`: steps and what each waits for; the noun that planners, flows and engines share.

Not here: whether it can work (`plan/faults.py`), what is done when (`run/schedule.py`), how a model writes one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from pegboard.plan.references import INPUTS, names_in
from pegboard.text import Json

ID = r"[a-z][a-z0-9_-]{0,63}"
"""What a node or a race may be called."""

NodeType: TypeAlias = Literal["tool", "sub_agent"]
OnFailure: TypeAlias = Literal["skip_dependents", "continue", "fail"]
"""What a failed node does to others: those that wait for it are skipped, go on without it, or the whole run ends."""


@dataclass(frozen=True, slots=True)
class Node:
    """One step."""

    id: str
    tool: str
    """What is called: a tool, or of a `sub_agent` the agent."""
    arguments: Mapping[str, Json] = field(default_factory=dict)
    """With `${node.path}` in its texts; an agent's goal is its argument `goal`."""
    type: NodeType = "tool"
    depends_on: tuple[str, ...] = ()
    """Ids of nodes or races, as they are written; what `arguments` and `when` refer to comes besides."""
    race: str = ""
    """The race that it takes part in; empty: none."""
    when: str = ""
    """JMESPath over `{inputs, nodes}`: the node is left out where it gives nothing that counts as true."""
    needs: Literal["all", "any"] = "all"
    """Whether it runs only when all that it waits for has come to something, or when at least one of it has."""
    on_failure: OnFailure = "skip_dependents"
    fallback: str = ""
    """The node that runs if this one has failed, and stands in for it; empty: none."""

    def to_json(self) -> dict[str, Json]:
        """Return it as a plan is written."""
        told: dict[str, Json] = {"id": self.id, "type": self.type}
        told["agent" if self.type == "sub_agent" else "tool"] = self.tool
        told["arguments"] = dict(self.arguments)
        told["depends_on"] = list(self.depends_on)
        said: tuple[tuple[str, str, str], ...] = (
            ("race_group", self.race, ""),
            ("when", self.when, ""),
            ("needs", self.needs, "all"),
            ("on_failure", self.on_failure, "skip_dependents"),
            ("fallback", self.fallback, ""),
        )
        return told | {key: value for key, value, usual in said if value != usual}


@dataclass(frozen=True, slots=True)
class Race:
    """How the nodes of one race run; the first of them that succeeds stands for all."""

    name: str
    in_turn: bool = False
    """One after the other, the next only when the one before has failed; or else all at once."""
    favourite: str = ""
    """The node that starts before the others; empty: none."""
    head_start_seconds: float = 0.0
    """How long the others wait for it."""
    timeout_seconds: float | None = None
    """When nobody has won by then, all have lost; counted from the first start."""


@dataclass(frozen=True)
class Plan:
    """Steps in the order in which they were written; it has been found to be sound (`plan/faults.py`)."""

    nodes: tuple[Node, ...]
    races: tuple[Race, ...] = ()
    """Those that are not as usual."""

    @cached_property
    def by_id(self) -> Mapping[str, Node]:
        """The nodes by their ids."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def racers(self) -> Mapping[str, tuple[str, ...]]:
        """The nodes of each race, in the order of the plan."""
        found: dict[str, tuple[str, ...]] = {}
        for node in self.nodes:
            if node.race:
                found[node.race] = (*found.get(node.race, ()), node.id)
        return found

    @cached_property
    def members(self) -> Mapping[str, tuple[str, ...]]:
        """The nodes of each unit that has several: of a race its racers, of a node with a fallback it and that."""
        return {**self.racers, **_chains(self.nodes)}

    @cached_property
    def _heads(self) -> Mapping[str, str]:
        return {member: unit for unit, members in self.members.items() for member in members}

    def race(self, name: str) -> Race:
        """Return how the race of that name runs."""
        return next((race for race in self.races if race.name == name), Race(name))

    def unit(self, name: str) -> str:
        """Return what waiting for `name` means: of a racer the race, of a fallback the node that it stands in for."""
        return self._heads.get(name, name)

    @cached_property
    def needs(self) -> Mapping[str, tuple[str, ...]]:
        """The units that each node waits for: those it says, and those it refers to; each once, sorted."""
        return {node.id: tuple(sorted({self.unit(name) for name in named_by(node)})) for node in self.nodes}

    @cached_property
    def followers(self) -> Mapping[str, Sequence[str]]:
        """The nodes that wait for each unit that is waited for."""
        found: dict[str, list[str]] = {}
        for node in self.nodes:
            for unit in self.needs[node.id]:
                found.setdefault(unit, []).append(node.id)
        return found

    @cached_property
    def heights(self) -> Mapping[str, int]:
        """How many nodes follow each on the longest way to an end, itself counted."""
        heights: dict[str, int] = {}
        for node_id in reversed(in_order(self)):
            followers = self.followers.get(self.unit(node_id), ())
            heights[node_id] = 1 + max((heights[follower] for follower in followers), default=0)
        return heights


def named_by(node: Node) -> set[str]:
    """Return all nodes and races that `node` names: in `depends_on`, in its arguments, in its condition."""
    return {*node.depends_on, *names_in(node.arguments), *_nodes_in(node.when)} - {INPUTS}


def _nodes_in(condition: str) -> set[str]:
    from pegboard.plan.conditions import nodes_in  # noqa: PLC0415 (jmespath is for the few plans that have conditions)

    return nodes_in(condition) if condition else set()


def _chains(nodes: Sequence[Node]) -> dict[str, tuple[str, ...]]:
    """Return the nodes that have a fallback, each with those that stand in for it one after the other.

    What races, stands in for two, or falls back in a circle (all of them faults) stands by itself.
    """
    alone = {node.id: node for node in nodes if not node.race}
    named = Counter(node.fallback for node in nodes if node.fallback)
    leading = {node.id: node.fallback for node in alone.values() if node.fallback in alone and named[node.fallback] < 2}
    chains: dict[str, tuple[str, ...]] = {}
    for name in leading:
        if name in named:
            continue
        chain = [name]
        while name := leading.get(name, ""):
            chain.append(name)
        chains[chain[0]] = tuple(chain)
    return chains


def ends_of(plan: Plan, first: int) -> frozenset[str]:
    """Return the units that nothing waits for; those behind the `first` nodes wait for what had ended before."""
    found: set[str] = set()
    for nodes in (plan.nodes[:first], plan.nodes[first:]):
        found |= {plan.unit(node.id) for node in nodes} - {unit for node in nodes for unit in plan.needs[node.id]}
    return frozenset(found)


def in_order(plan: Plan) -> list[str]:
    """Return the ids so that each stands after all that it waits for; of a circle, its nodes are left out."""
    units = dict.fromkeys(plan.unit(node.id) for node in plan.nodes)
    left: dict[str, int] = {}
    waiting: dict[str, list[str]] = {}
    members: dict[str, Sequence[str]] = {unit: plan.members.get(unit, (unit,)) for unit in units}
    for unit in units:
        needs = {need for member in members[unit] for need in plan.needs[member]}
        left[unit] = len(needs)
        for need in needs:
            waiting.setdefault(need, []).append(unit)
    order: list[str] = []
    free = [unit for unit in units if not left[unit]]
    while free:
        unit = free.pop()
        order += members[unit]
        for follower in waiting.get(unit, ()):
            left[follower] -= 1
            if not left[follower]:
                free.append(follower)
    return order

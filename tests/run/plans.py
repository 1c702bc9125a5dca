"""Sound plans at random, and a driver that ends their nodes in any order."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from pegboard.plan.graph import Node, Plan, Race, in_order

TOOLS = ("search", "details", "clock")


@st.composite
def plans(draw: st.DrawFn, *, most: int = 12) -> Plan:
    """Return a plan: each node waits for some that stand before it, some race, some have conditions."""
    count = draw(st.integers(1, most))
    races = [f"race{number}" for number in range(draw(st.integers(0, 2)))]
    nodes: list[Node] = []
    for number in range(count):
        race = draw(st.sampled_from(["", "", *races]))
        before = [node for node in nodes if not race or node.race != race]
        usable = [node.id for node in before if not (race and _reaches(nodes, node, race))]
        waits = draw(st.lists(st.sampled_from(usable), max_size=3, unique=True)) if usable else []
        nodes.append(
            Node(
                id=f"n{number}",
                tool=draw(st.sampled_from(TOOLS)),
                depends_on=tuple(waits),
                race=race,
                when=draw(st.sampled_from(["", "", "", "inputs.go"])),
                type=draw(st.sampled_from(["tool", "tool", "sub_agent"])),
                needs=draw(st.sampled_from(["all", "all", "any"])),
                on_failure=draw(st.sampled_from(["skip_dependents", "skip_dependents", "continue", "fail"])),
            )
        )
    nodes = draw(_with_fallbacks(_without_circles(nodes)))
    racers = Plan(tuple(nodes)).racers
    return Plan(tuple(nodes), tuple(draw(_race(name, members)) for name, members in racers.items()))


def behind(done: Sequence[str], more: Plan) -> Plan:
    """Return `more` as further steps: with names of its own, and what waited for nothing waits for some of `done`."""

    def name(old: str) -> str:
        return f"more-{old}" if old else ""

    nodes: list[Node] = []
    for place, node in enumerate(more.nodes):
        waits = tuple(map(name, node.depends_on)) or tuple(done[place % (len(done) + 1) :][:2])
        nodes.append(
            replace(node, id=name(node.id), race=name(node.race), fallback=name(node.fallback), depends_on=waits)
        )
    races = [replace(race, name=name(race.name), favourite=name(race.favourite)) for race in more.races]
    return Plan(tuple(nodes), tuple(races))


@st.composite
def _with_fallbacks(draw: st.DrawFn, nodes: list[Node]) -> list[Node]:
    """Let some nodes fall back to one that nothing waits for and that waits for nothing, or on to another."""
    waited = {name for node in nodes for name in node.depends_on}
    spare = [node for node in nodes if not (node.race or node.depends_on or node.id in waited)]
    falling = {other.id: other for other in nodes if not other.race}
    for node in spare if draw(st.booleans()) else ():
        others = [name for name, each in falling.items() if not each.fallback and name < node.id]
        if others:
            name: str = draw(st.sampled_from(others))
            falling[name] = replace(falling[name], fallback=node.id)
    return [falling.get(node.id, node) for node in nodes]


@st.composite
def _race(draw: st.DrawFn, name: str, members: tuple[str, ...]) -> Race:
    favourite = draw(st.sampled_from(["", *members]))
    return Race(
        name,
        in_turn=draw(st.booleans()),
        favourite=favourite,
        head_start_seconds=0.3 if favourite else 0.0,
        timeout_seconds=draw(st.sampled_from([None, 1.0])),
    )


def _reaches(nodes: list[Node], node: Node, race: str) -> bool:
    """Tell whether `node` waits, over however many, for a racer of `race`."""
    by_id = {each.id: each for each in nodes}
    seen: set[str] = set()
    waiting = [node.id]
    while waiting:
        each = by_id[waiting.pop()]
        if each.race == race:
            return True
        members = [other.id for other in nodes if each.race and other.race == each.race]
        for name in {*each.depends_on, *members} - seen:
            seen.add(name)
            waiting.append(name)
    return False


def _without_circles(nodes: list[Node]) -> list[Node]:
    """Drop what nodes wait for where races have closed a circle."""
    ordered = set(in_order(Plan(tuple(nodes))))
    if len(ordered) == len(nodes):
        return nodes
    return [node if node.id in ordered else Node(node.id, node.tool, type=node.type, race=node.race) for node in nodes]

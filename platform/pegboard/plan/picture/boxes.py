"""From a plan to what is drawn of it: a box for each node, and one for those of a race or with a fallback together."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pegboard.plan.graph import Node, Plan
from pegboard.plan.picture.look import Look, Standing, width
from pegboard.text import Json, to_json

_MOST_ARGUMENTS = 4
_TOOL_COLUMNS = 40
_STATE_COLUMNS = 9
"""Of the longest word for a state, so that a box stays as wide as it is while the node runs."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a box."""

    text: str
    state: str = ""
    """Of the node that it is about, where that is shown."""


@dataclass(frozen=True, slots=True)
class Box:
    """What is drawn as one."""

    name: str
    """The unit of the plan: a node, a race, or the first of those that stand in for each other."""
    title: str
    """Of a race; else empty."""
    lines: tuple[Line, ...]
    needs: tuple[str, ...]
    """The boxes that it waits for."""

    @property
    def width(self) -> int:
        """How many columns it takes; odd, so that it has a middle."""
        inner = max([width(self.title), *(width(line.text) for line in self.lines)])
        return inner + 4 + (inner + 1) % 2

    @property
    def height(self) -> int:
        """How many rows it takes."""
        return len(self.lines) + 2


def boxes_of(plan: Plan, standings: Mapping[str, Standing] | None, look: Look, room: int) -> list[Box]:
    """Return the boxes of `plan` in its order, its texts cut to `room` columns; with 0, no arguments are shown."""
    boxes: dict[str, Box] = {}
    for node in plan.nodes:
        unit = plan.unit(node.id)
        if unit in boxes:
            continue
        members = [plan.by_id[name] for name in plan.members.get(unit, (unit,))]
        needs = dict.fromkeys(need for member in members for need in plan.needs[member.id])
        lines = [line for member in members for line in _lines(member, unit, standings, look, room)]
        boxes[unit] = Box(unit, race_title(plan, unit, look), tuple(lines), tuple(needs))
    return list(boxes.values())


def race_title(plan: Plan, unit: str, look: Look) -> str:
    """Return what is said of a race; empty of anything else."""
    if unit not in plan.racers:
        return ""
    race = plan.race(unit)
    said = [f"race {unit}", "in turn" if race.in_turn else ""]
    said.append(f"{race.favourite} {race.head_start_seconds:g} s ahead" if race.favourite else "")
    said.append(f"at most {race.timeout_seconds:g} s" if race.timeout_seconds is not None else "")
    return look.shown(", ".join(filter(None, said)), _TOOL_COLUMNS)


def head(node: Node, unit: str, standing: Standing | None, look: Look) -> str:
    """Return the line that names a node: how it stands, its id, its tool."""
    name, tool = look.shown(node.id, _TOOL_COLUMNS), look.shown(node.tool, _TOOL_COLUMNS)
    instead = "else " if node.id != unit and not node.race else ""
    said = f"{instead}{name}  {'agent ' if node.type == 'sub_agent' else ''}{tool}"
    return said if standing is None else f"{look.sign(standing.state)} {said}"


def took(standing: Standing) -> str:
    """Say how long a node took, or why it did not run."""
    if standing.state in {"running", "succeeded", "failed"}:
        return "" if standing.seconds is None else f"{standing.seconds:.1f} s"
    return "" if standing.state in {"waiting", "judging"} else standing.state


def details(node: Node) -> Iterator[str]:
    """Yield what else is to be said of a node: its arguments, and what is not as usual."""
    for place, (name, value) in enumerate(node.arguments.items(), start=1):
        if place == _MOST_ARGUMENTS and len(node.arguments) > place:
            yield f"and {len(node.arguments) - place + 1} more arguments"
            break
        yield f"{name}: {value_text(value)}"
    if node.when:
        yield f"when {node.when}"
    if node.needs == "any":
        yield "needs any"
    if node.on_failure != "skip_dependents":
        yield f"on failure: {node.on_failure}"


def value_text(value: Json) -> str:
    """Return an argument in one text."""
    return value if isinstance(value, str) else to_json(value)


def _lines(node: Node, unit: str, standings: Mapping[str, Standing] | None, look: Look, room: int) -> Iterator[Line]:
    standing = None if standings is None else standings.get(node.id, Standing("waiting"))
    first = head(node, unit, standing, look)
    if standing is None:
        yield Line(first)
    else:
        yield Line(f"{first}  {took(standing):>{_STATE_COLUMNS}}", standing.state)
    for text in details(node) if room else ():
        yield Line(f"  {look.shown(text, room)}", standing.state if standing else "")

"""A plan as a list, for what is too large to be drawn: its nodes by layers, each with what it waits for."""

from collections.abc import Iterator, Mapping

from pegboard.plan.graph import Node, Plan
from pegboard.plan.picture.boxes import boxes_of, details, head, race_title, took
from pegboard.plan.picture.canvas import Paint
from pegboard.plan.picture.layers import levels_of
from pegboard.plan.picture.look import Look, Standing


def listed(plan: Plan, standings: Mapping[str, Standing] | None, look: Look, paint: Paint) -> list[str]:
    """Return the lines; `1.` is what waits for nothing, `2.` what waits for some of that, and so on."""
    boxes = boxes_of(plan, None, look, 0)
    levels = levels_of(boxes)
    last = 1 + max(levels.values(), default=0)
    figures = len(str(last)) + 1
    lines: list[str] = []
    before = -1
    for box in sorted(boxes, key=lambda each: levels.get(each.name, last)):
        level = levels.get(box.name, last)
        number = f"{level + 1}." if level != before else ""
        before = level
        title = race_title(plan, box.name, look)
        if title:
            lines.append(f"{number:{figures}} {look.cut(title, look.columns - figures - 1)}")
            number = ""
        for name in plan.members.get(box.name, (box.name,)):
            standing = None if standings is None else standings.get(name, Standing("waiting"))
            indent = f"{number:{figures}} {'  ' if title else ''}"
            said = look.cut("  ".join(_said(plan, plan.by_id[name], standing, look)), look.columns - len(indent))
            lines.append((indent + paint(said, standing.state if standing else "")).rstrip())
            number = ""
    return lines


def _said(plan: Plan, node: Node, standing: Standing | None, look: Look) -> Iterator[str]:
    yield head(node, plan.unit(node.id), standing, look)
    if standing is not None:
        yield from filter(None, (took(standing), look.shown(standing.reason, look.columns)))
    if plan.needs[node.id]:
        yield look.shown(f"after {', '.join(plan.needs[node.id])}", look.columns)
    yield from (look.shown(text, look.columns) for text in details(node))

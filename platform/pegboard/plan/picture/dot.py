"""A plan in Graphviz's DOT (https://graphviz.org/doc/info/lang.html); each text is a quoted string."""

import unicodedata
from collections.abc import Iterator, Mapping

from pegboard.plan.graph import Node, Plan
from pegboard.plan.picture.boxes import race_title
from pegboard.plan.picture.look import Look, Standing
from pegboard.plan.picture.mermaid import label_lines

_STYLES: Mapping[str, str] = {
    "running": 'style=filled fillcolor="#cfe8fc"',
    "held": 'style=filled fillcolor="#fff3c4"',
    "succeeded": 'style=filled fillcolor="#d7f3d9"',
    "failed": 'style=filled fillcolor="#fbd5d5"',
    "skipped": "style=dashed",
    "lost": "style=dashed",
    "cancelled": "style=dashed",
}


def dot(plan: Plan, standings: Mapping[str, Standing] | None) -> str:
    """Return `plan` as a digraph; nodes are called `n0`, `n1` and so on, races are clusters."""
    names = {node.id: f"n{place}" for place, node in enumerate(plan.nodes)}
    lines = ["digraph plan {", "  compound=true;", '  node [shape=box fontname="sans-serif"];']
    for place, (race, members) in enumerate(plan.racers.items()):
        lines += [f"  subgraph cluster_{place} {{", f"    label={quoted([race_title(plan, race, Look())])};"]
        lines += [f"  {_node(plan.by_id[member], names, standings)}" for member in members]
        lines.append("  }")
    lines += [_node(node, names, standings) for node in plan.nodes if not node.race]
    return "\n".join([*lines, *_arrows(plan, names), "}"])


def quoted(texts: list[str]) -> str:
    r"""Return lines as one quoted string: `\l` ends each, to the left; entities and escapes are none."""
    return '"' + "".join(f"{_escaped(text)}\\l" for text in texts) + '"'


def _escaped(text: str) -> str:
    harmless = "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in text)
    return harmless.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")


def _node(node: Node, names: Mapping[str, str], standings: Mapping[str, Standing] | None) -> str:
    standing = None if standings is None else standings.get(node.id, Standing("waiting"))
    style = _STYLES.get(standing.state, "") if standing else ""
    return f"  {names[node.id]} [{' '.join(filter(None, (f'label={quoted([*label_lines(node, standing)])}', style)))}];"


def _arrows(plan: Plan, names: Mapping[str, str]) -> Iterator[str]:
    clusters = {race: f"cluster_{place}" for place, race in enumerate(plan.racers)}
    for node in plan.nodes:
        for need in plan.needs[node.id]:
            if need in clusters:
                yield f"  {names[plan.racers[need][-1]]} -> {names[node.id]} [ltail={clusters[need]}];"
            else:
                yield f"  {names[need]} -> {names[node.id]};"
        if node.fallback:
            yield f"  {names[node.id]} -> {names[node.fallback]} [style=dashed label=else];"

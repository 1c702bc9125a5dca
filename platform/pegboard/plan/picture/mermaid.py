"""A plan as a Mermaid flowchart.

Each text is quoted, and every character that could mean something to Mermaid, its Markdown, its directives or its HTML
is an entity code (https://mermaid.js.org/syntax/flowchart.html#entity-codes-to-escape-characters).
"""

import unicodedata
from collections.abc import Iterator, Mapping

from pegboard.plan.graph import Node, Plan
from pegboard.plan.picture.boxes import details, head, race_title, took
from pegboard.plan.picture.look import Look, Standing

_ITSELF = frozenset(" .,:/=+!?'_-")
_COLUMNS = 60
_STYLES: Mapping[str, str] = {
    "running": "fill:#cfe8fc,stroke:#1f6fb2",
    "held": "fill:#fff3c4,stroke:#b58900",
    "succeeded": "fill:#d7f3d9,stroke:#2e7d32",
    "failed": "fill:#fbd5d5,stroke:#b3261e",
    "skipped": "stroke-dasharray: 4 3",
    "lost": "stroke-dasharray: 4 3",
    "cancelled": "stroke-dasharray: 4 3",
}


def mermaid(plan: Plan, standings: Mapping[str, Standing] | None) -> str:
    """Return `plan` as the text of a flowchart; nodes are called `n0`, `n1` and so on, races `r0`, `r1`."""
    names = {node.id: f"n{place}" for place, node in enumerate(plan.nodes)}
    names |= {race: f"r{place}" for place, race in enumerate(plan.racers)}
    lines = ["flowchart TD"]
    for race, members in plan.racers.items():
        lines.append(f'  subgraph {names[race]}["{escaped(race_title(plan, race, Look()))}"]')
        lines += [f"  {_node(plan, plan.by_id[member], names, standings)}" for member in members]
        lines.append("  end")
    lines += [_node(plan, node, names, standings) for node in plan.nodes if not node.race]
    lines += _arrows(plan, names)
    states = {standing.state for standing in (standings or {}).values()}
    lines += [f"  classDef {state} {style}" for state, style in _STYLES.items() if state in states]
    return "\n".join(lines)


def escaped(text: str) -> str:
    """Return `text` so that it can stand between quotes."""
    return "".join(map(_sign, text))


def label_lines(node: Node, standing: Standing | None) -> Iterator[str]:
    """Yield what stands in a node."""
    look = Look()
    yield head(node, node.id, standing, look)
    if standing is not None and (said := took(standing)):
        yield said
    yield from (look.shown(text, _COLUMNS) for text in details(node))


def _node(plan: Plan, node: Node, names: Mapping[str, str], standings: Mapping[str, Standing] | None) -> str:
    standing = None if standings is None else standings.get(node.id, Standing("waiting"))
    text = "<br/>".join(map(escaped, label_lines(node, standing)))
    shown = f":::{standing.state}" if standing is not None and standing.state in _STYLES else ""
    return f'  {names[node.id]}["{text}"]{shown}'


def _arrows(plan: Plan, names: Mapping[str, str]) -> Iterator[str]:
    for node in plan.nodes:
        for need in plan.needs[node.id]:
            yield f"  {names[need]} --> {names[node.id]}"
        if node.fallback:
            yield f"  {names[node.id]} -. else .-> {names[node.fallback]}"


def _sign(sign: str) -> str:
    if sign.isalnum() or sign in _ITSELF:
        return sign
    return " " if unicodedata.category(sign)[0] in "CZ" else f"#{ord(sign)};"

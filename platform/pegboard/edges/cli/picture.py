"""The picture of a plan on the terminal of a command."""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal, TextIO, TypeAlias

import typer

from pegboard.edges.cli.output import is_terminal, plain, print_line, styled
from pegboard.text import Json, to_json

if TYPE_CHECKING:
    from pegboard.app import Look, Standing

Shape: TypeAlias = Annotated[
    Literal["text", "mermaid", "dot", "json"] | None,
    typer.Option("--format", help="How the plan is shown: drawn (text), for Mermaid, for Graphviz, or as JSON."),
]
Ascii: TypeAlias = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]

_UNBOUNDED = (120, 40)
"""Columns and rows of what is no terminal, or does not say."""
_NARROWEST = 20
_STYLES: Mapping[str, tuple[str, ...]] = {
    "running": ("cyan",),
    "held": ("yellow",),
    "succeeded": ("green",),
    "failed": ("red",),
    "skipped": ("dim",),
    "lost": ("dim",),
    "cancelled": ("dim",),
}


def look_of(stream: TextIO, *, is_ascii: bool, rows: int | None = None) -> "Look":
    """Return how a picture looks on `stream`, at most so many rows high."""
    from pegboard.app import Look

    columns, _ = size_of(stream)
    return Look(max(columns - 1, _NARROWEST), rows, stream.encoding or "utf-8", is_ascii)


def size_of(stream: TextIO) -> tuple[int, int]:
    """Return the columns and the rows of the terminal behind `stream`."""
    try:
        columns, rows = os.get_terminal_size(stream.fileno()) if is_terminal(stream) else _UNBOUNDED
    except (OSError, ValueError):
        return _UNBOUNDED
    return (columns, rows) if columns and rows else _UNBOUNDED


def lines_of(
    plan: Json, standings: "Mapping[str, Standing] | None", *, to: TextIO, is_ascii: bool, rows: int | None = None
) -> list[str]:
    """Return the picture of a plan for `to`, in colour where it takes that."""
    from pegboard.app import drawn_plan

    def paint(text: str, state: str) -> str:
        return styled(text, *_STYLES[state], to=to) if state in _STYLES else text

    return drawn_plan(plan, standings, look=look_of(to, is_ascii=is_ascii, rows=rows), paint=paint)


def print_plan(plan: Json, standings: "Mapping[str, Standing] | None" = None, *, is_ascii: bool = False) -> None:
    """Print the picture of a plan."""
    for line in lines_of(plan, standings, to=sys.stdout, is_ascii=is_ascii):
        print_line(line)


def print_steps(plan: Json) -> None:
    """Print each step of a plan with its arguments in full."""
    nodes = plan.get("nodes") if isinstance(plan, dict) else plan
    for node in nodes if isinstance(nodes, list) else ():
        if isinstance(node, dict):
            print_line(f"\n{plain(str(node.get('id')))}  {plain(str(node.get('tool') or node.get('agent')))}")
            shown = {key: value for key, value in node.items() if key not in ("id", "type", "tool", "agent") and value}
            for key, value in shown.items():
                print_line(f"  {key}: {plain(value if isinstance(value, str) else to_json(value))}")

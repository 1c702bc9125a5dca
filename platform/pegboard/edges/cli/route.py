"""`platform route`: which tool a question would go to, and why."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from pegboard.edges.cli.arguments import read_stdin
from pegboard.edges.cli.asking import routed, routed_by
from pegboard.edges.cli.decided import print_decision, print_side_by_side
from pegboard.edges.cli.inquiry import Inquiry, known_strategy
from pegboard.edges.cli.opening import backend_of, settings_of
from pegboard.edges.cli.options import AsJson, Config, Data, Mode, NoServer, Previous, Site, Strategies, Tools
from pegboard.edges.cli.output import print_json, print_line
from pegboard.errors import CallFailed, UsageError
from pegboard.text import Json

EPILOG = """\b
Examples:
  platform route "gluten free pasta" --site kitchen
  platform route "用什么代替鸡蛋" --json
  platform route "a quick dinner" --strategy embedded --strategy score
  platform route --replay decision.json   decide again from what --json printed; exit code 1 when it differs
"""


def route(
    context: typer.Context,
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="The question; - reads it from stdin.", show_default=False)
    ] = None,
    *,
    config: Config = None,
    data: Data = None,
    site: Site = None,
    tools: Tools = None,
    previous: Previous = None,
    mode: Mode = None,
    strategies: Strategies = None,
    replay: Annotated[
        Path | None,
        typer.Option("--replay", metavar="FILE", help="Decide again from the JSON of a decision; - reads stdin."),
    ] = None,
    as_json: AsJson = False,
    no_server: NoServer = False,
) -> None:
    """Show which tool a question goes to, and every score."""
    if replay is not None:
        _replay(context, replay, config=config, as_json=as_json)
        return
    if question is None:
        raise UsageError("There is no question.", hint='Write it in quotes: platform route "a quick dinner".')
    one = known_strategy(strategies[0]) if strategies and len(strategies) == 1 else None
    inquiry = Inquiry.of(question, site=site, tools=tools, previous=previous, mode=mode, strategy=one)
    if strategies and one is None:
        decisions = routed_by(context, inquiry, strategies, config=config, data=data)
    else:
        decisions = {"": routed(context, inquiry, config=config, data=data, no_server=no_server)}
    if as_json:
        print_json(next(iter(decisions.values())) if len(decisions) == 1 else decisions)
    elif len(decisions) == 1:
        print_decision(next(iter(decisions.values())))
    else:
        print_side_by_side(decisions)


def _replay(context: typer.Context, file: Path, *, config: Path | None, as_json: bool) -> None:
    found = backend_of(context).replay(settings_of(context, config), _decision_in(file))
    if as_json:
        print_json(found.to_json())
    elif found.agrees:
        print_line(f"the same: {found.tool or 'no tool'} ({found.decided_by})")
    else:
        recorded = f"{found.recorded_tool or 'no tool'} ({found.recorded_by})"
        print_line(f"recorded: {recorded}; now: {found.tool or 'no tool'} ({found.decided_by})")
    if not found.agrees:
        raise typer.Exit(CallFailed.exit_code)


def _decision_in(file: Path) -> Mapping[str, Json]:
    """Read the JSON of one decision.

    Raises:
        UsageError: it cannot be read, or is none.
    """
    try:
        told = json.loads(read_stdin() if str(file) == "-" else file.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} holds no JSON.", hint="Give what platform route --json printed.") from error
    if not isinstance(told, dict):
        raise UsageError(f"{file} holds no decision.", hint="Give what platform route --json printed.")
    return told

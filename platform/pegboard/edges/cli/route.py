"""`platform route`: which tool a question would go to, and why."""

import sys
from collections.abc import Mapping

import typer

from pegboard.edges.cli.asking import routed
from pegboard.edges.cli.inquiry import Inquiry
from pegboard.edges.cli.options import AsJson, Config, Data, Mode, NoServer, Previous, Question, Site, Strategy, Tools
from pegboard.edges.cli.output import inform, padded, print_json, print_line, styled, width
from pegboard.text import Json, clipped

EPILOG = """\b
Examples:
  platform route "gluten free pasta" --site kitchen
  platform route "用什么代替鸡蛋" --json
"""

_BAR = 20


def route(
    context: typer.Context,
    question: Question,
    *,
    config: Config = None,
    data: Data = None,
    site: Site = None,
    tools: Tools = None,
    previous: Previous = None,
    mode: Mode = None,
    strategy: Strategy = None,
    as_json: AsJson = False,
    no_server: NoServer = False,
) -> None:
    """Show which tool a question goes to, and every score."""
    inquiry = Inquiry.of(question, site=site, tools=tools, previous=previous, mode=mode, strategy=strategy)
    decision = routed(context, inquiry, config=config, data=data, no_server=no_server)
    if as_json:
        print_json(decision)
    else:
        _print_decision(decision)


def _print_decision(decision: Mapping[str, Json]) -> None:
    tool = styled(str(decision.get("tool") or "no tool"), "bold", to=sys.stdout)
    print_line(f"{tool}  ({decision.get('decided_by')}, site {decision.get('site')})")
    held = decision.get("candidates")
    candidates = [each for each in held if isinstance(each, dict)] if isinstance(held, list) else []
    names = max((width(str(each.get("tool"))) for each in candidates), default=0)
    for each in candidates:
        print_line(f"  {padded(str(each.get('tool')), names)}  {_bar(each.get('score'))}  {_reason(each)}".rstrip())
    inform(
        f"model: {decision.get('model') or 'none'}, calls: {decision.get('model_calls', 0)}, "
        f"{float(str(decision.get('milliseconds') or 0)):.1f} ms"
    )
    if decision.get("degraded"):
        inform(f"degraded: {decision['degraded']}")


def _bar(score: Json) -> str:
    if not isinstance(score, int | float):
        return f"{'not scored':<{_BAR + 4}}"
    filled = round(_BAR * min(max(score, 0), 100) / 100)
    return f"{score:3.0f} {styled('█' * filled, 'cyan', to=sys.stdout)}{'·' * (_BAR - filled)}"


def _reason(candidate: Mapping[str, Json]) -> str:
    return clipped(str(candidate.get("reason") or ""), 60)

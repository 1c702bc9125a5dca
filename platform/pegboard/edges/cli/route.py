"""`platform route`: which tool a question would go to, and why."""

import typer

from pegboard.edges.cli.asking import routed, routed_by
from pegboard.edges.cli.decided import print_decision, print_side_by_side
from pegboard.edges.cli.inquiry import Inquiry, known_strategy
from pegboard.edges.cli.options import AsJson, Config, Data, Mode, NoServer, Previous, Question, Site, Strategies, Tools
from pegboard.edges.cli.output import print_json

EPILOG = """\b
Examples:
  platform route "gluten free pasta" --site kitchen
  platform route "用什么代替鸡蛋" --json
  platform route "a quick dinner" --strategy embedded --strategy score
"""


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
    strategies: Strategies = None,
    as_json: AsJson = False,
    no_server: NoServer = False,
) -> None:
    """Show which tool a question goes to, and every score."""
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

"""`platform ask`: one question, one answer."""

import sys
from collections.abc import Mapping

import typer

from pegboard.edges.cli.asking import answered
from pegboard.edges.cli.inquiry import Inquiry
from pegboard.edges.cli.options import AsJson, Config, Data, Mode, NoServer, Previous, Question, Site, Strategy, Tools
from pegboard.edges.cli.output import inform, print_json, styled
from pegboard.edges.cli.writer import Silent, Writer, used
from pegboard.text import Json

EPILOG = """\b
Examples:
  platform ask "gluten free pasta" --site kitchen
  platform ask "headphones under $100" --site shop --json
  platform ask "用什么代替鸡蛋" --site kitchen
"""


def ask(
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
    """Ask a site one question; the answer is written as it comes."""
    inquiry = Inquiry.of(question, site=site, tools=tools, previous=previous, mode=mode, strategy=strategy)
    listener = _Silent() if as_json else _Writer()
    answer = answered(context, inquiry, listener, config=config, data=data, no_server=no_server)
    if as_json:
        print_json(answer)
    else:
        listener.finish(answer)


class _Silent(Silent):
    """Says nothing until the whole answer is there, but for what went wrong."""

    def finish(self, answer: Mapping[str, Json]) -> None:
        """Do nothing: the answer is printed as JSON."""


class _Writer(Writer, _Silent):
    """Writes the answer as it comes, then what it rests on, and which tool gave it."""

    def finish(self, answer: Mapping[str, Json]) -> None:
        self.end(str(answer.get("answer") or ""))
        self.cite(answer.get("citations") or answer.get("results"))
        score = answer.get("score")
        shown = f" ({score:.0f})" if isinstance(score, int | float) else ""
        tool = answer.get("tool") or "none"
        told = f"tool: {tool}{shown}, model: {answer.get('model') or 'none'}{used(answer.get('usage'))}"
        inform(styled(told, "dim", to=sys.stderr))

"""`platform ask`: one question, one answer."""

import sys
from collections.abc import Mapping

import typer

from pegboard.edges.cli.asking import answered
from pegboard.edges.cli.inquiry import Inquiry
from pegboard.edges.cli.options import AsJson, Config, Data, Mode, NoServer, Previous, Question, Site, Strategy, Tools
from pegboard.edges.cli.output import inform, plain, print_json, print_line, styled
from pegboard.text import Json, clipped

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


class _Silent:
    """Says nothing until the whole answer is there, but for what went wrong."""

    def piece(self, text: str) -> None:
        """Let a piece of the answer pass."""

    def notice(self, text: str) -> None:
        """Say what the asker should know."""
        inform(f"note: {text}")

    def finish(self, answer: Mapping[str, Json]) -> None:
        """Do nothing: the answer is printed as JSON."""


class _Writer(_Silent):
    """Writes the answer as it comes, then what it rests on."""

    def __init__(self) -> None:
        self._written = ""

    def piece(self, text: str) -> None:
        self._written += text
        sys.stdout.write(plain(text))
        sys.stdout.flush()

    def finish(self, answer: Mapping[str, Json]) -> None:
        if not self._written:
            self.piece(str(answer.get("answer") or ""))
        if self._written and not self._written.endswith("\n"):
            sys.stdout.write("\n")
        self._list(answer)
        score = answer.get("score")
        shown = f" ({score:.0f})" if isinstance(score, int | float) else ""
        tool = answer.get("tool") or "none"
        told = f"tool: {tool}{shown}, model: {answer.get('model') or 'none'}{_used(answer.get('usage'))}"
        inform(styled(told, "dim", to=sys.stderr))

    def _list(self, answer: Mapping[str, Json]) -> None:
        """Print the citations, or the results of an answer that cites nothing."""
        citations = _objects(answer.get("citations"))
        listed = citations or _objects(answer.get("results"))
        if listed:
            print_line()
        for number, each in enumerate(listed, start=1):
            name = styled(clipped(str(each.get("name") or ""), 80), "bold", to=sys.stdout)
            print_line(f"[{each.get('number', number)}] {name}  {each.get('url') or ''}".rstrip())


def _used(usage: Json) -> str:
    """Say what an answer took of models; nothing where it took none."""
    if not isinstance(usage, dict) or not (usage.get("model_calls") or usage.get("cached")):
        return ""
    calls, cached = usage.get("model_calls"), usage.get("cached")
    tokens = sum(count for key in ("tokens_in", "tokens_out") if isinstance(count := usage.get(key), int))
    return f", model calls: {calls}{f' ({cached} cached)' if cached else ''}, tokens: {tokens}"


def _objects(value: Json) -> list[dict[str, Json]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []

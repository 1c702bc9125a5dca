"""`platform eval`: how often the right tool is found; what runs in the CI of those who declare tools."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pegboard.edges.cli.opening import opened, settings_of
from pegboard.edges.cli.options import AsJson, Config, Data, Strategies
from pegboard.edges.cli.output import complain, inform, print_json, print_line, print_table
from pegboard.errors import EvaluationFailed, UsageError
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Evaluation, EvaluationCase, Settings
    from pegboard.edges.served import Served

EPILOG = """\b
Examples:
  platform eval                            every declared example, asked as if it were not declared
  platform eval questions.jsonl --min 0.9  your own questions; exit code 5 when fewer are right
  platform eval --strategy embedded --strategy score --site shop
  platform eval questions.jsonl --json | jq '.[0].questions[] | select(.right | not)'
A line of the file: {"question": "vegan curry", "site": "kitchen", "expect": "search"}
"expect": null wants that no tool is good enough. A tool that only the fallback brought counts as none.
"""

MOST_MISSES = 20
"""How many of them are listed; --json has all."""


def evaluate(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.jsonl", help="Questions with their tools; - reads stdin. Or else the examples."),
    ] = None,
    *,
    config: Config = None,
    data: Data = None,
    site: Annotated[
        str | None, typer.Option("--site", "-s", metavar="NAME", help="One site; all of them otherwise.")
    ] = None,
    strategies: Strategies = None,
    least: Annotated[
        float | None,
        typer.Option("--min", metavar="SHARE", min=0, max=1, help="End with 5 when a smaller share is right, 0 to 1."),
    ] = None,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help="Ask N of the examples, evenly spread.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask questions whose tool is known, and count how often it is found."""
    import anyio

    if file is not None and sample is not None:
        raise UsageError("--sample is for examples; all questions of a file are asked.")
    content = None if file is None else _content(file)
    settings = settings_of(context, config, data)

    async def work() -> "Sequence[Evaluation]":
        return await _evaluated(context, settings, file, content, site=site, strategies=strategies or (), most=sample)

    evaluations = anyio.run(work)
    if as_json:
        print_json([evaluation.to_json() for evaluation in evaluations])
    else:
        _print(evaluations)
    _refuse_fewer(evaluations, least)


def _content(file: Path) -> bytes:
    if str(file) == "-":
        from pegboard.edges.cli.arguments import read_stdin

        return read_stdin().encode()
    try:
        return file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}.") from error


async def _evaluated(
    context: typer.Context,
    settings: "Settings",
    file: Path | None,
    content: bytes | None,
    *,
    site: str | None,
    strategies: Sequence[str],
    most: int | None,
) -> "Sequence[Evaluation]":
    from pegboard.edges.cli.progress import Progress

    async with opened(context, settings) as served:
        if content is None:
            cases = served.examples(site=site, most=most)
        else:
            cases = _cases_of(served, str(file), content, site)
        if not cases:
            raise UsageError("There is nothing to ask.", hint="Name a file of questions, or give the tools examples.")
        with Progress(sys.stderr, "asking", "questions") as progress:
            return await served.evaluate(cases, strategies=strategies, progress=progress.at)


def _cases_of(served: "Served", name: str, content: bytes, site: str | None) -> "Sequence[EvaluationCase]":
    """Return the questions of a file.

    Raises:
        UsageError: some of its lines cannot be used; each has been named.
    """
    questions = served.questions(content, site=site)
    for number, fault in questions.faults:
        complain(f"{name}:{number}: {fault}")
    if count := len(questions.faults):
        raise UsageError(f"{name}: {count} {'line' if count == 1 else 'lines'} cannot be used; nothing was asked.")
    return questions.cases


def _refuse_fewer(evaluations: "Sequence[Evaluation]", least: float | None) -> None:
    below = [each for each in evaluations if least is not None and each.total.accuracy < least]
    if below:
        found = ", ".join(f"{each.name} {each.total.right} of {each.total.asked}" for each in below)
        raise EvaluationFailed(f"Fewer than {least:.1%} took the right tool: {found}.")


def _print(evaluations: "Sequence[Evaluation]") -> None:
    print_table(
        ["STRATEGY", "SITE", "RIGHT", "SHARE", "CALLS", "TOKENS", "MS"],
        [row for each in evaluations for row in _tallies(each)],
    )
    print_line()
    print_table(
        ["STRATEGY", "SITE", "WANTED", "ASKED", "RIGHT", "TOOK INSTEAD"],
        [row for each in evaluations for row in _confusion(each)],
    )
    misses = [row for each in evaluations for row in _misses(each)]
    if misses:
        print_line()
        print_table(["STRATEGY", "SITE", "WANTED", "TOOK", "QUESTION"], misses)
    for each in evaluations:
        models = dict.fromkeys(str(model) for model in _list(each.to_json().get("models")))
        inform(f"{each.name}: scored by {', '.join(models) or 'nobody'}; calls and tokens are means, ms the median")
        if (left := len(each.misses) - MOST_MISSES) > 0:
            inform(f"{each.name}: {left} more missed; --json lists all")
        for trouble, count in each.troubles.most_common():
            inform(f"{each.name}: {count} times: {trouble}")


def _tallies(evaluation: "Evaluation") -> list[list[str]]:
    sites = evaluation.by_site
    rows = {**(sites if len(sites) > 1 else {}), "all" if len(sites) > 1 else next(iter(sites)): evaluation.total}
    return [
        [
            evaluation.name,
            site,
            f"{tally.right} of {tally.asked}",
            f"{tally.accuracy:.1%}",
            f"{tally.calls:.2f}",
            f"{tally.tokens:.0f}",
            f"{tally.milliseconds:.1f}",
        ]
        for site, tally in rows.items()
    ]


def _confusion(evaluation: "Evaluation") -> list[list[str]]:
    return [
        [evaluation.name, site, wanted, str(took.total()), str(took[wanted]), _others(wanted, took)]
        for site, rows in evaluation.confusion().items()
        for wanted, took in rows.items()
    ]


def _others(wanted: str, took: dict[str, int]) -> str:
    return ", ".join(f"{tool} {count}" for tool, count in sorted(took.items(), key=_most_first) if tool != wanted)


def _most_first(pair: tuple[str, int]) -> tuple[int, str]:
    return -pair[1], pair[0]


def _misses(evaluation: "Evaluation") -> list[list[str]]:
    return [
        [evaluation.name, each.case.site, each.case.expect or "(none)", each.took or "(none)", each.case.question]
        for each in evaluation.misses[:MOST_MISSES]
    ]


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []

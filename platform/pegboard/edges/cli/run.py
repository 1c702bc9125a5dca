"""`platform run`: a plan is run, and seen while it runs; what came of it is the answer."""

import shlex
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from pegboard.edges.cli.driving import Drives
from pegboard.edges.cli.options import AsJson, Config, Data, NoServer, Site
from pegboard.edges.cli.ordering import PLANNING, Input, Only, PlanFile, Planning, Wanted, inputs_from, order_of
from pegboard.edges.cli.output import inform, print_json, print_line, styled
from pegboard.edges.cli.picture import Ascii
from pegboard.edges.cli.plan import say_how
from pegboard.edges.cli.screen import Approving
from pegboard.edges.cli.watched import Held
from pegboard.edges.cli.writer import Silent, Writer, used
from pegboard.errors import CallFailed
from pegboard.text import Json

EPILOG = """\b
Examples:
  platform run "what is 2 + 3" --site kitchen
  platform run --plan plan.json --input city=Paris
  platform run "what is 2 + 3" --detach           begin it on a running server, and leave
The run is kept: platform runs show RUN. Ctrl-C cancels it. Exit code 1 when it does not succeed.
"""


def run(
    context: typer.Context,
    question: Wanted = None,
    *,
    file: PlanFile = None,
    config: Config = None,
    data: Data = None,
    site: Site = None,
    tools: Only = None,
    inputs: Input = None,
    max_parallel: Annotated[
        int, typer.Option("--max-parallel", metavar="N", help="Steps that run at once.", min=1, max=64)
    ] = 8,
    deadline: Annotated[
        float | None, typer.Option("--deadline", metavar="SECONDS", help="How long the steps may work.", min=0.001)
    ] = None,
    detach: Annotated[
        bool, typer.Option("--detach", "-d", help="Begin the run on a running server, print its id, and leave.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve whatever waits for an approval.")] = False,
    is_ascii: Ascii = False,
    as_json: AsJson = False,
    no_server: NoServer = False,
) -> None:
    """Plan what has to be done for a question, or take a plan, and run it; the answer is what came of it."""
    import anyio

    from pegboard.edges.cli.patience import patiently

    order = order_of(question, file, site=site, tools=tools)
    order = replace(order, inputs=inputs_from(inputs), max_parallel=max_parallel, deadline_seconds=deadline)
    planning, approving = Planning(context, config, data, no_server=no_server), approving_of(config, data)

    async def work() -> str:
        async with planning.opened(only_by_server=detach) as drives:
            begun = await patiently(PLANNING, partial(drives.begin, order), sys.stderr)
            say_how(begun)
            if detach:
                _leave(begun, as_json=as_json)
                return "succeeded"
            return await _to_the_end(drives, str(begun["run"]), approving, is_ascii=is_ascii, yes=yes, as_json=as_json)

    if anyio.run(work) != "succeeded":
        raise typer.Exit(CallFailed.exit_code)


def approving_of(config: Path | None, data: Path | None) -> Approving:
    """Return what says by which command a node of the same configuration is approved."""
    places = [("-c", config), ("--data", data)]
    given = [word for option, path in places if path is not None for word in (option, str(path))]

    def approving(held: Held) -> str:
        return shlex.join(["platform", "runs", "approve", held.run, held.node, *given])

    return approving


def _leave(begun: Mapping[str, Json], *, as_json: bool) -> None:
    if as_json:
        print_json(begun)
    else:
        print_line(str(begun["run"]))
        inform(f"It runs on the server: platform runs show {begun['run']}")


async def _to_the_end(  # what the command was told
    drives: Drives, run: str, approving: Approving, *, is_ascii: bool, yes: bool, as_json: bool
) -> str:
    """Follow a run, print its answer, and return how it ended.

    Raises:
        CallFailed: no step gave anything.
    """
    from pegboard.edges.cli.following import Following, written

    watched = await Following(drives, approving, is_ascii, yes).to_the_end_or_ours(run)
    if as_json:
        await _print_whole(drives, run)
        return watched.status
    writer = Writer()
    answer = await written(drives, run, writer)
    writer.end(str(answer.get("text") or ""))
    writer.cite(answer.get("citations") or answer.get("items"))
    usages = (await drives.view(run)).get("usage"), answer.get("usage")
    told = f"run {run}: {watched.came_to}, model: {answer.get('model') or 'none'}{used(*usages)}"
    inform(styled(told, "dim", to=sys.stderr))
    return watched.status


async def _print_whole(drives: Drives, run: str) -> None:
    """Print how a run stands, with its answer: as the site's model writes it, where any step gave something."""
    from pegboard.edges.cli.following import written

    view = await drives.view(run)
    try:
        view["answer"] = dict(await written(drives, run, Silent()))
    except CallFailed as error:
        inform(f"note: {error}")
    print_json(view)

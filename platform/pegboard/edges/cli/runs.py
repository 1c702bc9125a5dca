"""`platform runs`: the plans that are run, now and before; look at them, end them, let them go on."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from pegboard.edges.cli.driving import CANCELLED
from pegboard.edges.cli.help import group_of
from pegboard.edges.cli.opening import backend_of, opened, settings_of
from pegboard.edges.cli.options import AsJson, Config, Data
from pegboard.edges.cli.output import inform, plain, print_json, print_line, print_table
from pegboard.edges.cli.picture import Ascii, print_plan
from pegboard.edges.cli.run import approving_of
from pegboard.edges.cli.screen import Approving
from pegboard.edges.cli.watched import Held
from pegboard.edges.cli.writer import Writer, used
from pegboard.edges.running import Runs
from pegboard.edges.standing import standings_in, status_in
from pegboard.errors import CallFailed
from pegboard.text import Json, clipped, to_json

_LIST_EPILOG = """\b
Examples:
  platform runs list           the latest runs
  platform runs list --json
"""
_SHOW_EPILOG = """\b
Examples:
  platform runs show 5f2c91b04d7e6a38
"""
_RESUME_EPILOG = """\b
Examples:
  platform runs resume 5f2c91b04d7e6a38
  platform runs resume 5f2c91b04d7e6a38 --changed reuse   keep what is the same after an edit
A server drives on by itself what a process has left. Exit code 1 when the run does not succeed.
"""
_CANCEL_EPILOG = """\b
Examples:
  platform runs cancel 5f2c91b04d7e6a38
"""
_APPROVE_EPILOG = """\b
Examples:
  platform runs approve 5f2c91b04d7e6a38              the only approval that it waits for
  platform runs approve 5f2c91b04d7e6a38 write        that of a node, or the only one inside of it
  platform runs approve 5f2c91b04d7e6a38 write --deny
  platform runs approve 5f2c91b04d7e6a38 write --changed keep   with the tool as it was before an edit
"""

_TOOL_IS = {"changed": "has been edited", "gone": "has been taken from the toolset of its site"}
_LONGEST_ARGUMENTS = 500
"""Characters of what a tool would be called with, as they are printed."""

Run: TypeAlias = Annotated[str, typer.Argument(metavar="RUN", help="Id of the run.", show_default=False)]


def group() -> typer.Typer:
    """Return the command with what can be done."""
    return group_of(
        "Look at runs of plans, resume, cancel and approve.",
        [
            ("list", list_, _LIST_EPILOG),
            ("show", show, _SHOW_EPILOG),
            ("resume", resume, _RESUME_EPILOG),
            ("cancel", cancel, _CANCEL_EPILOG),
            ("approve", approve, _APPROVE_EPILOG),
        ],
    )


def list_(
    context: typer.Context,
    config: Config = None,
    data: Data = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many.", min=1)] = 20,
    as_json: AsJson = False,
) -> None:
    """List the runs, the latest first."""
    import anyio

    async def work() -> list[dict[str, Json]]:
        async with _runs(context, config, data) as runs:
            return [view.to_json() for view in await runs.runs(limit=limit)]

    found = anyio.run(work)
    if as_json:
        print_json(found)
        return
    header = ["RUN", "STATUS", "SITE", "BEGAN", "QUESTION"]
    rows = [[each["run"], status_in(each), each["site"], _moment(each["created"]), each["question"]] for each in found]
    print_table(header, [[str(cell) for cell in row] for row in rows])
    if not found:
        inform("Nothing has been run yet: platform run --help")


def show(
    context: typer.Context,
    run: Run,
    config: Config = None,
    data: Data = None,
    is_ascii: Ascii = False,
    as_json: AsJson = False,
) -> None:
    """Show how a run and each of its nodes stand, drawn; of one that has ended, the answer too."""
    import anyio

    async def work() -> tuple[dict[str, Json], Json]:
        async with _runs(context, config, data) as runs:
            told = (await runs.show(run)).to_json()
            if told["status"] != "running":
                told["answer"] = await runs.answer(run)
            return told, await runs.plan(run)

    told, plan = anyio.run(work)
    if as_json:
        print_json(told)
        return
    print_line(_heading(told))
    print_line()
    print_plan(plan, standings_in(told), is_ascii=is_ascii)
    print_line()
    _print_nodes(told)
    _print_approvals(told, approving_of(config, data))
    _print_answer(told.get("answer"))


def resume(
    context: typer.Context,
    run: Run,
    config: Config = None,
    data: Data = None,
    changed: Annotated[
        str,
        typer.Option("--changed", metavar="HOW", help="After an edit of its tools: refuse, or reuse what is the same."),
    ] = "refuse",
    as_json: AsJson = False,
) -> None:
    """Drive a run on that nobody drives, to its end."""
    import anyio

    async def work() -> dict[str, Json]:
        from pegboard.edges.cli.driving import Here
        from pegboard.edges.cli.following import Following

        async with opened(context, settings_of(context, config, data)) as served:
            view = await Here(served).view(run)
            if view["status"] != "running":
                inform(f"Run {run} has ended: there is nothing to resume.")
                return view
            await served.runs.resume(run, on_change="reuse" if changed == "reuse" else "refuse")
            await Following(Here(served), approving_of(config, data)).to_the_end(run)
            return await Here(served).view(run)

    if changed not in ("refuse", "reuse"):
        raise typer.BadParameter("--changed is refuse or reuse.")
    told = anyio.run(work)
    if as_json:
        print_json(told)
    else:
        print_line(_heading(told))
        _print_nodes(told)
        _print_answer(told.get("answer"))
    if told["status"] != "succeeded":
        raise typer.Exit(CallFailed.exit_code)


def cancel(context: typer.Context, run: Run, config: Config = None, data: Data = None) -> None:
    """End a run: nothing more starts, and what works is cancelled."""
    import anyio

    async def work() -> str:
        async with _runs(context, config, data) as runs:
            return await runs.cancel(run, CANCELLED)

    if (status := anyio.run(work)) == "running":
        inform(f"Run {plain(run)} ends.")
    else:
        inform(f"Run {plain(run)} has ended ({status}): there is nothing to cancel.")


def approve(
    context: typer.Context,
    run: Run,
    node: Annotated[
        str, typer.Argument(metavar="[NODE]", help="The node that waits, where it is not the only one.")
    ] = "",
    config: Config = None,
    data: Data = None,
    deny: Annotated[bool, typer.Option("--deny", help="Let it fail instead.")] = False,
    changed: Annotated[
        str,
        typer.Option("--changed", metavar="HOW", help="After an edit of the tool: refuse, or keep it as it was."),
    ] = "refuse",
) -> None:
    """Let a node go on that waits for an approval; whoever drives the run hears of it within a second."""
    import anyio

    async def work() -> str:
        async with _runs(context, config, data) as runs:
            return (await runs.approve(run, node, not deny, on_edit="keep" if changed == "keep" else "refuse")).node

    if changed not in ("refuse", "keep"):
        raise typer.BadParameter("--changed is refuse or keep.")
    found = anyio.run(work)
    inform(
        f"{plain(found)} {'fails' if deny else 'goes on'}; if nobody drives the run: platform runs resume {plain(run)}"
    )


@asynccontextmanager
async def _runs(context: typer.Context, config: Path | None, data: Path | None) -> AsyncIterator[Runs]:
    async with backend_of(context).open_runs(settings_of(context, config, data)) as runs:
        yield runs


def _heading(told: dict[str, Any]) -> str:
    about = f"site {told['site']}, began {_moment(told['created'])}{used(told.get('usage'))}"
    return f"{told['run']}: {status_in(told)} ({about})"


def _print_approvals(told: Mapping[str, Any], approving: Approving) -> None:
    """Print what a run waits for, and what approves it."""
    for each in told.get("approvals", ()):
        print_line()
        where = "" if each["run"] == told["run"] else f" (inside, in run {each['run']})"
        print_line(f"{each['node']} {each['tool']} waits for an approval until {_moment(each['until'])}{where}:")
        print_line(f"  {clipped(to_json(each['arguments']), _LONGEST_ARGUMENTS)}")
        if each["reason"]:
            print_line(f"  because {each['reason']}")
        if tool_is := each.get("tool_is"):
            print_line(
                f"  The tool {_TOOL_IS[tool_is]} since the run began; approve it only if it may be called as it was."
            )
        command = approving(Held(each["run"], each["node"], each["reason"]))
        print_line(f"  To approve it: {command}{' --changed keep' if tool_is else ''}")


def _print_nodes(told: dict[str, Any]) -> None:
    if tainted := told.get("tainted"):
        print_line(f"What is destructive or external waits for an approval: {tainted}.")
    rows = [
        [each["id"], each["tool"], each["state"], ", ".join(each.get("depends_on", ())), each.get("reason", "")]
        for each in told.get("nodes", ())
    ]
    print_table(["NODE", "TOOL", "STATE", "AFTER", "WHY"], rows)


def _print_answer(answer: Json) -> None:
    if isinstance(answer, dict):
        print_line()
        writer = Writer()
        writer.end(str(answer.get("text") or ""))
        writer.cite(answer.get("citations") or answer.get("items"))


def _moment(seconds: Any) -> str:
    return datetime.fromtimestamp(float(seconds), UTC).isoformat(sep=" ", timespec="seconds").removesuffix("+00:00")

"""Handlers in processes of their own: what they give, and that nothing of them outlives their call."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from pegboard.catalog.calling.processes import HandlerCrashed, HandlerRaised, Isolated
from pegboard.catalog.contract import Result
from pegboard.errors import CallFailed
from pegboard.events import CallPiece, Event
from pegboard.run.context import CallContext
from pegboard.run.keeping import Keeper
from pegboard.run.outcome import Failed
from pegboard.run.step import step
from tests.catalog.conftest import OWN as OWN_HANDLERS
from tests.catalog.conftest import Check
from tests.twins import a_tool, context

OWN = "tests.catalog.calling.own_processes"
SECONDS = 60


def isolated(name: str) -> Isolated:
    return Isolated(f"{OWN}:{name}", ("tests",))


@asynccontextmanager
async def keeping() -> AsyncIterator[CallContext]:
    """Hold a context that keeps workers between calls."""
    with anyio.fail_after(SECONDS):
        async with anyio.create_task_group() as group:
            yield replace(context(question="why?"), keeper=Keeper(group))
            group.cancel_scope.cancel()


def lives(pid: int) -> bool:
    """Tell whether a process works still; one that is dead and not yet taken leave of does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_arguments_and_results_travel_and_prints_disturb_nothing() -> None:
    async with keeping() as within:
        result = await isolated("add")(within, {"left": 2, "right": 3})
    assert result == Result("sum: 5", data={"sum": 5}, task="State this result in one or two sentences.")


async def test_a_worker_stays_warm_and_ends_with_its_keeper() -> None:
    async with keeping() as within:
        run = isolated("pid")
        first, second = await run(within, {}), await run(within, {})
        assert first.data == second.data != os.getpid()
        assert isinstance(first.data, int)
        assert lives(first.data)
    assert not lives(first.data)


async def test_it_knows_the_question_and_nothing_that_belongs_to_the_server() -> None:
    async with keeping() as within:
        assert (await isolated("about")(within, {})).text == "why? here en"
        with pytest.raises(HandlerRaised, match=r"no context\.deadline"):
            await isolated("nosy")(within, {})


async def test_it_streams() -> None:
    events: list[Event] = []
    async with keeping() as within:
        result = await isolated("stream")(replace(within, emit=events.append), {})
    assert (result.text, events) == ("天气", [CallPiece("天"), CallPiece("气")])


async def test_a_cancelled_call_kills_the_process_and_all_that_it_started(tmp_path: Path) -> None:
    run, file = isolated("hang"), tmp_path / "pids"
    async with keeping() as within:
        async with anyio.create_task_group() as group:
            group.start_soon(run.__call__, within, {"file": str(file)})
            while not file.exists():
                await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
        started = [int(pid) for pid in file.read_text().split()]
        while any(map(lives, started)):
            await anyio.lowlevel.checkpoint()


async def test_a_call_out_of_time_is_a_timeout_and_the_next_gets_a_new_worker(tmp_path: Path) -> None:
    async with keeping() as within:
        tool = a_tool("t", isolated("hang"), timeout_seconds=0.05)
        outcome = await step(tool, {"file": str(tmp_path / "pids")}, within)
        assert isinstance(outcome, Failed)
        assert outcome.kind == "timeout"


async def test_a_crash_is_told_and_the_next_call_gets_a_new_worker() -> None:
    async with keeping() as within:
        run = isolated("crash")
        for _ in range(2):
            with pytest.raises(HandlerCrashed, match=r"ended \(3\) during the call"):
                await run(within, {})


async def test_an_error_of_our_own_kind_travels_and_a_foreign_one_stays_in_the_log() -> None:
    async with keeping() as within:
        with pytest.raises(CallFailed, match=r"The till is closed\. Come again\."):
            await isolated("refuse")(within, {})
        outcome = await step(a_tool("t", isolated("broken")), {}, within)
    assert isinstance(outcome, Failed)
    assert "secret" not in outcome.message


async def test_what_is_no_reply_ends_the_worker_and_nobody_gets_what_another_was_told() -> None:
    async with keeping() as within:
        run = isolated("noisy")
        with pytest.raises(HandlerCrashed, match="sent what is no reply"):
            await run(within, {"who": "alice"})
        assert (await run(within, {"who": "bob"})).text == "private of bob"


@pytest.mark.parametrize(
    "said",
    [
        '{"result": {"text": "forged"}}',
        '{"result": {"text": "forged"}, "number": 1}',
        '{"ready": true, "number": NUMBER}',
        '{"result": {"text": "forged"}, "number": NUMBER}',
        '{"result": "forged", "number": NUMBER}',
        '{"failed": true, "number": NUMBER}',
        '{"piece": "x", "result": {}, "number": NUMBER}',
        "[]",
    ],
)
async def test_a_reply_without_its_number_or_of_another_form_ends_the_worker(said: str) -> None:
    async with keeping() as within:
        run = isolated("says")
        before = (await run(within, {"line": ""})).data
        with pytest.raises(HandlerCrashed, match=r"^Its process sent what is no reply\.$"):
            await run(within, {"line": said.replace("NUMBER", "3")})
        assert isinstance(before, int)
        assert not lives(before)
        assert (await run(within, {"line": ""})).data != before


async def test_a_handler_finds_nothing_but_the_log_behind_its_stdout() -> None:
    async with keeping() as within:
        assert (await isolated("streams")(within, {})).data == {"stdin": "", "is_stderr": True, "inherited": []}


async def test_a_crash_names_no_path_of_code(tmp_path: Path) -> None:
    async with keeping() as within:
        outcome = await step(a_tool("t", isolated("crash")), {}, within)
    assert isinstance(outcome, Failed)
    assert OWN not in outcome.message


async def test_a_reply_without_bounds_kills_the_worker() -> None:
    async with keeping() as within:
        with pytest.raises(HandlerCrashed, match="sent more than"):
            await isolated("huge")(within, {})


async def test_a_handler_that_cannot_be_loaded_there_is_told() -> None:
    async with keeping() as within:
        with pytest.raises(HandlerCrashed):
            await isolated("nowhere")(within, {})


def test_a_room_of_ours_cannot_be_isolated(checked: Check) -> None:
    report = checked(tools="tools: [{name: calculator, description: Sums, python: {isolate: process}}]")
    assert "PB411" in [problem.code for problem in report.problems]


async def test_a_declared_tool_runs_in_its_process(checked: Check) -> None:
    declared = f"{{name: add, description: Adds, handler: '{OWN_HANDLERS}:add', python: {{isolate: process}}}}"
    tool = checked(tools=f"{{tools: [{declared}], sites: [{{name: here}}]}}").catalog.sites["here"].tool("add")
    async with keeping() as within:
        assert (await tool.run(within, {"left": 2, "right": 3})).data == {"sum": 5}
    assert isinstance(tool.run, Isolated)

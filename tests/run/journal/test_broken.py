"""A journal that cannot be used: a clear error, nothing recorded is lost, and no node has failed by it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import anyio
import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.run.engine import RunBroken
from pegboard.run.journal.entry import Entry
from pegboard.run.journal.journal import Journal
from pegboard.run.journal.row import JournalBroken, Row, RunBusy
from pegboard.run.local.engine import LocalEngine
from pegboard.run.node.specs import specs_of
from tests.run.running import Arguments, engine, node, request, states, tools, world


def a_folder(path: Path) -> None:
    path.mkdir()


def garbage(path: Path) -> None:
    path.write_bytes(b"no database at all, and long enough to be read\n" * 400)


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE runs(x)")


def of_a_later_version(path: Path) -> None:
    Journal(path).close()
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 9")


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (a_folder, "unable to open"),
        (garbage, "not a database"),
        (of_another_program, "it is another program's"),
        (of_a_later_version, "of version 9"),
    ],
)
async def test_a_journal_that_is_none_is_said_and_left_as_it_is(tmp_path: Path, made: object, reason: str) -> None:
    path = tmp_path / "runs.db"
    assert callable(made)
    made(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(JournalBroken, match=reason) as caught:
        async with engine(tmp_path, tools()):
            pass
    assert str(path) in caught.value.message
    assert "move it away" in caught.value.hint
    assert (path.read_bytes() if path.is_file() else b"") == before


async def test_a_data_folder_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(JournalBroken) as caught:
        async with engine(tmp_path / "data", tools()):
            pass
    assert "--data" in caught.value.hint


@contextmanager
def full(opened: LocalEngine) -> Iterator[None]:
    """Let the disk be full for the time of the block."""
    database = opened.journal._store._db
    (pages,) = database.execute("PRAGMA page_count").fetchone()
    database.execute(f"PRAGMA max_page_count = {pages}")
    try:
        yield
    finally:
        database.execute("PRAGMA max_page_count = 1000000")


@pytest.mark.parametrize("is_nested", [False, True])
async def test_a_full_disk_breaks_the_run_off_and_it_goes_on_without_doing_anything_twice(
    tmp_path: Path, is_nested: bool
) -> None:
    calls: list[str] = []
    begun, going = anyio.Event(), anyio.Event()

    async def first(context: Context, arguments: Arguments) -> Result:
        calls.append("first")
        return Result("first")

    async def second(context: Context, arguments: Arguments) -> Result:
        calls.append("second")
        begun.set()
        await going.wait()
        return Result("x" * 60_000)  # more than there is room for

    async def nested(context: Context, arguments: Arguments) -> Result:
        ran = await context.run([{"id": "a", "tool": "first"}, {"id": "b", "tool": "second", "depends_on": ["a"]}])
        return Result(ran.status)

    nodes = [node("n", tool="nested")] if is_nested else [node("a", tool="first"), node("b", "a", tool="second")]
    with anyio.fail_after(30):
        async with engine(tmp_path, tools(first=first, second=second, nested=nested), is_recovering=False) as opened:
            run = await opened.start(request(*nodes, node("last", nodes[-1].id)))
            await begun.wait()
            with full(opened):
                going.set()
                with pytest.raises(RunBroken, match=r"disk is full.*resume"):
                    await opened.outcome(run)
                with pytest.raises(JournalBroken, match="full"):
                    await opened.start(request(*(node(f"n{i}") for i in range(900))))
            assert "failed" not in {each.state for each in (await opened.show(run)).nodes}
            await opened.resume(run)
            ran = await opened.outcome(run)
    assert ran.status == "succeeded"
    assert calls == ["first", "second", "second"]
    assert set(states(ran).values()) == {"succeeded"}


async def test_runs_go_on_by_themselves_when_there_is_room_again_report_2(tmp_path: Path) -> None:
    begun, going = anyio.Event(), anyio.Event()

    async def large(context: Context, arguments: Arguments) -> Result:
        begun.set()
        await going.wait()
        return Result("x" * 60_000)

    with anyio.fail_after(30):
        async with engine(tmp_path, tools(large=large), is_recovering=True, lease_seconds=0.1) as opened:
            run = await opened.start(request(node("a", tool="large")))
            await begun.wait()
            with full(opened):
                going.set()
                with pytest.raises(RunBroken):
                    await opened.outcome(run)
            while (view := await opened.show(run)).status == "running":
                await anyio.lowlevel.checkpoint()
    assert view.status == "succeeded"


async def test_large_results_that_cannot_be_kept_break_the_run_off(tmp_path: Path) -> None:
    async def large(context: Context, arguments: Arguments) -> Result:
        return Result("x" * 100_000)

    blobs = tmp_path / "runs" / "blobs"
    blobs.parent.mkdir()
    blobs.write_text("")  # a file where a folder has to be
    with anyio.fail_after(30):
        async with engine(tmp_path, tools(large=large)) as opened:
            run = await opened.start(request(node("a", tool="large")))
            with pytest.raises(RunBroken, match="beside the journal of runs cannot be written"):
                await opened.outcome(run)
            blobs.unlink()
            await opened.resume(run)
            assert (await opened.outcome(run)).status == "succeeded"


async def test_what_a_dead_process_has_left_is_driven_on_when_its_lease_is_over_report_2(tmp_path: Path) -> None:
    asked = request(node("a"), node("b", "a"))
    asked = asked.with_specs(specs_of(asked.plan, world(tools()).toolset))
    with anyio.fail_after(30):
        async with engine(tmp_path, tools(), is_recovering=True, lease_seconds=0.3) as opened:
            now = opened.journal.now()
            row = Row("r1", asked.to_json(), now, owner="on another machine", lease_until=now + 0.3)
            await opened.journal.create(row, [Entry("run_started", body={"site": "here", "plan": {}})])
            with pytest.raises(RunBusy):
                await opened.resume("r1")
            while (await opened.show("r1")).status == "running":
                await anyio.lowlevel.checkpoint()
            ran = await opened.outcome("r1")
    assert states(ran) == {"a": "succeeded", "b": "succeeded"}

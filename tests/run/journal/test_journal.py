"""The journal of runs: who may add to it, what it forgets, and the blobs beside it."""

import os
from pathlib import Path

import anyio
import pytest

from pegboard.run.journal.blobs import YOUNG_SECONDS, Blobs
from pegboard.run.journal.entry import Entry
from pegboard.run.journal.journal import Journal
from pegboard.run.journal.row import Fenced, Row, RunBusy, UnknownRun
from pegboard.run.journal.sqlite import Append
from pegboard.run.local.owner import Owner


def told(number: int) -> Entry:
    return Entry("node_told", "a", 1, {"told": {"number": number}})


async def begun(journal: Journal, run: str, owner: str = "me") -> None:
    await journal.create(
        Row(run, {"site": "here"}, journal.now(), owner=owner, lease_until=journal.now() + 9), [told(0)]
    )


async def test_what_many_runs_add_at_once_is_all_there_in_order(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "runs.db")
    with anyio.fail_after(20):
        for run in "abcdef":
            await begun(journal, run)

        async def drive(run: str) -> None:
            for number in range(1, 20):
                await journal.append(Append(run, "me", number, journal.now(), [told(number)]))

        async with anyio.create_task_group() as group:
            for run in "abcdef":
                group.start_soon(drive, run)
        for run in "abcdef":
            assert [each.entry for each in await journal.entries(run)] == [told(number) for number in range(20)]
    journal.close()


async def test_who_does_not_know_the_last_entry_or_is_not_the_owner_adds_nothing_and_hinders_nobody(
    tmp_path: Path,
) -> None:
    journal = Journal(tmp_path / "runs.db")
    with anyio.fail_after(20):
        await begun(journal, "a")
        await begun(journal, "b")
        refused: list[str] = []

        async def add(run: str, owner: str, seq: int) -> None:
            try:
                await journal.append(Append(run, owner, seq, 0.0, [told(seq)]))
            except Fenced:
                refused.append(f"{run} {owner} {seq}")

        async with anyio.create_task_group() as group:
            for run, owner, seq in (("a", "me", 0), ("a", "you", 1), ("b", "me", 1), ("a", "me", 7)):
                group.start_soon(add, run, owner, seq)
        assert sorted(refused) == ["a me 0", "a me 7", "a you 1"]
        assert [len(await journal.entries(run)) for run in "ab"] == [1, 2]
    journal.close()


async def test_a_run_is_taken_when_its_lease_is_over_or_its_owner_gone(tmp_path: Path) -> None:
    now = [1000.0]
    journal = Journal(tmp_path / "runs.db", now=lambda: now[0])
    await begun(journal, "a")
    with pytest.raises(RunBusy):
        await journal.take("a", "you", lease_seconds=5)
    assert (await journal.take("a", "you", lease_seconds=5, gone=["me"])).owner == "you"
    now[0] += 5
    assert (await journal.take("a", "she", lease_seconds=5)).owner == "she"
    with pytest.raises(Fenced):
        await journal.append(Append("a", "you", 1, 0.0, [told(1)]))
    journal.close()


async def test_old_runs_are_forgotten_with_those_inside_them(tmp_path: Path) -> None:
    now = [0.0]
    journal = Journal(tmp_path / "runs.db", now=lambda: now[0])
    for number in range(4):
        now[0] = float(number)
        await begun(journal, f"r{number}")
        await journal.append(Append(f"r{number}", "me", 1, now[0], [told(1)], blobs=[f"b{number}"], status="succeeded"))
    await journal.create(Row("r0.a.1", {}, 0.0, "r0"), [])
    assert await journal.prune(before=1.5, most=1) == 3
    assert [row.id for row in await journal.rows(parent=None)] == ["r3"]
    assert await journal.named_blobs() == {"b3"}
    with pytest.raises(UnknownRun):
        await journal.row("r0.a.1")
    journal.close()


def test_a_blob_that_nobody_names_is_swept_when_it_is_old(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    first, second, third = (blobs.put(content) for content in (b"one", b"two", b"three"))
    assert blobs.put(b"one") == first
    assert blobs.get(first) == b"one"
    for name in (first, second):
        path = tmp_path / name[:2] / name
        os.utime(path, (path.stat().st_mtime - 2 * YOUNG_SECONDS,) * 2)
    assert blobs.sweep({first}) == [second]
    assert (blobs.get(first), blobs.get(third)) == (b"one", b"three")


def test_an_owner_is_gone_when_it_lets_go_of_its_lock(tmp_path: Path) -> None:
    one, other = Owner(tmp_path), Owner(tmp_path)
    assert one.gone() == []
    os.close(other._handle)  # as the system does when the process ends
    assert one.gone() == [other.id]
    one.close()

"""Workers that are killed: another goes on with what they did, and does nothing twice that was recorded."""

import subprocess
import sys
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from benchmarks.kill import MORE, PLANNED, WANTED, outer, planning, site
from pegboard.errors import UsageError
from pegboard.events import NodeNoted
from pegboard.run.engine import Engine
from pegboard.run.journal.row import UnknownRun
from pegboard.run.temporal.opening import Address, opened_temporal
from tests.run.running import states, world
from tests.run.temporal.worker import HEARTBEAT_SECONDS

ROOT = Path(__file__).parents[3]


@contextmanager
def a_worker(address: str, queue: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a worker of its own process, and wait until it does nodes; it is killed with the block."""
    command = [sys.executable, "-m", "tests.run.temporal.worker", address, queue, str(folder)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        while process.stdout.readline() not in {"ready\n", ""}:
            pass
        yield process
    finally:
        process.kill()
        process.communicate()


async def recorded(engine: Engine, run: str) -> tuple[set[str], set[str]]:
    """Return the keys of the nodes of a run that have ended, and of turns that are recorded; and the races' winners."""
    view = await engine.show(run)
    keys: set[str] = set()
    won: set[str] = set()
    for each in (run, *view.inside):
        with anyio.move_on_after(0.5), suppress(UnknownRun):  # it was about to begin
            async for event in engine.follow(each):
                keys |= {f"{each}:{event.node}"} if event.kind == "node_ended" else set()
                keys |= {f"{each}:{event.node} {event.name}"} if isinstance(event, NodeNoted) else set()
                keys |= {PLANNED} if event.kind == "plan_extended" else set()
                won |= {f"{each}:{event.node}"} if event.kind == "race_won" else set()
    return keys, won


async def approve_all(engine: Engine, run: str) -> None:
    """Approve whatever waits for it, within nodes too."""
    while True:
        for each in (run, *(await engine.show(run)).inside):
            try:
                for held in [node.id for node in (await engine.show(each)).nodes if node.state == "held"]:
                    await engine.approve(each, held)
            except UsageError:  # it is about to begin, or has gone on since
                continue
        await anyio.sleep(0.2)


@pytest.mark.temporal
async def test_when_a_worker_is_killed_another_does_what_is_left_and_nothing_that_was_recorded(
    tmp_path: Path, temporal_address: str
) -> None:
    queue, calls = f"kill-{uuid.uuid4().hex}", tmp_path / "calls"
    calls.touch()
    here, where = world(site(calls), solving=planning(calls)), Address(temporal_address, queue=queue)
    open_here = partial(opened_temporal, tmp_path, lambda request: here, where, heartbeat_seconds=HEARTBEAT_SECONDS)
    done: set[str] = set()
    winners: set[str] = set()
    run, called = "", 0
    with anyio.fail_after(90):
        for turns in (4, 12):
            with a_worker(temporal_address, queue, tmp_path) as worker:
                async with open_here(is_working=False) as engine, anyio.create_task_group() as group:
                    run = run or await engine.start(outer())
                    group.start_soon(approve_all, engine, run)
                    while len(calls.read_text().splitlines()) < turns:  # noqa: ASYNC110 (of another process)
                        await anyio.sleep(0.05)
                    worker.kill()
                    group.cancel_scope.cancel()
            called = len(calls.read_text().splitlines())
            async with open_here(is_working=False) as engine:
                before, won = await recorded(engine, run)
            assert winners <= won
            done, winners = done | before, won
        async with open_here() as engine:
            async with anyio.create_task_group() as group:
                group.start_soon(approve_all, engine, run)
                ran = await engine.outcome(run)
                group.cancel_scope.cancel()
            seqs = [event.seq async for event in engine.follow(run)]
            _, won = await recorded(engine, run)
    again = calls.read_text().splitlines()[called:]
    ended = states(ran)
    is_cut_off = ended.pop("r1") == "lost"  # it was to fail: then nothing calls for further steps
    missing = {"r1", *(each.id for each in MORE if is_cut_off)}
    assert ended == {name: state for name, state in WANTED.items() if name not in missing}
    assert not done & set(again), "what was recorded is not done again"
    assert winners <= won
    assert seqs == list(range(1, len(seqs) + 1))
    assert max(Counter(calls.read_text().splitlines()).values()) <= 3

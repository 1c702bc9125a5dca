"""Calls that are made again, on a virtual clock."""

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import CallFailed, LimitReached, PegboardError, UpstreamFailed, UpstreamTimedOut
from pegboard.pacing.backoff import FIRST_SECONDS, LONGEST_SECONDS
from pegboard.run.limits.call import Call
from pegboard.run.limits.repeated import Repeated
from tests.pacing.virtual import VirtualClock
from tests.run.limits.calling import Scripted, a_call

pytestmark = pytest.mark.anyio


def passing(after: float | None = None) -> UpstreamFailed:
    return UpstreamFailed("It is busy.", is_retryable=True, retry_after_seconds=after)


async def outcome_of(repeated: Repeated, clock: VirtualClock, call: Call) -> object:
    ends: list[object] = []

    async def one() -> None:
        try:
            ends.append((await repeated(call)).text)
        except PegboardError as error:
            ends.append(error)

    async with anyio.create_task_group() as group:
        group.start_soon(one)
        await clock.run()
    return ends[0]


async def test_what_may_pass_is_tried_again_after_growing_waits() -> None:
    clock = VirtualClock()
    attempt = Scripted([passing(), UpstreamTimedOut("Late.", is_retryable=True), passing()])
    repeated = Repeated(attempt, 3, clock=clock, draw=lambda: 1.0)
    assert await outcome_of(repeated, clock, a_call()) == "done"
    assert (attempt.calls, clock.slept) == (4, [0.5, 1.0, 2.0])


@pytest.mark.parametrize(
    "error", [CallFailed("The till is closed."), LimitReached("Too many."), UpstreamFailed("There is no such city.")]
)
async def test_what_will_not_pass_is_not_tried_again(error: PegboardError) -> None:
    clock = VirtualClock()
    attempt = Scripted([error])
    assert await outcome_of(Repeated(attempt, 3, clock=clock), clock, a_call()) is error
    assert (attempt.calls, clock.slept) == (1, [])


async def test_the_last_failure_is_told_after_all_tries() -> None:
    clock, last = VirtualClock(), passing()
    attempt = Scripted([passing(), passing(), last])
    assert await outcome_of(Repeated(attempt, 2, clock=clock), clock, a_call()) is last
    assert attempt.calls == 3


async def test_nothing_waits_beyond_the_time_of_the_call() -> None:
    clock, busy = VirtualClock(), passing(after=20)
    attempt = Scripted([busy])
    call = a_call(ends_at=anyio.current_time() + 10)
    assert await outcome_of(Repeated(attempt, 3, clock=clock), clock, call) is busy
    assert (attempt.calls, clock.slept) == (1, [])


async def test_who_leaves_while_it_waits_makes_no_other_try() -> None:
    clock, attempt = VirtualClock(), Scripted([passing()])
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(Repeated(attempt, 3, clock=clock), a_call())
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()
    assert attempt.calls == 1


@given(
    st.integers(0, 6),
    st.lists(st.none() | st.floats(0, 30), max_size=8),
    st.lists(st.floats(0, 1), min_size=10, max_size=10),
    st.floats(1, 100),
)
async def test_tries_waits_and_deadline_are_kept(
    retries: int, failures: list[float | None], draws: list[float], seconds: float
) -> None:
    clock = VirtualClock()
    attempt = Scripted([passing(after) for after in failures])
    repeated = Repeated(attempt, retries, clock=clock, draw=iter(draws).__next__)
    end = await outcome_of(repeated, clock, a_call(ends_at=anyio.current_time() + seconds))
    assert attempt.calls <= retries + 1
    assert clock.time < seconds
    assert len(clock.slept) == attempt.calls - 1
    for number, (slept, after) in enumerate(zip(clock.slept, failures, strict=False)):
        jitter = slept - (after or 0)
        assert -1e-9 <= jitter <= min(LONGEST_SECONDS, FIRST_SECONDS * 2**number) + 1e-9
    assert (end == "done") == (attempt.calls == len(failures) + 1)

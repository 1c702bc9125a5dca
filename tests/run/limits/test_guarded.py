"""What a breaker makes of the ends of calls."""

from dataclasses import replace

import anyio
import pytest

from pegboard.errors import CallFailed, InvalidArguments, LimitReached, PegboardError, UpstreamFailed
from pegboard.pacing.breaker import Breaker
from pegboard.run.limits.call import Broken, out_of_time
from pegboard.run.limits.guarded import Guarded
from tests.pacing.virtual import VirtualClock
from tests.run.limits.calling import Held, Scripted, a_call

pytestmark = pytest.mark.anyio

BREAKING = [
    UpstreamFailed("It is down.", is_retryable=True),
    Broken("It failed inside its handler."),
    out_of_time(a_call()),
]
SPEAKING = [CallFailed("The till is closed."), UpstreamFailed("No such city."), InvalidArguments("No.")]


async def ended(guarded: Guarded) -> PegboardError | None:
    try:
        await guarded(a_call())
    except PegboardError as error:
        return error
    return None


@pytest.mark.parametrize("error", BREAKING)
async def test_failures_in_a_row_keep_it_from_being_called(error: PegboardError) -> None:
    attempt = Scripted([error, error])
    clock = VirtualClock()
    guarded = Guarded(attempt, Breaker(rest_seconds=30, failures=2, clock=clock.now))
    assert [await ended(guarded), await ended(guarded)] == [error, error]
    refused = await ended(guarded)
    assert isinstance(refused, LimitReached)
    assert (refused.retry_after_seconds, attempt.calls) == (30, 2)
    assert refused.failure is not None
    assert refused.failure.limit == "call.breaker"
    clock.time = 30
    assert await ended(guarded) is None


@pytest.mark.parametrize("error", SPEAKING)
async def test_an_error_that_shows_that_it_works_closes_it(error: PegboardError) -> None:
    clock = VirtualClock()
    attempt = Scripted([BREAKING[0], error, BREAKING[0], error])
    guarded = Guarded(attempt, Breaker(rest_seconds=30, failures=2, clock=clock.now))
    for _ in range(4):
        clock.time += 1
        await ended(guarded)
    assert await ended(guarded) is None


async def test_a_limit_of_ours_and_the_end_of_a_request_say_nothing() -> None:
    clock = VirtualClock()
    cut_short = out_of_time(a_call())
    call = a_call()
    over = out_of_time(replace(call, is_cut_short=True))
    attempt = Scripted([BREAKING[0], LimitReached("Full."), over, cut_short])
    guarded = Guarded(attempt, Breaker(rest_seconds=30, failures=2, clock=clock.now))
    for _ in range(4):
        clock.time += 1
        await ended(guarded)
    assert isinstance(await ended(guarded), LimitReached)
    assert attempt.calls == 4


async def test_a_call_that_is_cancelled_leaves_finding_out_to_the_next() -> None:
    clock, held = VirtualClock(), Held()
    breaker = Breaker(rest_seconds=30, failures=1, clock=clock.now)
    breaker.failed(0)
    clock.time = 31
    guarded = Guarded(held, breaker)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(guarded, a_call())
            await anyio.wait_all_tasks_blocked()
            assert isinstance(await ended(guarded), LimitReached)
            group.cancel_scope.cancel()
        held.gate.set()
        assert await ended(guarded) is None

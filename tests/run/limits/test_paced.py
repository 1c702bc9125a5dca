"""Rate, places and the queue before them."""

import math

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import LimitReached
from pegboard.run.limits.paced import Pace, Paced
from tests.pacing.virtual import VirtualClock
from tests.run.limits.calling import Held, Scripted, a_call, nothing, refuse
from tests.twins import a_tool

pytestmark = pytest.mark.anyio


async def test_no_more_calls_run_than_there_are_places_and_all_are_served_in_their_order() -> None:
    attempt, order = Held(), list[int]()
    paced = Paced(attempt, Pace(None, 2, 10))

    async def one(number: int) -> None:
        await paced(a_call())
        order.append(number)

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            for number in range(6):
                group.start_soon(one, number)
            await anyio.wait_all_tasks_blocked()
            assert (attempt.running, attempt.calls) == (2, 2)
            attempt.gate.set()
    assert (attempt.most, order) == (2, [0, 1, 2, 3, 4, 5])


async def test_who_finds_the_queue_full_is_told_at_once_when_to_come_again() -> None:
    tool = a_tool("t", nothing, max_parallel=1, queue=1)
    attempt, pace = Held(), Pace(None, 1, 1)
    paced = Paced(attempt, pace)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(paced, a_call())
            group.start_soon(paced, a_call())
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(LimitReached, match=r"Tool 't' was not called: 1 calls wait for it already") as caught:
                await paced(a_call(tool))
            attempt.gate.set()
    assert caught.value.failure is not None
    assert (caught.value.failure.who, caught.value.failure.limit) == ("limit", "call.queue")
    assert caught.value.retry_after_seconds is not None


async def test_who_leaves_gives_back_its_place_and_its_place_in_the_queue() -> None:
    attempt, pace = Held(), Pace(None, 1, 1)
    paced = Paced(attempt, pace)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(paced, a_call())
            group.start_soon(paced, a_call())
            await anyio.wait_all_tasks_blocked()
            assert (attempt.running, pace.waiting) == (1, 1)
            group.cancel_scope.cancel()
        assert (attempt.running, pace.waiting) == (0, 0)
        attempt.gate.set()
        await paced(a_call())
    assert attempt.calls == 2


async def test_a_full_house_is_told_when_the_time_of_the_call_is_over() -> None:
    paced = Paced(Held(), Pace(None, 1, 5))
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(paced, a_call())
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(LimitReached, match="none of its places was free within"):
                await paced(a_call(ends_at=anyio.current_time() + 0.01))
            group.cancel_scope.cancel()


async def test_calls_beyond_the_rate_begin_one_by_one() -> None:
    clock, times = VirtualClock(), list[float]()
    paced = Paced(Scripted(told=lambda: times.append(clock.time)), Pace("2/s", None, 10, clock=clock))
    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(paced, a_call())
        await clock.run()
    assert times == [0, 0, 0.5, 1, 1.5]


async def test_what_would_wait_for_the_rate_beyond_its_time_is_told_at_once() -> None:
    clock = VirtualClock()
    pace = Pace("1/m", None, 10, clock=clock)
    await pace.enter(object(), math.inf, refuse)
    with pytest.raises(LimitReached, match="as often as it may") as caught:
        await pace.enter(object(), 59, refuse)
    assert (clock.slept, caught.value.retry_after_seconds) == ([], 60)


@given(
    st.integers(1, 20),
    st.sampled_from(["s", "m"]),
    st.integers(0, 8),
    st.lists(st.floats(0, 3), min_size=1, max_size=40),
)
async def test_no_period_holds_more_than_two_rates_worth_and_nobody_is_forgotten(
    amount: int, period: str, queue: int, pauses: list[float]
) -> None:
    clock, begun, refused = VirtualClock(), list[float](), list[float | None]()
    pace = Pace(f"{amount}/{period}", None, queue, clock=clock)

    async def one() -> None:
        try:
            await pace.enter(object(), math.inf, refuse)
        except LimitReached as error:
            refused.append(error.retry_after_seconds)
        else:
            begun.append(clock.time)

    async with anyio.create_task_group() as group:
        for pause in pauses:
            await clock.run(until=clock.time + pause)
            clock.time += pause
            group.start_soon(one)
            await anyio.wait_all_tasks_blocked()
            assert pace.waiting <= queue
        await clock.run()
    assert len(begun) + len(refused) == len(pauses)
    assert None not in refused
    assert pace.waiting == 0
    seconds = {"s": 1, "m": 60}[period]
    for start in begun:  # a full bucket, and what flows into it meanwhile
        assert sum(start <= time <= start + seconds for time in begun) <= 2 * amount + 1

"""Limits, on a virtual clock."""

from collections.abc import Sequence
from functools import partial

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import (
    ModelThrottled,
)
from pegboard.llm.limited import Limited
from pegboard.llm.model import Completion, Prompt
from pegboard.llm.scripted import Saying, ScriptedModel
from pegboard.pacing.bucket import Bucket
from tests.llm.asking import PROMPT, Costly, never, run_on
from tests.pacing.virtual import VirtualClock

pytestmark = pytest.mark.anyio


async def test_no_more_requests_are_open_than_the_limit_allows_and_the_first_come_is_first_served() -> None:
    gates = [anyio.Event() for _ in range(5)]
    order: list[str] = []

    async def rule(prompt: Prompt) -> Saying:
        order.append(prompt.user)
        await gates[int(prompt.user)].wait()
        return "fine"

    inner = ScriptedModel(rule)
    model = Limited(inner, max_parallel=2)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            for number in range(5):
                group.start_soon(model.complete, Prompt("", str(number)))
                await anyio.wait_all_tasks_blocked()
            assert inner.open_requests == 2
            for gate in gates:
                gate.set()
                await anyio.wait_all_tasks_blocked()
                assert inner.open_requests <= 2
    assert order == ["0", "1", "2", "3", "4"]


async def test_requests_beyond_a_minutes_worth_go_out_one_by_one_in_their_order() -> None:
    clock = VirtualClock()
    times: list[tuple[str, float]] = []

    def rule(prompt: Prompt) -> Saying:
        times.append((prompt.user, clock.time))
        return "fine"

    model = Limited(ScriptedModel(rule), requests_per_minute=3, clock=clock)
    async with anyio.create_task_group() as group:
        for number in range(6):
            group.start_soon(partial(model.complete, Prompt("", str(number)), timeout_seconds=600))
            await anyio.wait_all_tasks_blocked()
        await clock.run()
    assert times == [("0", 0), ("1", 0), ("2", 0), ("3", 20), ("4", 40), ("5", 60)]


async def test_who_waits_and_leaves_takes_nothing_from_the_others() -> None:
    clock = VirtualClock()
    times: list[float] = []

    def rule(prompt: Prompt) -> Saying:
        times.append(clock.time)
        return "fine"

    model = Limited(ScriptedModel(rule), requests_per_minute=1, clock=clock)
    await model.complete(PROMPT)
    async with anyio.create_task_group() as group:
        scope = anyio.CancelScope()

        async def leave() -> None:
            with scope:
                await model.complete(PROMPT, timeout_seconds=600)

        group.start_soon(leave)
        await anyio.wait_all_tasks_blocked()
        group.start_soon(partial(model.complete, PROMPT, timeout_seconds=600))
        await anyio.wait_all_tasks_blocked()
        scope.cancel()
        await clock.run()
    assert times == [0, 60]


async def test_tokens_count_as_they_were_and_not_as_they_were_expected() -> None:
    clock = VirtualClock()
    model = Limited(Costly(), tokens_per_minute=60, clock=clock)
    assert await run_on(clock, model, timeout_seconds=600) == Completion("fine")  # 90 tokens: 30 in debt
    assert await run_on(clock, model, timeout_seconds=600) == Completion("fine")
    assert clock.slept == [pytest.approx(30 + 4, abs=0.01)]


async def test_what_would_wait_beyond_its_deadline_is_told_at_once() -> None:
    clock = VirtualClock()
    model = Limited(ScriptedModel("fine"), requests_per_minute=1, clock=clock)
    await model.complete(PROMPT)
    with pytest.raises(ModelThrottled, match="was not asked: its limit of requests or tokens a minute") as caught:
        await model.complete(PROMPT, timeout_seconds=30)
    assert (clock.slept, caught.value.retry_after_seconds) == ([], 60.0)


async def test_a_full_house_is_told_when_the_deadline_comes() -> None:
    inner = ScriptedModel(never)
    model = Limited(inner, max_parallel=1)
    async with anyio.create_task_group() as group:
        group.start_soon(model.complete, PROMPT)
        await anyio.wait_all_tasks_blocked()
        with pytest.raises(ModelThrottled, match="requests at once"):
            await model.complete(PROMPT, timeout_seconds=0.01)
        group.cancel_scope.cancel()
    assert (inner.open_requests, len(inner.prompts)) == (0, 1)


@given(st.floats(1, 1000), st.lists(st.tuples(st.floats(0, 30), st.floats(0.1, 2000)), max_size=30))
def test_a_bucket_never_gives_more_than_it_holds_and_what_has_run_in(
    per_minute: float, asked: Sequence[tuple[float, float]]
) -> None:
    time = 0.0
    bucket = Bucket(per_minute, lambda: time)
    taken = 0.0
    for pause, amount in asked:
        time += pause
        time += bucket.wait_seconds(amount)
        assert bucket.wait_seconds(amount) == 0
        before = taken
        bucket.take(amount)
        taken += amount
        assert before + min(amount, per_minute) <= per_minute * (1 + time / 60) * (1 + 1e-6)

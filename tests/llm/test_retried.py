"""Retries, on a virtual clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import (
    BudgetSpent,
    ModelCutOff,
    ModelDenied,
    ModelError,
    ModelFiltered,
    ModelMalformed,
    ModelRefused,
    ModelThrottled,
    ModelUnreachable,
)
from pegboard.llm.model import Completion
from pegboard.llm.retried import Retried
from pegboard.pacing.backoff import FIRST_SECONDS, LONGEST_SECONDS, wait_seconds
from tests.llm.asking import Breaking, hear, in_turn, run_on, said
from tests.pacing.virtual import VirtualClock

pytestmark = pytest.mark.anyio


async def test_what_could_not_be_taken_is_sent_again_after_full_jitter() -> None:
    clock = VirtualClock()
    inner = in_turn(ModelUnreachable("down"), ModelThrottled("busy"), "fine")
    drawn = iter([0.5, 0.25])
    model = Retried(inner, retries=2, clock=clock, draw=lambda: next(drawn))
    assert await run_on(clock, model) == Completion("fine")
    assert clock.slept == [0.25, 0.25]
    assert len(inner.prompts) == 3


@pytest.mark.parametrize(
    "error",
    [
        ModelRefused("no"),
        ModelDenied("key"),
        ModelFiltered("no"),
        ModelMalformed("?"),
        ModelCutOff("…"),
        BudgetSpent("spent"),
    ],
)
async def test_what_would_fail_again_is_not_sent_again(error: ModelError) -> None:
    clock = VirtualClock()
    inner = in_turn(error)
    assert await run_on(clock, Retried(inner, clock=clock)) is error
    assert len(inner.prompts) == 1


async def test_the_last_error_is_told_when_all_tries_are_used() -> None:
    clock = VirtualClock()
    errors = [ModelUnreachable("one"), ModelUnreachable("two"), ModelUnreachable("three")]
    assert await run_on(clock, Retried(in_turn(*errors), retries=2, clock=clock)) is errors[2]


async def test_retry_after_is_honoured_and_what_would_end_too_late_is_not_waited_for() -> None:
    clock = VirtualClock()
    model = Retried(in_turn(ModelThrottled("busy", retry_after_seconds=7.0), "fine"), clock=clock, draw=lambda: 0.0)
    assert await run_on(clock, model) == Completion("fine")
    assert clock.slept == [7.0]
    late = ModelThrottled("busy", retry_after_seconds=60.0)
    assert await run_on(clock, Retried(in_turn(late, "fine"), clock=clock), timeout_seconds=30.0) is late
    assert clock.slept == [7.0]


@given(st.integers(0, 50), st.floats(0, 1), st.none() | st.floats(0, 1000))
def test_a_wait_lies_between_what_is_wanted_and_the_bound_above_it(
    failures: int, drawn: float, after: float | None
) -> None:
    wait = wait_seconds(failures, after, drawn)
    assert (after or 0.0) <= wait <= (after or 0.0) + min(LONGEST_SECONDS, FIRST_SECONDS * 2.0**failures)


async def test_a_stream_is_asked_for_again_only_while_nothing_of_it_has_come() -> None:
    model = Retried(in_turn(ModelUnreachable("down"), "fine"), draw=lambda: 0.0)
    assert await said(model) == "fine"
    heard: list[str] = []
    with pytest.raises(ModelUnreachable, match="broke"):
        await hear(Retried(Breaking(), draw=lambda: 0.0), heard)
    assert heard == ["a "]

"""Deadlines and budgets, on a virtual clock."""

import anyio
import pytest

from pegboard.errors import (
    BudgetSpent,
    ModelError,
)
from pegboard.llm.scripted import ScriptedModel
from pegboard.llm.timed import Timed
from pegboard.llm.usage import Budget, Usage, measured
from tests.llm.asking import PROMPT, Costly, Timekeeping
from tests.pacing.virtual import VirtualClock

pytestmark = pytest.mark.anyio


async def test_the_shortest_deadline_holds() -> None:
    clock = VirtualClock()
    inner = Timekeeping("yes")
    model = Timed(inner, timeout_seconds=5)
    await model.complete(PROMPT, timeout_seconds=3)
    await model.complete(PROMPT, timeout_seconds=30)
    with measured(Budget(seconds=4), clock=clock.now):
        clock.time = 2.5
        await model.complete(PROMPT, timeout_seconds=3)
    assert inner.seconds == [3, 5, 1.5]


@pytest.mark.parametrize(
    ("budget", "answers", "words"),
    [
        (Budget(calls=2), 2, "2 model calls"),
        (Budget(tokens=91), 2, "91 tokens"),
        (Budget(tokens=90), 1, "90 tokens"),
        (Budget(calls=9, tokens=9999), 3, ""),
    ],
)
async def test_a_budget_ends_where_it_says(budget: Budget, answers: int, words: str) -> None:
    model = Costly()
    given = 0
    told: set[str] = set()
    with measured(budget) as usage, measured():
        for _ in range(3):
            try:
                await model.complete(PROMPT)
                given += 1
            except BudgetSpent as error:
                told.add(error.message)
    assert (given, usage.calls) == (answers, answers)
    assert told == ({f"The request has used its budget of {words}."} if words else set())


async def test_calls_that_go_out_together_do_not_exceed_a_budget() -> None:
    inner = ScriptedModel("yes")
    spent: list[ModelError] = []

    async def ask() -> None:
        try:
            await inner.complete(PROMPT)
        except BudgetSpent as error:
            spent.append(error)

    with measured(Budget(calls=3)) as usage:
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(ask)
    assert (usage.calls, len(spent)) == (3, 5)


def test_a_budget_of_seconds_runs_from_the_beginning_of_the_request() -> None:
    clock = VirtualClock()
    usage = Usage(budget=Budget(seconds=2), _clock=clock.now)
    assert usage.spent() == ""
    clock.time = 2.0
    assert usage.spent() == "2 s"
    assert usage.to_json() == {"model_calls": 0, "tokens_in": 0, "tokens_out": 0, "cached": 0, "milliseconds": 2000.0}

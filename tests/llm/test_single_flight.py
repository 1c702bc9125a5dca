"""What is asked once for several."""

import anyio
import pytest

from pegboard.errors import (
    BudgetSpent,
    ModelError,
    ModelMalformed,
    ModelTimedOut,
)
from pegboard.llm.model import Completion, Prompt
from pegboard.llm.scripted import Saying, ScriptedModel
from pegboard.llm.single_flight import SingleFlight
from pegboard.llm.usage import Budget, Usage, measured
from tests.llm.asking import PROMPT, in_turn

pytestmark = pytest.mark.anyio


class Gated(ScriptedModel):
    """A model whose answer waits for `gate`."""

    def __init__(self) -> None:
        self.gate = anyio.Event()

        async def rule(prompt: Prompt) -> Saying:
            await self.gate.wait()
            return "fine"

        super().__init__(rule)


async def test_who_asks_the_same_at_the_same_time_gets_the_same_answer() -> None:
    inner = Gated()
    usages: list[Usage] = []
    with anyio.fail_after(10):
        async with anyio.create_task_group() as flights:
            model = SingleFlight(inner, flights)

            async def ask() -> None:
                with measured() as usage:
                    assert await model.complete(PROMPT) == Completion("fine")
                usages.append(usage)

            async with anyio.create_task_group() as group:
                for _ in range(3):
                    group.start_soon(ask)
                group.start_soon(model.complete, Prompt("", "another"))
                await anyio.wait_all_tasks_blocked()
                assert inner.open_requests == 2
                inner.gate.set()
            assert sorted((usage.calls, usage.cached) for usage in usages) == [(0, 1), (0, 1), (1, 0)]
            await model.complete(PROMPT)
            assert len(inner.prompts) == 3


async def test_one_who_leaves_does_not_take_the_answer_from_the_others_and_the_last_one_ends_it() -> None:
    inner = Gated()
    scopes = [anyio.CancelScope() for _ in range(3)]
    with anyio.fail_after(10):
        async with anyio.create_task_group() as flights, anyio.create_task_group() as group:
            model = SingleFlight(inner, flights)

            async def ask(scope: anyio.CancelScope) -> None:
                with scope:
                    await model.complete(PROMPT)

            for scope in scopes:
                group.start_soon(ask, scope)
            await anyio.wait_all_tasks_blocked()
            for scope in scopes[:2]:
                scope.cancel()
                await anyio.wait_all_tasks_blocked()
                assert (inner.open_requests, inner.cancelled_requests) == (1, 0)
            scopes[2].cancel()
            await anyio.wait_all_tasks_blocked()
            assert (inner.open_requests, inner.cancelled_requests) == (0, 1)
            inner.gate.set()
            assert await model.complete(PROMPT) == Completion("fine")


async def test_an_error_reaches_all_who_wait_and_no_one_else() -> None:
    async with anyio.create_task_group() as flights:
        model = SingleFlight(in_turn(ModelMalformed("?"), "fine"), flights)
        errors: list[ModelError] = []

        async def ask() -> None:
            try:
                await model.complete(PROMPT)
            except ModelError as error:
                errors.append(error)

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            group.start_soon(ask)
        assert [str(error) for error in errors] == ["?", "?"]
        assert await model.complete(PROMPT) == Completion("fine")


async def test_the_budget_of_one_is_not_that_of_another() -> None:
    async with anyio.create_task_group() as flights:
        inner = ScriptedModel("fine")
        model = SingleFlight(inner, flights)
        answers: list[object] = []

        async def ask(budget: Budget) -> None:
            with measured(budget):
                try:
                    answers.append(await model.complete(PROMPT))
                except BudgetSpent as error:
                    answers.append(error.message)

        async with anyio.create_task_group() as group:
            group.start_soon(ask, Budget(calls=0))
            group.start_soon(ask, Budget(calls=1))
        assert answers == ["The request has used its budget of 0 model calls.", Completion("fine")]


async def test_who_joins_waits_no_longer_than_it_may() -> None:
    inner = Gated()
    async with anyio.create_task_group() as flights, anyio.create_task_group() as group:
        model = SingleFlight(inner, flights)
        group.start_soon(model.complete, PROMPT)
        await anyio.wait_all_tasks_blocked()
        with pytest.raises(ModelTimedOut, match="scripted did not answer within"):
            await model.complete(PROMPT, timeout_seconds=0.01)
        assert inner.open_requests == 1
        inner.gate.set()

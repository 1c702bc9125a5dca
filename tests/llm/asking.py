"""Models for tests that answer in special ways, and ways to ask them."""

from collections.abc import AsyncIterator

import anyio

from pegboard.errors import (
    ModelError,
    ModelUnreachable,
)
from pegboard.llm.model import Completion, Function, Model, Prompt
from pegboard.llm.scripted import Saying, ScriptedModel
from pegboard.llm.usage import count_tokens
from tests.pacing.virtual import VirtualClock

PROMPT = Prompt("Judge.", "Is it?")
CLOCK = Function("clock", "Tells the time.", {"type": "object"})


def in_turn(*sayings: Saying) -> ScriptedModel:
    """Return a model that says `sayings` one after the other, the last for ever."""
    left = list(sayings)
    return ScriptedModel(lambda prompt: left.pop(0) if len(left) > 1 else left[0])


async def ways(model: Model) -> list[object]:
    """Ask `model` in each way that there is."""
    return [
        await model.complete(PROMPT),
        (await model.call(PROMPT, [CLOCK])).text,
        await model.probability_of_yes(PROMPT),
        [piece async for piece in model.stream(PROMPT)],
    ]


async def hear(model: Model, heard: list[str]) -> None:
    async for piece in model.stream(PROMPT):
        heard.append(piece)


async def said(model: Model) -> str:
    return "".join([piece async for piece in model.stream(PROMPT)])


async def run_on(clock: VirtualClock, model: Model, *, timeout_seconds: float = 30.0) -> object:
    """Ask `model` while `clock` goes on as fast as it can."""
    found: list[object] = []

    async def ask() -> None:
        try:
            found.append(await model.complete(PROMPT, timeout_seconds=timeout_seconds))
        except ModelError as error:
            found.append(error)

    async with anyio.create_task_group() as group:
        group.start_soon(ask)
        await clock.run()
    return found[0]


async def never(prompt: Prompt) -> Saying:
    await anyio.sleep_forever()
    raise AssertionError


class Costly(ScriptedModel):
    """A model whose every answer costs 90 tokens."""

    def __init__(self) -> None:
        super().__init__("fine")

    async def complete(self, prompt: Prompt, **how: object) -> Completion:
        completion = await super().complete(prompt)
        count_tokens(80, 10)
        return completion


class Ticking:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Timekeeping(ScriptedModel):
    """A model that notes how long it may take."""

    def __init__(self, rule: Saying) -> None:
        super().__init__(rule)
        self.seconds: list[float] = []

    async def complete(self, prompt: Prompt, *, timeout_seconds: float = 0.0, **how: object) -> Completion:
        self.seconds.append(timeout_seconds)
        return await super().complete(prompt)


class Breaking(ScriptedModel):
    """A model whose stream breaks off."""

    def __init__(self) -> None:
        super().__init__("")

    async def stream(self, prompt: Prompt, **how: object) -> AsyncIterator[str]:
        yield "a "
        raise ModelUnreachable("broke")

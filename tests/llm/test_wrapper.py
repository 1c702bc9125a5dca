"""Every wrapper answers as its model does."""

from collections.abc import AsyncIterator, Callable

import pytest

from pegboard.llm.cached import Cached
from pegboard.llm.chain import Chain, Link
from pegboard.llm.guarded import Guarded
from pegboard.llm.limited import Limited
from pegboard.llm.model import Completion, LateNamed, Model, Prompt
from pegboard.llm.retried import Retried
from pegboard.llm.scripted import ScriptedModel
from pegboard.llm.timed import Timed
from pegboard.llm.wrapper import Wrapper
from pegboard.pacing.breaker import Breaker
from tests.llm.asking import PROMPT, ways

pytestmark = pytest.mark.anyio


WRAPPERS: list[Callable[[Model], Model]] = [
    Wrapper,
    lambda model: Timed(model, timeout_seconds=5),
    lambda model: Limited(model, requests_per_minute=600, tokens_per_minute=6000),
    Retried,
    lambda model: Guarded(model, Breaker(), where="there"),
    lambda model: Cached(model, lifetime_seconds=60),
    lambda model: Chain([Link("only", model, Breaker())]),
]


@pytest.mark.parametrize("wrap", WRAPPERS)
async def test_a_wrapper_answers_in_every_way_as_its_model_does(wrap: Callable[[Model], Model]) -> None:
    model = wrap(ScriptedModel("yes", name="small", scoring="yes_no"))
    assert await ways(model) == [Completion("yes"), "yes", 1.0, ["yes"]]
    assert (model.name, model.scoring) == ("small", "yes_no")
    assert isinstance(model, LateNamed)
    assert await model.resolve() == "small"


@pytest.mark.parametrize("wrap", WRAPPERS)
async def test_a_wrapper_leaves_no_stream_open_that_was_left(wrap: Callable[[Model], Model]) -> None:
    inner = Leaving()
    stream = wrap(inner).stream(PROMPT)
    assert await anext(stream) == "a"
    await stream.aclose()  # type: ignore[attr-defined]
    assert inner.left


class Leaving(ScriptedModel):
    """A model that notes when its stream is left."""

    left = False

    def __init__(self) -> None:
        super().__init__("a b c")

    async def stream(self, prompt: Prompt, **how: object) -> AsyncIterator[str]:
        try:
            yield "a"
            yield "b"
        finally:
            self.left = True

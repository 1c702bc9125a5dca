"""The cache, on a virtual clock."""

from functools import partial

import pytest

from pegboard.errors import (
    ModelMalformed,
)
from pegboard.llm.cached import MOST_CHARACTERS, Cached
from pegboard.llm.model import Completion, Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.llm.usage import Usage, answered_by, measured
from tests.llm.asking import CLOCK, PROMPT, in_turn, said
from tests.pacing.virtual import VirtualClock

pytestmark = pytest.mark.anyio


async def test_an_identical_question_is_answered_from_the_cache_until_its_time_is_over() -> None:
    clock = VirtualClock()
    inner = in_turn("one", "two")
    model = Cached(inner, lifetime_seconds=60, clock=clock)
    with measured() as usage:
        assert [(await model.complete(PROMPT)).text for _ in range(3)] == ["one", "one", "one"]
        assert answered_by("nobody") == "scripted"
    assert (usage, model.hits, model.misses) == (Usage(calls=1, cached=2), 2, 1)
    clock.time = 60
    assert (await model.complete(PROMPT)).text == "two"


async def test_whatever_makes_a_question_another_one_is_asked() -> None:
    inner = ScriptedModel("yes")
    model = Cached(inner, lifetime_seconds=60)
    await model.complete(PROMPT)
    await model.complete(Prompt("Judge.", "Is it not?"))
    await model.complete(Prompt("Judge.Is it?", ""))
    await model.complete(PROMPT, schema={"type": "object"})
    await model.complete(PROMPT, max_tokens=9)
    await model.probability_of_yes(PROMPT)
    await model.call(PROMPT, [CLOCK])
    await model.call(PROMPT, [])
    assert len(inner.prompts) == 8
    await said(model)
    await said(model)
    assert (len(inner.prompts), model.hits) == (10, 0)


async def test_errors_and_what_is_cut_off_or_endless_or_not_repeatable_are_not_kept() -> None:
    for inner, repeatable in [
        (in_turn(ModelMalformed("?"), "fine"), True),
        (in_turn("x" * (MOST_CHARACTERS + 1)), True),
        (CutOff("half"), True),
        (in_turn("warm"), False),
    ]:
        model = Cached(inner, lifetime_seconds=60, is_repeatable=partial(bool, repeatable))
        for _ in range(2):
            try:
                await model.complete(PROMPT)
            except ModelMalformed:
                continue
        assert (len(inner.prompts), model.hits) == (2, 0)


class CutOff(ScriptedModel):
    async def complete(self, prompt: Prompt, **how: object) -> Completion:
        return Completion((await super().complete(prompt)).text, cut_off=True)


async def test_the_cache_is_bounded_and_keeps_what_was_used_last() -> None:
    inner = ScriptedModel("fine")
    model = Cached(inner, lifetime_seconds=60, most=2)
    for user in ["a", "b", "a", "c", "a", "b"]:
        await model.complete(Prompt("", user))
    assert [prompt.user for prompt in inner.prompts] == ["a", "b", "c", "b"]

"""Who stands in for whom."""

from collections.abc import Sequence

import pytest

from pegboard.errors import (
    BudgetSpent,
    ModelCutOff,
    ModelDenied,
    ModelError,
    ModelFiltered,
    ModelMalformed,
    ModelRefused,
    ModelThrottled,
    ModelTimedOut,
    ModelUnreachable,
)
from pegboard.events import Degraded, Event
from pegboard.llm.chain import Chain, Link
from pegboard.llm.model import Completion, Model
from pegboard.llm.scripted import ScriptedModel
from pegboard.llm.telling import heard_by
from pegboard.llm.usage import answered_by, measured
from pegboard.pacing.breaker import Breaker
from tests.llm.asking import PROMPT, Breaking, Ticking, Timekeeping, hear, ways

pytestmark = pytest.mark.anyio


def chained(*models: Model, breakers: Sequence[Breaker] = ()) -> Chain:
    """Return a chain of `models`, with the profiles `p0`, `p1` …"""
    given = breakers or [Breaker() for _ in models]
    return Chain([Link(f"p{n}", model, breaker) for n, (model, breaker) in enumerate(zip(models, given, strict=True))])


@pytest.mark.parametrize(
    "error", [ModelUnreachable("down"), ModelTimedOut("slow"), ModelThrottled("busy"), ModelDenied("wrong key")]
)
async def test_the_next_profile_stands_in_and_it_is_said_once(error: ModelError) -> None:
    heard: list[Event] = []
    model = chained(ScriptedModel(error, name="a"), ScriptedModel("yes", name="b"))
    with heard_by(heard.append), measured():
        assert await ways(model) == [Completion("yes"), "yes", 1.0, ["yes"]]
        assert answered_by("nobody") == "b"
    assert heard == [Degraded(f"Model profile 'p1' stood in for 'p0': {error}")]


@pytest.mark.parametrize(
    "error",
    [ModelRefused("too long"), ModelFiltered("no"), ModelMalformed("?"), ModelCutOff("…"), BudgetSpent("spent")],
)
async def test_who_has_answered_badly_is_not_stood_in_for(error: ModelError) -> None:
    second = ScriptedModel("yes")
    with pytest.raises(type(error)):
        await chained(ScriptedModel(error), second).complete(PROMPT)
    assert second.prompts == []


async def test_the_end_of_a_chain_tells_what_each_profile_said() -> None:
    model = chained(ScriptedModel(ModelDenied("wrong key")), ScriptedModel(ModelUnreachable("down")))
    with pytest.raises(ModelUnreachable, match=r"No model profile gave an answer\. p0: wrong key p1: down"):
        await model.complete(PROMPT)


async def test_a_model_that_is_too_slow_leaves_time_for_the_next() -> None:
    slow = Timekeeping(ModelTimedOut("slow"))
    quick = Timekeeping("yes")
    assert await chained(slow, slow, quick).complete(PROMPT, timeout_seconds=8.0) == Completion("yes")
    assert slow.seconds == [pytest.approx(4.0, abs=0.5), pytest.approx(4.0, abs=0.5)]
    assert quick.seconds == [pytest.approx(8.0, abs=0.5)]


async def test_a_stream_that_has_begun_is_not_begun_again_by_another() -> None:
    second = ScriptedModel("yes")
    model = chained(Breaking(), second)
    heard: list[str] = []
    with pytest.raises(ModelUnreachable, match="broke"):
        await hear(model, heard)
    assert (heard, second.prompts) == (["a "], [])


async def test_a_chain_is_asked_to_score_as_suits_the_one_that_will_answer() -> None:
    ticking = Ticking()
    breakers = [Breaker(clock=ticking), Breaker(clock=ticking)]
    big, small = ScriptedModel("yes", name="big"), ScriptedModel("yes", name="small", scoring="yes_no")
    model = chained(big, small, breakers=breakers)
    assert model.scoring == "number"
    breakers[0].failed(ticking.now)
    assert (model.scoring, model.name) == ("yes_no", "big")
    breakers[1].failed(ticking.now)
    assert model.scoring == "number"

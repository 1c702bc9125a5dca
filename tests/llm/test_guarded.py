"""The breaker."""

import anyio
import pytest

from pegboard.errors import (
    BudgetSpent,
    ModelDenied,
    ModelError,
    ModelFiltered,
    ModelMalformed,
    ModelThrottled,
    ModelUnreachable,
)
from pegboard.llm.guarded import Guarded
from pegboard.llm.model import Completion
from pegboard.llm.scripted import ScriptedModel
from pegboard.pacing.breaker import Breaker
from tests.llm.asking import PROMPT, Ticking, in_turn, never, said

pytestmark = pytest.mark.anyio


async def test_an_endpoint_that_failed_rests_for_all_who_share_its_breaker() -> None:
    ticking = Ticking()
    breaker = Breaker(clock=ticking)
    inner = in_turn(ModelUnreachable("down"), "fine")
    one, other = (Guarded(inner, breaker, where="http://there") for _ in range(2))
    with pytest.raises(ModelUnreachable, match="down"):
        await one.complete(PROMPT)
    for attempt in (other.complete(PROMPT), said(other), other.resolve()):
        with pytest.raises(ModelUnreachable, match="http://there has just failed and is not asked again for 10 s"):
            await attempt
    assert len(inner.prompts) == 1
    ticking.now += 10
    assert await other.complete(PROMPT) == Completion("fine")


@pytest.mark.parametrize(
    "error", [ModelDenied("key"), ModelFiltered("no"), ModelMalformed("?"), ModelThrottled("busy"), BudgetSpent("!")]
)
async def test_an_endpoint_that_answers_badly_is_there(error: ModelError) -> None:
    model = Guarded(in_turn(error, "fine"), Breaker(), where="there")
    with pytest.raises(type(error)):
        await model.complete(PROMPT)
    assert await model.complete(PROMPT) == Completion("fine")


async def test_leaving_opens_no_breaker() -> None:
    breaker = Breaker()
    with anyio.move_on_after(0.01):
        await Guarded(ScriptedModel(never), breaker, where="there").complete(PROMPT)
    assert breaker.remaining_seconds == 0

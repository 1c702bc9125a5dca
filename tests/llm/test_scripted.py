import anyio
import pytest

from pegboard.errors import ModelThrottled
from pegboard.llm.model import Called, Completion, Function, FunctionCall, Model, Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.llm.usage import Usage, measured
from pegboard.pacing.breaker import Breaker

pytestmark = pytest.mark.anyio

PROMPT = Prompt("system", "user")


async def test_it_says_what_it_is_told_and_records_the_prompt() -> None:
    model: Model = ScriptedModel("hello")
    assert await model.complete(PROMPT, schema={"type": "object"}) == Completion("hello")
    assert isinstance(model, ScriptedModel)
    assert (model.prompts, model.schemas) == ([PROMPT], [{"type": "object"}])


async def test_a_rule_sees_the_prompt_and_may_raise() -> None:
    model = ScriptedModel(lambda prompt: ModelThrottled("slow down") if prompt.user == "user" else "ok")
    assert (await model.complete(Prompt("", "other"))).text == "ok"
    with pytest.raises(ModelThrottled):
        await model.complete(PROMPT)


@pytest.mark.parametrize(("said", "probability"), [("Yes", 1.0), ("no", 0.0), ("85", 0.85), ('{"score": 20}', 0.2)])
async def test_a_word_or_a_score_is_a_probability(said: str, probability: float) -> None:
    assert await ScriptedModel(said).probability_of_yes(PROMPT) == probability


@pytest.mark.parametrize("text", ["one two  three\nfour ", "红烧肉 怎么做", "", "   "])
async def test_the_pieces_of_a_stream_are_the_text(text: str) -> None:
    pieces = [piece async for piece in ScriptedModel(text).stream(PROMPT)]
    assert "".join(pieces) == text


async def test_a_rule_may_wait_and_its_cancelling_is_counted() -> None:
    async def never(prompt: Prompt) -> str:
        await anyio.sleep_forever()
        return ""

    model = ScriptedModel(never)
    with anyio.move_on_after(0):
        await model.complete(PROMPT)
    assert (model.open_requests, model.cancelled_requests) == (0, 1)


async def test_usage_counts_what_happens_inside_of_its_block_in_tasks_too() -> None:
    model = ScriptedModel("x")
    with measured() as outer:
        await model.complete(PROMPT)
        with measured() as inner:
            async with anyio.create_task_group() as group:
                group.start_soon(model.complete, PROMPT)
                group.start_soon(model.complete, PROMPT)
    await model.complete(PROMPT)
    assert (outer, inner) == (Usage(3), Usage(2))


def test_a_breaker_opens_only_when_no_success_followed_the_start_of_the_failed_call() -> None:
    now = [0.0]
    breaker = Breaker(rest_seconds=10, clock=lambda: now[0])
    started = breaker.now()
    now[0] = 1
    breaker.succeeded()
    now[0] = 2
    breaker.failed(started)
    assert breaker.remaining_seconds == 0
    breaker.failed(breaker.now())
    assert breaker.remaining_seconds == 10
    now[0] = 11
    assert breaker.remaining_seconds == 1
    now[0] = 12
    assert breaker.remaining_seconds == 0


async def test_a_line_of_a_name_and_an_object_is_a_call() -> None:
    model = ScriptedModel('clock {"zone": "UTC"}\nsearch {}')
    called = await model.call(Prompt("", "what time is it"), [Function("clock", "", {})])
    assert called == Called((FunctionCall("clock", {"zone": "UTC"}), FunctionCall("search", {})))
    assert await ScriptedModel("none of these").call(Prompt("", "x"), []) == Called((), "none of these")

import json
import math
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

import anyio
import pytest

from pegboard.errors import (
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
from pegboard.llm.dialect import Format
from pegboard.llm.model import Answered, Called, Completion, Function, FunctionCall, Prompt, Prompted, Said
from pegboard.llm.openai import CHARACTERS_PER_TOKEN, OpenAIModel, is_small
from pegboard.llm.projection import projected
from pegboard.llm.retry_after import retry_after_seconds
from pegboard.llm.usage import Usage, measured
from pegboard.text import Json
from tests.llm.loopback import Answer, Asked, Behaviour, Loopback, chat, delta, events, loopback, says

pytestmark = pytest.mark.anyio

PROMPT = Prompt("Judge.", "Is it?")
SCHEMA: dict[str, Json] = {"type": "object", "properties": {"score": {"type": "integer"}}}


@asynccontextmanager
async def serving(
    behaviour: Behaviour,
    *,
    name: str = "big",
    reply: Literal["auto"] | Format = "auto",
    stall_seconds: float = 20.0,
) -> AsyncIterator[tuple[OpenAIModel, Loopback]]:
    with anyio.fail_after(10):
        async with loopback(behaviour) as endpoint:
            model = OpenAIModel(
                name=name,
                base_url=endpoint.url,
                api_key="k",
                reply=reply,
                stall_seconds=stall_seconds,
            )
            async with model:
                yield model, endpoint


async def test_a_prompt_is_sent_with_temperature_0_and_its_answer_comes_back() -> None:
    async with serving(says(chat("Fine."))) as (model, endpoint):
        with measured() as usage:
            assert await model.complete(PROMPT) == Completion("Fine.", 11, 7)
        assert usage == Usage(1, 11, 7)
        assert endpoint.asked == [
            {
                "path": "/v1/chat/completions",
                "model": "big",
                "messages": [{"role": "system", "content": "Judge."}, {"role": "user", "content": "Is it?"}],
                "max_tokens": 512,
                "temperature": 0,
            }
        ]


async def test_a_schema_is_asked_for_in_words_and_by_the_endpoints_own_means() -> None:
    async with serving(says(chat('{"score": 3}'))) as (model, endpoint):
        await model.complete(PROMPT, schema=SCHEMA)
        asked = endpoint.asked[0]
        strict = {"name": "reply", "schema": projected(SCHEMA, "strict"), "strict": True}
        assert asked["response_format"]["json_schema"] == strict
        assert json.dumps(SCHEMA, separators=(",", ":")) in asked["messages"][0]["content"]
        assert asked["messages"][1]["content"] == "Is it?"


async def test_what_an_endpoint_refuses_is_left_out_and_remembered() -> None:
    async def picky(asked: Asked) -> Answer:
        form = asked.get("response_format", {}).get("type")
        if "max_tokens" in asked:
            return _complaint("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        if "temperature" in asked:
            return _complaint("'temperature' does not support 0 with this model.")
        return _complaint(f"response_format {form} is not supported") if form else chat("{}")

    async with serving(picky) as (model, endpoint):
        await model.complete(PROMPT, schema=SCHEMA)
        assert len(endpoint.asked) == 5
        await model.complete(PROMPT, schema=SCHEMA)
        assert len(endpoint.asked) == 6
        assert set(endpoint.asked[-1]) == {"path", "model", "messages", "max_completion_tokens"}


async def test_an_endpoint_that_refuses_strict_schemas_is_given_simpler_ones_from_then_on() -> None:
    async def gemini_like(asked: Asked) -> Answer:
        return _complaint('Unknown name "additionalProperties" at schema') if '"strict"' in json.dumps(asked) else reply

    reply = chat('{"score": 3}')
    async with serving(gemini_like) as (model, endpoint):
        await model.complete(PROMPT, schema=SCHEMA)
        await model.complete(PROMPT, schema=SCHEMA)
    forms = [asked["response_format"]["json_schema"] for asked in endpoint.asked]
    simple = {"name": "reply", "schema": projected(SCHEMA, "subset")}
    assert [form.get("strict", False) for form in forms] == [True, False, False]
    assert forms[1:] == [simple, simple]


async def test_a_model_called_gemini_is_given_its_subset_at_once() -> None:
    async with serving(says(chat("{}")), name="models/gemini-flash") as (model, endpoint):
        await model.complete(PROMPT, schema=SCHEMA)
    form = endpoint.asked[0]["response_format"]["json_schema"]
    assert form == {"name": "reply", "schema": projected(SCHEMA, "subset")}


async def test_a_null_that_stands_for_an_optional_argument_is_taken_out_of_a_call() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "clock", "arguments": '{"zone": null}'}}
    async with serving(says(called(call))) as (model, _):
        assert await model.call(PROMPT, [TIME]) == Called((FunctionCall("clock", {}, "c1"),))


def _complaint(message: str) -> Answer:
    return Answer({"error": {"message": message, "type": "invalid_request_error"}}, status=400)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (Answer({"error": {"message": "bad key"}}, 401), ModelDenied, "401: bad key. Check the key"),
        (Answer({"error": {"message": "no such model"}}, 404), ModelDenied, "name of the model"),
        (Answer({"detail": "nope"}, 400), ModelRefused, "400: nope"),
        (Answer({"error": "slow down"}, 429), ModelThrottled, "429: slow down"),
        (Answer({"error": "pay first"}, 402), ModelThrottled, "402: pay first"),
        (Answer({"error": "too slow"}, 504), ModelTimedOut, "504: too slow"),
        (Answer(b"<h1>Bad gateway</h1>", 502, "text/html"), ModelUnreachable, "502: <h1>Bad gateway</h1>"),
        (Answer(b"<html>hello</html>", 200, "text/html"), ModelMalformed, "not JSON: '<html>hello</html>'"),
        (Answer([1]), ModelMalformed, "list where a JSON object was wanted"),
        (Answer({}), ModelMalformed, "without a choice"),
        (Answer({"choices": []}), ModelMalformed, "without a choice"),
        (Answer({"choices": [None]}), ModelMalformed, "without a choice"),
        (Answer({"error": {"message": "overloaded"}}), ModelMalformed, "overloaded"),
        (Answer({"choices": [{"message": None}]}), ModelMalformed, "is empty"),
        (chat(None), ModelMalformed, "is empty"),
        (chat("", finish="length"), ModelCutOff, "cut off before it began"),
        (chat(None, refusal="I will not."), ModelFiltered, "refused: I will not."),
        (chat("x", finish="content_filter"), ModelFiltered, "content filter"),
        (Answer(pieces=(b"x" * (3 << 20),) * 2), ModelMalformed, "longer than 4 MiB"),
        (Answer(endless=b"x" * 65536), ModelMalformed, "longer than 4 MiB"),
        (Answer({"error": {"message": "oom"}}, 500, endless=b" " * 65536), ModelUnreachable, "answered 500"),
        (Answer(b"no", 401, endless=b" no" * 9999), ModelDenied, "401: no no no"),
        (Answer(b"zip", headers=(("content-encoding", "gzip"),)), ModelMalformed, "compressed"),
        (Answer(b"zip", 500, headers=(("content-encoding", "gzip"),)), ModelUnreachable, "500: zip"),
        (Answer(b"", 304), ModelRefused, "answered 304"),
        (Answer(pieces=(b'{"choices"',), breaks_off=True), ModelUnreachable, "broke"),
    ],
)
async def test_every_failure_is_an_error_of_ours_that_names_the_endpoint(
    answer: Answer, error: type[ModelError], words: str
) -> None:
    async with serving(says(answer)) as (model, endpoint):
        with pytest.raises(error) as caught:
            await model.complete(PROMPT)
        assert type(caught.value) is error
        assert words in str(caught.value)
        assert endpoint.url in str(caught.value)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_refused_and_the_prompt_goes_nowhere_else(status: int) -> None:
    async with loopback(says(chat("stolen"))) as other:
        location = other.url.replace("127.0.0.1", "localhost") + "/chat/completions?key=secret"
        async with serving(says(Answer(b"", status, headers=(("location", location),)))) as (model, _):
            with pytest.raises(ModelDenied, match="redirects to the host 'localhost', and") as caught:
                await model.complete(PROMPT)
            with pytest.raises(ModelRefused, match="redirects to the host"):
                [piece async for piece in model.stream(PROMPT)]
        assert "secret" not in str(caught.value)
        assert other.asked == []


@pytest.mark.parametrize("location", ["http://[bad", "/elsewhere", "//\\", "http://a:99999/"])
async def test_a_redirect_to_wherever_is_refused(location: str) -> None:
    async with serving(says(Answer(b"", 307, headers=(("location", location),)))) as (model, _):
        with pytest.raises(ModelRefused, match="redirects are not followed"):
            await model.complete(PROMPT)


async def test_a_reply_that_was_cut_off_says_so() -> None:
    async with serving(says(chat("half a", finish="length"))) as (model, _):
        assert (await model.complete(PROMPT)).cut_off


async def test_text_in_parts_is_joined() -> None:
    async with serving(says(chat([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]))) as (
        model,
        _,
    ):
        assert (await model.complete(PROMPT)).text == "ab"


async def test_a_dead_endpoint_is_named_without_user_and_password() -> None:
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(anyio.abc.SocketAttribute.local_port)
    await listener.aclose()
    async with OpenAIModel(name="m", base_url=f"http://user:secret@127.0.0.1:{port}/v1") as model:
        with pytest.raises(ModelUnreachable, match=rf"http://127\.0\.0\.1:{port}/v1 cannot be reached"):
            await model.complete(PROMPT)


async def test_a_model_that_was_closed_opens_again_when_it_is_asked() -> None:
    async with serving(says(chat("ok"))) as (model, endpoint):
        await model.complete(PROMPT)
        await model.aclose()
        assert (await model.complete(PROMPT)).text == "ok"
        assert len(endpoint.asked) == 2


async def test_a_slow_endpoint_meets_the_deadline_and_its_request_is_closed() -> None:
    async def never(asked: Asked) -> Answer:
        await anyio.sleep_forever()
        raise AssertionError

    async with serving(never) as (model, endpoint):
        with pytest.raises(ModelTimedOut, match=r"did not answer within 0\.0(5|499) s"):
            await model.complete(PROMPT, timeout_seconds=0.05)
        await endpoint.closed.wait()
        assert endpoint.open_requests == 0


async def test_cancelling_closes_the_request() -> None:
    reached = anyio.Event()

    async def never(asked: Asked) -> Answer:
        reached.set()
        await anyio.sleep_forever()
        raise AssertionError

    async with serving(never) as (model, endpoint), anyio.create_task_group() as group:
        group.start_soon(model.complete, PROMPT)
        await reached.wait()
        group.cancel_scope.cancel()
        with anyio.CancelScope(shield=True):
            await endpoint.closed.wait()
        assert endpoint.open_requests == 0


async def test_a_model_without_a_name_is_the_only_one_that_is_listed() -> None:
    async def listing(asked: Asked) -> Answer:
        return Answer({"data": [{"id": "qwen-1.5b"}]}) if asked["path"] == "/v1/models" else chat("hi")

    async with serving(listing, name="") as (model, endpoint):
        assert model.name == f"the model at {endpoint.url}"
        assert (await model.complete(PROMPT)).text == "hi"
        assert (model.name, model.scoring) == ("qwen-1.5b", "yes_no")
        assert [asked["path"] for asked in endpoint.asked] == ["/v1/models", "/v1/chat/completions"]


@pytest.mark.parametrize(
    ("listed", "words"),
    [
        ([{"id": "a"}, {"id": "b"}], "lists 2 models. Name one in OPENAI_MODEL, or as `model` of the profile: a, b."),
        ([], "lists no model"),
    ],
)
async def test_several_models_or_none_are_a_clear_error(listed: list[object], words: str) -> None:
    async with serving(says(Answer({"data": listed})), name="") as (model, _):
        with pytest.raises(ModelRefused) as caught:
            await model.resolve()
        assert words in str(caught.value)


def _with_logprobs(*alternatives: tuple[str, float]) -> Answer:
    top = [{"token": token, "logprob": math.log(share)} for token, share in alternatives]
    answer = chat("Yes")
    assert isinstance(answer.body, dict)
    answer.body["choices"][0]["logprobs"] = {"content": [{"token": "Yes", "top_logprobs": top}]}
    return answer


@pytest.mark.parametrize(
    ("answer", "probability"),
    [
        (_with_logprobs(("Yes", 0.6), (" yes", 0.1), ("No", 0.2), ("Perhaps", 0.1)), 0.7 / 0.9),
        (_with_logprobs(("是", 0.3), ("否", 0.1)), 0.75),
        (_with_logprobs(("\u2581No", 0.9), ("\u0120YES", 0.1)), 0.1),
        (chat("Yes, it is."), 1.0),
        (chat("**No**"), 0.0),
        (chat("不是"), 0.0),
    ],
)
async def test_yes_is_as_probable_as_its_first_token(answer: Answer, probability: float) -> None:
    async with serving(says(answer)) as (model, endpoint):
        assert await model.probability_of_yes(PROMPT) == pytest.approx(probability)
        assert endpoint.asked[0]["top_logprobs"] == 20


async def test_an_endpoint_without_log_probabilities_is_asked_for_the_word() -> None:
    async def without(asked: Asked) -> Answer:
        return _complaint("logprobs are not available") if "logprobs" in asked else chat("Yes")

    async with serving(without) as (model, endpoint):
        assert await model.probability_of_yes(PROMPT) == 1.0
        assert await model.probability_of_yes(PROMPT) == 1.0
        assert ["top_logprobs" in asked for asked in endpoint.asked] == [True, True, False, False]


async def test_neither_yes_nor_no_is_malformed() -> None:
    async with serving(says(chat("Maybe"))) as (model, _):
        with pytest.raises(ModelMalformed, match="asked for yes or no and answered 'Maybe'"):
            await model.probability_of_yes(PROMPT)


async def test_a_stream_comes_in_pieces() -> None:
    usage_only = {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}
    pieces = events(delta("红烧"), delta("肉"), delta(None, "stop"), usage_only, "[DONE]")
    with_comment = (pieces[0], b": keep-alive\r\n\r\n", *pieces[1:])
    async with serving(says(Answer(pieces=with_comment, kind="text/event-stream"))) as (model, endpoint):
        with measured() as usage:
            assert [piece async for piece in model.stream(PROMPT)] == ["红烧", "肉"]
        assert usage == Usage(1, 3, 2)
        assert endpoint.asked[0]["stream"] is True
        assert endpoint.asked[0]["stream_options"] == {"include_usage": True}


async def test_a_stream_is_asked_for_in_the_form_of_its_schema() -> None:
    pieces = events(delta('{"a": 1}'), delta(None, "stop"), "[DONE]")
    schema: dict[str, Json] = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    async with serving(says(Answer(pieces=pieces, kind="text/event-stream"))) as (model, endpoint):
        assert [piece async for piece in model.stream(PROMPT, schema=schema)] == ['{"a": 1}']
    asked = endpoint.asked[0]
    assert asked["stream"] is True
    assert asked["response_format"]["json_schema"]["schema"]["properties"] == {"a": {"type": "integer"}}


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (Answer(pieces=events(delta("a"))), ModelUnreachable, "broke off"),
        (Answer(pieces=events(delta("a")), breaks_off=True), ModelUnreachable, "broke"),
        (Answer(pieces=events(delta("a"), "{half")), ModelMalformed, "not JSON"),
        (Answer(pieces=events(delta("a"), {"error": {"message": "oom"}})), ModelMalformed, "oom"),
        (Answer(pieces=events("[DONE]")), ModelMalformed, "is empty"),
        (Answer({"error": "x"}, 500), ModelUnreachable, "500"),
        (Answer(pieces=(b"data: " + b"x" * (5 << 20),)), ModelMalformed, "longer than 4 MiB"),
        (Answer(endless=b": alive\n\n" * 9999), ModelMalformed, "longer than 4 MiB"),
        (Answer(pieces=events(delta("<think>a"), delta("b", "stop"))), ModelMalformed, "is empty"),
    ],
)
async def test_a_stream_that_goes_wrong_says_how(answer: Answer, error: type[ModelError], words: str) -> None:
    async with serving(says(answer)) as (model, _):
        with pytest.raises(error, match=words):
            [piece async for piece in model.stream(PROMPT)]


@pytest.mark.parametrize("pieces", [events(delta("a")), (b": alive\n\n",), (b"data",), (b"\n",)])
async def test_a_stream_of_which_nothing_comes_any_more_is_unreachable_long_before_its_deadline(
    pieces: tuple[bytes, ...],
) -> None:
    async with serving(says(Answer(pieces=pieces, hangs=True)), stall_seconds=0.05) as (model, _):
        with pytest.raises(ModelTimedOut, match=r"Nothing has come from .* for 0\.05 s"):
            [piece async for piece in model.stream(PROMPT, timeout_seconds=600)]


async def test_a_streamed_answer_is_cut_where_its_tokens_cannot_reach() -> None:
    async with serving(says(Answer(endless=events(delta("ha "))[0]))) as (model, _):
        words = "".join([piece async for piece in model.stream(PROMPT, max_tokens=10)])
    assert words == ("ha " * 54)[: 10 * CHARACTERS_PER_TOKEN]


async def test_thoughts_and_special_tokens_do_not_reach_the_asker() -> None:
    pieces = events(*(delta(each) for each in ("<th", "ink>Hm.</thi", "nk>Two ", "eggs.<|im", "_end|>")), "[DONE]")
    async with serving(says(Answer(pieces=pieces))) as (model, _):
        assert [piece async for piece in model.stream(PROMPT)] == ["Two ", "eggs."]


async def test_leaving_a_stream_early_closes_it() -> None:
    async with serving(says(Answer(pieces=events(delta("a"), delta("b"), "[DONE]")))) as (model, _):
        stream = model.stream(PROMPT)
        assert await anext(stream) == "a"
        await stream.aclose()  # type: ignore[attr-defined]
        assert [piece async for piece in model.stream(PROMPT)] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "small"),
    [
        ("qwen2.5-coder-1.5b", True),
        ("llama-3.2-3b", True),
        ("Qwen/Qwen2.5-7B-Instruct", True),
        ("gemma:9b", True),
        ("gemma-2-9b-it", True),
        ("qwen2.5-14b", False),
        ("mixtral-8x7b", False),
        ("llama-3.1-70B", False),
        ("gpt-5-mini", False),
        ("claude-4b-extended-70b", False),
        ("", False),
    ],
)
def test_small_models_are_known_by_their_names(name: str, small: bool) -> None:
    assert is_small(name) is small


TIME = Function("clock", "Tells the time.", {"type": "object", "properties": {"zone": {"type": "string"}}})


def called(*calls: Mapping[str, object], text: str | None = None) -> Answer:
    message = {"role": "assistant", "content": text, "tool_calls": list(calls)}
    return Answer({"choices": [{"message": message, "finish_reason": "tool_calls"}]})


async def test_functions_are_offered_and_calls_come_back_with_their_arguments() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "clock", "arguments": "{'zone': 'Asia/Shanghai',}"}}
    async with serving(says(called(call))) as (model, endpoint):
        reply = await model.call(PROMPT, [TIME])
    assert reply == Called((FunctionCall("clock", {"zone": "Asia/Shanghai"}, "c1"),))
    (asked,) = endpoint.asked
    assert (asked["tools"], asked["tool_choice"]) == (
        [
            {
                "type": "function",
                "function": {
                    "name": "clock",
                    "description": "Tells the time.",
                    "parameters": projected(TIME.parameters, "strict"),
                    "strict": True,
                },
            }
        ],
        "auto",
    )


async def test_a_conversation_is_sent_with_its_calls_and_what_came_of_them() -> None:
    call = FunctionCall("clock", {"zone": "Asia/Shanghai"}, "c1")
    turns = (Said("", (call,)), Answered("c1", "clock", "Noon."), Said("Noon."), Prompted("And in Rome?"))
    async with serving(says(called(text="Six."))) as (model, endpoint):
        assert await model.call(replace(PROMPT, turns=turns), [TIME]) == Called((), "Six.")
    assert endpoint.asked[0]["messages"][2:] == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "clock", "arguments": '{"zone":"Asia/Shanghai"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "Noon."},
        {"role": "assistant", "content": "Noon."},
        {"role": "user", "content": "And in Rome?"},
    ]


async def test_a_model_may_call_nothing() -> None:
    async with serving(says(called(text="Good morning."))) as (model, _):
        assert await model.call(PROMPT, [TIME]) == Called((), "Good morning.")


@pytest.mark.parametrize(
    "answer",
    [
        called(),
        called({"function": {"arguments": "{}"}}),
        called({"function": {"name": "clock", "arguments": "[1]"}}),
        called({"function": {"name": "clock", "arguments": "so be it"}}),
    ],
)
async def test_a_call_that_cannot_be_read_is_malformed(answer: Answer) -> None:
    async with serving(says(answer)) as (model, _):
        with pytest.raises(ModelMalformed):
            await model.call(PROMPT, [TIME])


async def test_an_endpoint_that_tells_no_tokens_is_counted_by_an_estimate() -> None:
    pieces = events(delta("red "), delta("烧肉", "stop"), "[DONE]")
    async with serving(says(Answer(pieces=pieces))) as (model, _):
        with measured() as usage:
            assert [piece async for piece in model.stream(PROMPT)] == ["red ", "烧肉"]
    assert usage == Usage(1, 4, 3)


async def test_an_endpoint_that_cannot_tell_the_tokens_of_a_stream_is_not_asked_to_again() -> None:
    async def picky(asked: Asked) -> Answer:
        if "stream_options" in asked:
            return _complaint("unknown field stream_options")
        return Answer(pieces=events(delta("a", "stop")))

    async with serving(picky) as (model, endpoint):
        for _ in range(2):
            assert [piece async for piece in model.stream(PROMPT)] == ["a"]
    assert ["stream_options" in asked for asked in endpoint.asked] == [True, False, False]


async def test_a_declared_form_of_reply_is_asked_for_and_never_changed() -> None:
    async def picky(asked: Asked) -> Answer:
        return _complaint("response_format is not supported") if "response_format" in asked else chat("{}")

    async with serving(picky, reply="text") as (model, endpoint):
        await model.complete(PROMPT, schema=SCHEMA)
        assert "response_format" not in endpoint.asked[0]
    async with serving(picky, reply="json_object") as (model, endpoint):
        with pytest.raises(ModelRefused, match="response_format"):
            await model.complete(PROMPT, schema=SCHEMA)
        assert [asked["response_format"] for asked in endpoint.asked] == [{"type": "json_object"}]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ((("retry-after", "7"),), 7.0),
        ((("retry-after-ms", "250"), ("retry-after", "7")), 0.25),
        ((("retry-after", "soon"),), None),
        ((("retry-after", "-3"),), None),
        ((("retry-after", "inf"),), None),
        ((("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"),), 0.0),
        ((), None),
    ],
)
async def test_an_endpoint_says_when_it_wants_to_be_asked_again(
    headers: tuple[tuple[str, str], ...], seconds: float | None
) -> None:
    async with serving(says(Answer({"error": "slow down"}, 429, headers=headers))) as (model, _):
        with pytest.raises(ModelThrottled) as caught:
            await model.complete(PROMPT)
    assert caught.value.retry_after_seconds == seconds


def test_a_date_is_counted_from_now() -> None:
    today = datetime(2015, 10, 21, 7, 27, 30, tzinfo=UTC)
    assert retry_after_seconds({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, today=today) == 30.0


async def test_a_reply_whose_log_probabilities_are_no_numbers_is_read_by_its_word() -> None:
    answer = chat("Yes")
    assert isinstance(answer.body, dict)
    top = [{"token": "Yes", "logprob": math.nan}, {"token": "No", "logprob": "-1"}]
    answer.body["choices"][0]["logprobs"] = {"content": [{"token": "Yes", "top_logprobs": top}]}
    async with serving(says(answer)) as (model, _):
        assert await model.probability_of_yes(PROMPT) == 1.0

"""Sites as models: what the `openai` package makes of `/v1`."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import openai
import pytest

from pegboard.edges.web.chat.completion import closing
from pegboard.text import Json
from tests.edges.leaver import leave_while_it_works
from tests.edges.twin import TwinApp

pytestmark = pytest.mark.anyio

SOURCES = "\n\n- [1] [Thing 1 事](<https://kitchen.example/1>)"
NOBODY = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


@pytest.fixture
async def asking(client: httpx2.AsyncClient) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(
        base_url="http://127.0.0.1:8000/v1", api_key="any", http_client=client, max_retries=0
    ) as asking:
        yield asking


def user(text: Any) -> Any:
    return {"role": "user", "content": text}


async def test_each_site_is_a_model_and_the_default_one_is_first(asking: openai.AsyncOpenAI) -> None:
    assert [model.id async for model in asking.models.list()] == ["kitchen", "shop"]
    assert (await asking.models.retrieve("shop")).owned_by == "pegboard"
    with pytest.raises(openai.NotFoundError, match="Did you mean 'shop'"):
        await asking.models.retrieve("shoop")


async def test_the_answer_is_the_content_with_what_it_rests_on(app: TwinApp, asking: openai.AsyncOpenAI) -> None:
    app.usage = {"model_calls": 2, "tokens_in": 50, "tokens_out": 7}
    said = await asking.chat.completions.create(model="kitchen", messages=[user("pasta")])
    (choice,) = said.choices
    text = choice.message.content or ""
    assert text.endswith(SOURCES)
    assert (choice.finish_reason, choice.message.role, said.model) == ("stop", "assistant", "kitchen")
    assert said.usage is not None
    assert said.usage.to_dict() == {"prompt_tokens": 50, "completion_tokens": 7, "total_tokens": 57}
    whole: Any = said.to_dict()["pegboard"]
    assert text == whole["answer"] + SOURCES
    assert (whole["tool"], len(whole["results"])) == ("search", 2)


async def test_the_chunks_together_are_the_answer_and_usage_comes_last(asking: openai.AsyncOpenAI) -> None:
    whole = await asking.chat.completions.create(model="kitchen", messages=[user("pasta")])
    stream = await asking.chat.completions.create(
        model="kitchen", messages=[user("pasta")], stream=True, stream_options={"include_usage": True}
    )
    chunks = [chunk async for chunk in stream]
    pieces = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
    assert "".join(pieces) == whole.choices[0].message.content
    assert len(pieces) > 4, "words come as they are said"
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in chunks[:-1] if chunk.choices[0].finish_reason] == ["stop"]
    assert chunks[-1].usage is not None
    assert (chunks[-1].choices, chunks[-1].usage.to_dict()) == ([], NOBODY)
    assert len({chunk.id for chunk in chunks}) == 1


async def test_a_stream_ends_with_done_and_tells_no_usage_unasked(client: httpx2.AsyncClient) -> None:
    body = {"model": "kitchen", "messages": [user("pasta")], "stream": True}
    text = (await client.post("/v1/chat/completions", json=body)).text
    assert text.endswith("data: [DONE]\n\n")
    assert '"object":"chat.completion.chunk"' in text.replace(": ", ":")
    assert '"prompt_tokens"' not in text


async def test_earlier_messages_of_the_user_are_earlier_questions(app: TwinApp, asking: openai.AsyncOpenAI) -> None:
    parts = [{"type": "text", "text": "and"}, {"type": "text", "text": "wine?"}]
    said = await asking.chat.completions.create(
        model="",
        messages=[
            {"role": "system", "content": "You are a cook."},
            user("pasta"),
            {"role": "assistant", "content": "Here."},
            user(parts),
        ],
        temperature=0.3,
        max_tokens=9,
        n=1,
        extra_body={"tools": [], "response_format": {"type": "text"}, "whatever": 1},
    )
    assert said.model == "kitchen"
    assert (app.asked[-1].text, app.asked[-1].previous) == ("and\nwine?", ("pasta",))


@pytest.mark.parametrize(
    ("asked", "param"),
    [
        ({"messages": []}, "messages"),
        ({"messages": "pasta"}, "messages"),
        ({"messages": [{"role": "system", "content": "x"}]}, "messages[0].role"),
        ({"messages": [user("pasta"), {"role": "assistant", "content": "x"}]}, "messages[1].role"),
        ({"messages": [user("pasta"), "pasta"]}, "messages[1]"),
        ({"messages": [{"role": "nobody", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"content": "x"}]}, "messages[0]"),
        ({"messages": [user(None)]}, "messages[0].content"),
        ({"messages": [user(7)]}, "messages[0].content"),
        ({"messages": [user([{"type": "image_url", "image_url": {"url": "x"}}])]}, "messages[0].content[0]"),
        ({"messages": [user(["x"])]}, "messages[0].content[0]"),
        ({"messages": [user([{"type": "text", "text": 7}])]}, "messages[0].content[0].text"),
        ({"model": 7}, "model"),
        ({"stream": "yes"}, "stream"),
        ({"stream_options": "usage"}, "stream_options"),
        ({"stream_options": {"include_usage": 1}}, "stream_options.include_usage"),
        ({"n": 2}, "n"),
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools"),
        ({"functions": [{"name": "f"}]}, "functions"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"logprobs": True}, "logprobs"),
        ({"modalities": ["audio"]}, "modalities"),
    ],
)
async def test_what_is_wrong_or_cannot_be_honoured_is_refused_by_its_name(
    app: TwinApp, client: httpx2.AsyncClient, asked: dict[str, Any], param: str
) -> None:
    body = {"model": "kitchen", "messages": [user("pasta")], **asked}
    response = await client.post("/v1/chat/completions", json=body)
    error = response.json()["error"]
    assert (response.status_code, error["param"], error["type"]) == (400, param, "invalid_request_error")
    assert error["message"]
    assert app.asked == []


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"query=x", "application/x-www-form-urlencoded", 415),
        (b"{}", "", 415),
        (b" " * (2 << 20), "application/json", 413),
    ],
)
async def test_a_body_that_is_no_question_is_an_error_that_clients_can_read(
    client: httpx2.AsyncClient, content: bytes, kind: str, status: int
) -> None:
    response = await client.post("/v1/chat/completions", content=content, headers={"Content-Type": kind})
    assert response.status_code == status
    assert response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("question", "raised", "text"),
    [
        ("fail", openai.InternalServerError, "Tool 'search' failed. Try again."),
        ("boom", openai.InternalServerError, "Something went wrong inside the server."),
        ("", openai.BadRequestError, "The question is empty."),
    ],
)
async def test_an_error_is_the_one_that_the_package_knows(
    asking: openai.AsyncOpenAI, question: str, raised: type[openai.APIStatusError], text: str
) -> None:
    with pytest.raises(raised, match=text) as caught:
        await asking.chat.completions.create(model="kitchen", messages=[user(question)])
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("question", "text"), [("fail", "Tool 'search' failed."), ("boom", "Something went wrong inside the server.")]
)
async def test_an_error_within_a_stream_is_raised_where_it_is_read(
    asking: openai.AsyncOpenAI, question: str, text: str
) -> None:
    stream = await asking.chat.completions.create(model="kitchen", messages=[user(question)], stream=True)
    with pytest.raises(openai.APIError, match=text):
        async for _ in stream:
            pass


async def test_an_unknown_model_is_not_found(client: httpx2.AsyncClient) -> None:
    response = await client.post("/v1/chat/completions", json={"model": "kichen", "messages": [user("x")]})
    error = response.json()["error"]
    assert (response.status_code, error["code"], error["param"]) == (404, "model_not_found", "model")
    assert "Did you mean 'kitchen'?" in error["message"]


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_a_client_that_leaves_ends_its_work(app: TwinApp, is_streamed: bool) -> None:
    body = f'{{"messages": [{{"role": "user", "content": "wait"}}], "stream": {str(is_streamed).lower()}}}'.encode()
    await leave_while_it_works(app, "/v1/chat/completions", body)
    assert app.cancelled.is_set()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, ""),
        ({"results": [{"name": "A", "url": "https://a.example"}]}, "\n\n- [1] [A](<https://a.example>)"),
        (
            {"citations": [{"number": 3, "name": "[A]\\", "url": "javascript:x"}], "results": [{"name": "B"}]},
            "\n\n- [3] \\[A\\]\\\\",
        ),
        ({"citations": [{"number": 1, "name": "", "url": "/documents/1"}]}, "\n\n- [1] [/documents/1](</documents/1>)"),
        ({"degraded": "No model.", "notices": ["Ignored."]}, "\n\nNote: No model.\n\nNote: Ignored."),
    ],
)
def test_what_follows_an_answer_is_what_it_rests_on_and_what_is_to_be_known(answer: dict[str, Json], said: str) -> None:
    assert "".join(closing(answer)) == said

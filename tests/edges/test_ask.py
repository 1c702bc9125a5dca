"""`/ask` and `/route`, on the application in memory."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import anyio
import httpx2
import pytest

from pegboard.edges.envelope import ENVELOPE, answer_of
from pegboard.edges.web.application import web_app
from tests.edges.twin import TwinApp, TwinServing

pytestmark = pytest.mark.anyio


def events(text: str) -> list[dict[str, Any]]:
    """Return the messages of a stream, which holds nothing but them and comments."""
    chunks = [chunk for chunk in text.split("\n\n") if chunk]
    return [json.loads(chunk.removeprefix("data: ")) for chunk in chunks if not chunk.startswith(":")]


def kinds(messages: Iterable[dict[str, Any]]) -> list[str]:
    return [message["message_type"] for message in messages]


def content(message: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name not in ENVELOPE}


async def test_the_stream_is_nlwebs_and_ends_with_its_end(client: httpx2.AsyncClient) -> None:
    response = await client.get("/ask", params={"query": "用什么代替鸡蛋", "site": "kitchen"})
    messages = events(response.text)
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["x-accel-buffering"] == "no"
    assert "\\u" not in response.text
    assert kinds(messages) == [
        "begin-nlweb-response",
        "tool_selection",
        "tool_arguments",
        "result",
        "answer_piece",
        "answer_piece",
        "answer_piece",
        "nlws",
        "end-nlweb-response",
    ]


@pytest.mark.parametrize("mode", ["", "list"])
async def test_the_last_message_says_what_the_answer_used(client: httpx2.AsyncClient, app: TwinApp, mode: str) -> None:
    app.usage = {"model_calls": 4, "tokens_in": 1820, "tokens_out": 96, "cached": 0, "milliseconds": 912.4}
    messages = events((await client.get("/ask", params={"query": "eggs"} | ({"mode": mode} if mode else {}))).text)
    assert content(messages[-1]) == {"usage": app.usage}
    assert [message["usage"] for message in messages if message["message_type"] == "nlws"] == (
        [] if mode else [app.usage]
    )


async def test_every_message_has_nlwebs_envelope(client: httpx2.AsyncClient) -> None:
    response = await client.get("/ask", params={"query": "eggs", "conversation_id": "c1"})
    messages = events(response.text)
    assert all(set(message) >= ENVELOPE for message in messages)
    assert {message["conversation_id"] for message in messages} == {"c1"}
    assert [message["message_id"].partition("#")[2] for message in messages] == [
        str(number) for number in range(len(messages))
    ]


async def test_results_have_nlwebs_eight_keys(client: httpx2.AsyncClient) -> None:
    response = await client.get("/ask", params={"query": "eggs"})
    (result,) = (each for each in events(response.text) if each["message_type"] == "result")
    assert [set(each) for each in result["content"]] == 2 * [
        {"@type", "url", "name", "site", "siteUrl", "score", "description", "schema_object"}
    ]
    assert result["content"][0]["@type"] == "Recipe"
    assert result["content"][0]["siteUrl"] == "https://kitchen.example"


async def test_the_pieces_are_the_answer(client: httpx2.AsyncClient) -> None:
    messages = events((await client.get("/ask", params={"query": "eggs"})).text)
    (answer,) = (each for each in messages if each["message_type"] == "nlws")
    pieces = [each["text"] for each in messages if each["message_type"] == "answer_piece"]
    assert "".join(pieces) == answer["answer"]


async def test_the_answer_of_a_command_comes_back_whole(app: TwinApp, client: httpx2.AsyncClient) -> None:
    messages = events((await client.get("/ask", params={"query": "eggs"})).text)
    (answer,) = (each for each in messages if each["message_type"] == "nlws")
    assert answer_of(answer) == (await app.ask(app.question("eggs", site="kitchen"))).to_json()


@pytest.mark.parametrize("value", ["false", "False", "0"])
async def test_the_json_form_is_the_array_of_the_same_messages(client: httpx2.AsyncClient, value: str) -> None:
    streamed = events((await client.get("/ask", params={"query": "eggs"})).text)
    response = await client.get("/ask", params={"query": "eggs", "streaming": value})
    assert response.headers["content-type"] == "application/json"
    assert [content(each) for each in response.json()] == [content(each) for each in streamed]


async def test_mode_list_gives_items_and_no_words(client: httpx2.AsyncClient) -> None:
    response = await client.post("/ask", json={"query": "eggs", "mode": "list", "streaming": False})
    assert kinds(response.json()) == [
        "begin-nlweb-response",
        "tool_selection",
        "tool_arguments",
        "result",
        "end-nlweb-response",
    ]


async def test_mode_list_says_that_nothing_was_found(client: httpx2.AsyncClient) -> None:
    response = await client.post("/ask", json={"query": "nothing", "mode": "list", "streaming": False})
    assert kinds(response.json())[-2:] == ["no_results", "end-nlweb-response"]


async def test_parameters_reach_the_question(app: TwinApp, client: httpx2.AsyncClient) -> None:
    body = {"query": "eggs", "site": "shop", "tool": ["search", "order"], "prev": ["before"]}
    await client.post("/ask", json=body)
    assert app.asked == [app.question("eggs", site="shop", tools=("search", "order"), previous=("before",))]


async def test_a_form_is_read_as_nlweb_reads_it(app: TwinApp, client: httpx2.AsyncClient) -> None:
    await client.post("/ask", data={"query": "鸡蛋", "tool": ["search", "details"]})
    assert app.asked == [app.question("鸡蛋", site="kitchen", tools=("search", "details"))]


async def test_a_form_of_too_many_fields_is_told_so(client: httpx2.AsyncClient) -> None:
    response = await client.post("/ask", data={f"f{number}": "" for number in range(5000)})
    assert (response.status_code, response.json()["detail"]) == (400, "The form has more than 1,000 fields.")


async def test_a_nested_body_is_read(app: TwinApp, client: httpx2.AsyncClient) -> None:
    body = {"query": {"text": "eggs", "site": "shop"}, "prefer": {"streaming": False, "mode": "list"}}
    response = await client.post("/ask", json=body)
    assert kinds(response.json())[-1] == "end-nlweb-response"
    assert app.asked == [app.question("eggs", site="shop", form="list")]


async def test_the_site_of_the_host_is_asked(app: TwinApp, client: httpx2.AsyncClient) -> None:
    await client.get("/ask", params={"query": "eggs"}, headers={"Host": "shop.example"})
    assert [question.site for question in app.asked] == ["shop"]


async def test_what_has_no_effect_is_said(client: httpx2.AsyncClient) -> None:
    body = {"query": "eggs", "site": "all", "min_score": 3, "streaming": False}
    messages = (await client.post("/ask", json=body)).json()
    assert [each["content"] for each in messages if each["message_type"] == "notice"] == [
        "Ignored, because it has no effect here: min_score.",
        "One site is asked at a time: site=all is answered by kitchen.",
    ]


async def test_get_runs_only_tools_that_read(app: TwinApp, client: httpx2.AsyncClient) -> None:
    refused = await client.get("/ask", params={"query": "two of these", "site": "shop", "tool": "order"})
    await client.get("/ask", params={"query": "two of these", "site": "shop"})
    await client.post("/ask", json={"query": "two of these", "site": "shop", "tool": "order"})
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert [question.tools for question in app.asked] == [("search",), ("order",)]


@pytest.mark.parametrize(
    ("parameters", "status", "detail", "hint"),
    [
        ({}, 400, "The question is empty.", None),
        ({"query": "  "}, 400, "The question is empty.", None),
        ({"query": "a" * 8001}, 400, "The question has 8001 characters.", None),
        ({"query": "a", "site": "kitchn"}, 404, "There is no site 'kitchn'.", "Did you mean 'kitchen'?"),
        (
            {"query": "a", "tool": "serch"},
            404,
            "Site 'kitchen' has no tool 'serch'.",
            "Did you mean 'search'?",
        ),
        ({"query": "a", "sit": "b"}, 400, "Unknown parameter 'sit'.", "Did you mean 'site'?"),
    ],
)
@pytest.mark.parametrize("path", ["/ask", "/route"])
async def test_a_wrong_request_is_a_problem(
    client: httpx2.AsyncClient,
    path: str,
    parameters: dict[str, str],
    status: int,
    detail: str,
    hint: str | None,
) -> None:
    response = await client.get(path, params=parameters)
    problem = response.json()
    assert response.headers["content-type"] == "application/problem+json"
    assert (response.status_code, problem["status"], problem["detail"], problem.get("hint")) == (
        status,
        status,
        detail,
        hint,
    )


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"query=a", "text/plain", 415),
        (b"query=a", "", 415),
        (b"query=%ff", "application/x-www-form-urlencoded", 400),
        (b'{"query": "' + b"a" * (1 << 20) + b'"}', "application/json", 413),
    ],
)
async def test_a_body_that_cannot_be_read_is_a_problem(
    client: httpx2.AsyncClient, body: bytes, kind: str, status: int
) -> None:
    response = await client.post("/ask", content=body, headers={"Content-Type": kind})
    assert (response.status_code, response.json()["status"]) == (status, status)


async def test_a_body_of_unknown_length_is_counted(client: httpx2.AsyncClient) -> None:
    async def endless() -> Any:
        while True:
            yield b" " * 65536

    response = await client.post("/ask", content=endless(), headers={"Content-Type": "application/json"})
    assert response.status_code == 413


async def test_a_tool_that_fails_ends_the_stream_in_order(client: httpx2.AsyncClient) -> None:
    messages = events((await client.get("/ask", params={"query": "fail now"})).text)
    assert kinds(messages) == ["begin-nlweb-response", "tool_selection", "error", "end-nlweb-response"]
    assert messages[-2]["problem"] == {
        "type": "urn:pegboard:problem:call-failed",
        "title": "Call failed",
        "status": 502,
        "detail": "Tool 'search' failed.",
        "hint": "Try again.",
    }


async def test_a_tool_that_fails_is_a_problem_in_the_json_form(client: httpx2.AsyncClient) -> None:
    response = await client.get("/ask", params={"query": "fail now", "streaming": "false"})
    assert (response.status_code, response.json()["title"]) == (502, "Call failed")
    assert kinds(response.json()["messages"])[-1] == "end-nlweb-response"


@pytest.mark.parametrize("path", ["/ask", "/ask?streaming=false", "/route"])
async def test_a_defect_keeps_the_inside_inside(client: httpx2.AsyncClient, path: str) -> None:
    response = await client.get(path, params={**dict(httpx2.QueryParams(path.partition("?")[2])), "query": "boom"})
    assert "Something went wrong inside the server." in response.text
    assert "secret" not in response.text


@pytest.mark.parametrize("streaming", ["true", "false"])
async def test_time_runs_out(app: TwinApp, client: httpx2.AsyncClient, streaming: str) -> None:
    app.settings = replace(app.settings, request_seconds=0.01)
    with anyio.fail_after(10):
        response = await client.get("/ask", params={"query": "wait", "streaming": streaming})
    assert "The request took too long." in response.text
    assert app.cancelled.is_set()


class Visitor:
    """An ASGI client that can leave."""

    def __init__(self, app: TwinApp, path: str, query: str) -> None:
        self._app = web_app(TwinServing(app))
        self._left = anyio.Event()
        self._is_sent = False
        self._scope = {
            "type": "http", "method": "GET", "path": path, "query_string": query.encode(),
            "headers": [(b"host", b"localhost")],
        }  # fmt: skip

    async def visit(self) -> None:
        await self._app(self._scope, self._receive, self._send)

    def leave(self) -> None:
        self._left.set()

    async def _receive(self) -> dict[str, Any]:
        if not self._is_sent:
            self._is_sent = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        pass


@pytest.mark.parametrize(
    ("path", "query"),
    [("/ask", "query=wait"), ("/ask", "query=wait&streaming=false"), ("/route", "query=wait")],
)
async def test_a_client_that_leaves_ends_its_work(app: TwinApp, path: str, query: str) -> None:
    visitor = Visitor(app, path, query)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(visitor.visit)
            await app.waiting.wait()
            visitor.leave()
            await app.cancelled.wait()


async def test_route_gives_the_json_of_the_decision(app: TwinApp, client: httpx2.AsyncClient) -> None:
    response = await client.get("/route", params={"query": "eggs", "site": "shop"})
    assert response.json() == (await app.route(app.question("eggs", site="shop"))).to_json()


async def test_a_long_chinese_question_is_routed_by_post(app: TwinApp, client: httpx2.AsyncClient) -> None:
    response = await client.post("/route", json={"query": "字" * 8000})
    assert response.json()["query"] == "字" * 8000

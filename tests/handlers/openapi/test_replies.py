"""What a service answers: results by their type, and errors with the service's own words."""

from pathlib import Path

import anyio
import pytest

from pegboard.catalog.contract import Result
from pegboard.errors import CallFailed, InvalidArguments, LimitReached, UpstreamFailed
from pegboard.handlers.openapi.replies import result_of
from pegboard.net.exchange import Request, Response
from pegboard.text import Json
from tests.handlers.openapi.made import called, kind, one
from tests.handlers.openapi.service import service
from tests.twins import context

pytestmark = pytest.mark.anyio

REQUEST = Request("GET", "https://pets.example/x")


def answered(status: int, kind_: str, body: bytes, *headers: tuple[str, str], cut: bool = False) -> Result:
    told = ((("content-type", kind_),) if kind_ else ()) + headers
    return result_of(Response(status, told, body, is_cut_off=cut), REQUEST, place="GET /x")


@pytest.mark.parametrize(
    ("status", "kind_", "body", "text", "data"),
    [
        (200, "application/json; charset=utf-8", '{"a": "é"}'.encode(), '{"a":"é"}', {"a": "é"}),
        (200, "application/problem+json", b"[1]", "[1]", [1]),
        (200, "application/json", b'"words"', "words", "words"),
        (200, "", b'{"a":1}', '{"a":1}', {"a": 1}),
        (200, "", b"plain", "plain", "plain"),
        (200, "text/plain; charset=iso-8859-1", b"h\xe9", "hé", "hé"),
        (200, "text/plain; charset=nonsense", "hé".encode(), "hé", "hé"),
        (200, "text/csv", b"a,b", "a,b", "a,b"),
        (200, "application/atom+xml", b"<a/>", "<a/>", "<a/>"),
        (204, "", b"", "Done (HTTP 204).", None),
        (201, "application/json", b" ", "Done (HTTP 201).", None),
        (200, "image/png", b"\x89PNG", "A file of 4 bytes, image/png.", {"content_type": "image/png", "bytes": 4, "base64": "iVBORw=="}),
    ],
)  # fmt: skip
def test_results(status: int, kind_: str, body: bytes, text: str, data: Json) -> None:
    result = answered(status, kind_, body)
    assert (result.text, result.data) == (text, data)


@pytest.mark.parametrize(
    ("kind_", "body", "said"),
    [
        ("application/json", b'{"message": "no such pet"}', "no such pet"),
        ("application/json", b'{"error": {"type": "x", "message": "no such pet"}}', "no such pet"),
        ("application/json", b'{"errors": [{"detail": "a"}, {"detail": "b"}]}', "a; b"),
        ("application/problem+json", b'{"title": "t", "detail": "d"}', "d"),
        ("application/json", b'{"error": "invalid_grant", "error_description": "expired"}', "expired"),
        ("application/json", b"{broken", "{broken"),
        ("text/plain", b"no\nsuch pet", "no such pet"),
    ],
)
def test_a_refusal_has_the_services_own_words(kind_: str, body: bytes, said: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        answered(404, kind_, body)
    assert type(caught.value) is InvalidArguments
    assert caught.value.message == f"GET /x answered 404: {said}"


def test_a_page_is_no_message() -> None:
    with pytest.raises(InvalidArguments, match=r"^GET /x answered 400\.$"):
        answered(400, "text/html", b"<html>" + b"x" * 10_000)


def test_a_long_message_is_cut() -> None:
    with pytest.raises(InvalidArguments) as caught:
        answered(400, "text/plain", b"x " * 10_000)
    assert len(caught.value.message) < 450


@pytest.mark.parametrize(
    ("status", "headers", "is_retryable", "wait"),
    [
        (429, {"retry-after": "7"}, True, 7.0),
        (503, {}, True, None),
        (500, {}, True, None),
        (501, {}, False, None),
        (408, {}, True, None),
        (302, {"location": "http://10.0.0.1"}, False, None),
    ],
)
def test_what_may_be_tried_again(status: int, headers: dict[str, str], is_retryable: bool, wait: float | None) -> None:
    with pytest.raises(UpstreamFailed) as caught:
        answered(status, "", b"", *headers.items())
    assert (caught.value.is_retryable, caught.value.retry_after_seconds) == (is_retryable, wait)


def test_json_that_is_none_is_the_services_fault() -> None:
    with pytest.raises(UpstreamFailed, match="says that it answers in JSON"):
        answered(200, "application/json", b"<html>")


@pytest.mark.parametrize("body", [b'{"a": NaN}', b"[-Infinity]", b"[" * 300 + b"]" * 300, b"[" * 99_999])
def test_what_no_json_is_that_can_be_passed_on_is_the_services_fault(body: bytes) -> None:
    with pytest.raises(UpstreamFailed):
        answered(200, "application/json", body)


def test_a_number_that_is_too_large_is_null() -> None:
    assert answered(200, "application/json", b"[1e999, -1e999, 1e9]").data == [None, None, 1e9]


@pytest.mark.parametrize("status", [400, 404, 409, 410, 413, 414, 416, 422])
def test_a_call_that_the_service_does_not_take_is_the_callers_mistake(status: int) -> None:
    with pytest.raises(InvalidArguments):
        answered(status, "", b"")


@pytest.mark.parametrize("status", [401, 403, 405])
def test_a_tool_that_the_service_does_not_take_is_the_tools(status: int) -> None:
    with pytest.raises(CallFailed):
        answered(status, "", b"")


def test_a_secret_is_masked_before_a_message_is_cut() -> None:
    request = Request("GET", "https://pets.example/x", secrets=("s3cr3t-s3cr3t",))
    body = ("x" * 392 + "s3cr3t\u200b-s3cr3t" + " s3cr3t-s3cr3t" * 9_000).encode()
    with pytest.raises(InvalidArguments) as caught:
        result_of(Response(400, (("content-type", "text/plain"),), body), request, place="GET /x")
    assert "s3c" not in caught.value.message


def test_an_answer_that_was_cut_off_is_not_passed_on() -> None:
    with pytest.raises(LimitReached, match="longer than"):
        answered(200, "application/json", b'{"a":', cut=True)


async def test_a_call_through_the_wire(tmp_path: Path) -> None:
    with anyio.fail_after(10):
        async with service() as upstream:
            upstream.body = '{"name": "小白"}'.encode()
            assert await called(kind(tmp_path, one(), base_url=upstream.url)) == Result(
                '{"name":"小白"}', data={"name": "小白"}
            )


async def test_a_service_is_looked_for_without_changing_anything(tmp_path: Path) -> None:
    with anyio.fail_after(10):
        async with service() as upstream:
            upstream.status = 404
            tool = kind(tmp_path, one("delete"), base_url=upstream.url)
            assert await tool.reach(context()) == f"{upstream.url} answers"
            assert upstream.last.method == "GET"
            upstream.status = 503
            with pytest.raises(CallFailed, match="503"):
                await tool.reach(context())

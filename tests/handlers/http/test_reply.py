"""What a tool of the kind `http` makes of a reply: what is picked, what tells of a failure, and the pages behind it."""

import base64
import threading
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import pytest

from pegboard.catalog.contract import Result
from pegboard.errors import PegboardError, UpstreamFailed
from pegboard.events import Event, Noticed
from pegboard.handlers.http.reading import Nothing, Reading
from pegboard.net.exchange import Response
from pegboard.text import Json, to_json
from tests.handlers.http.making import a_request, called
from tests.net.faulty import Wire, faulty
from tests.twins import context

CITIES = {"count": "2", "cities": [{"name": "北京", "t": 21}, {"name": "Paris", "t": 9}], "next": None}


async def replied(
    block: dict[str, Any], body: object = CITIES, status: int = 200, kind: str = "application/json", **arguments: Json
) -> Result:
    """Return the result of a reply."""

    async def answer(wire: Wire) -> None:
        await wire.reply(body, status, kind)

    with anyio.fail_after(10):
        async with faulty(x=answer) as server:
            error: PegboardError | None = None
            try:
                return await called(a_request({"url": f"{server.url}/x", **block}), **arguments)
            except PegboardError as raised:  # a group of tasks would wrap it
                error = raised
        raise error


@pytest.mark.parametrize(
    ("block", "result"),
    [
        ({}, Result(to_json(CITIES), data=CITIES)),  # type: ignore[arg-type]
        ({"pick": "cities[].name"}, Result('["北京","Paris"]', data=["北京", "Paris"])),
        ({"pick": "cities[0]", "text": "join(' ', [name, to_string(t)])"}, Result("北京 21", data={"name": "北京", "t": 21})),
        ({"pick": "cities[0].name"}, Result("北京", data="北京")),
        ({"pick": "towns"}, Result("Nothing was found.", status="not_found")),
        ({"empty_when": "count == '2'", "empty_message": "没有"}, Result("没有", status="not_found")),
        ({"empty_when": "count == '0'", "pick": "count"}, Result("2", data="2")),
    ],
)  # fmt: skip
async def test_a_result_is_picked_from_the_reply(block: dict[str, Any], result: Result) -> None:
    assert await replied(block) == result


@pytest.mark.parametrize(
    ("block", "message", "is_retryable"),
    [
        ({"error_when": "count == '2'"}, "The service says that it failed.", False),
        ({"error_when": "count == '2'", "error_message": "cities[0].name"}, "The service says that it failed: 北京.", False),
        ({"error_when": "cities", "error_message": "cities[1]", "retry_when": "count == '2'"}, 'The service says that it failed: {"name":"Paris","t":9}.', True),
        ({"text": "join(' ', cities)"}, "The reply is not what `text` can read: ", False),
    ],
)  # fmt: skip
async def test_a_reply_may_tell_of_a_failure_by_what_it_holds(
    block: dict[str, Any], message: str, is_retryable: bool
) -> None:
    with pytest.raises(UpstreamFailed) as failed:
        await replied(block)
    assert failed.value.message.startswith(message)
    assert failed.value.is_retryable is is_retryable


@pytest.mark.parametrize(
    ("body", "kind", "read_as", "data"),
    [
        ("北京".encode("gbk"), "text/plain; charset=GBK", "auto", "北京"),
        ('{"a":"北京"}'.encode("gb18030"), 'application/json; charset="gb18030"', "auto", {"a": "北京"}),
        (b"\xef\xbb\xbf[1]", "text/json", "auto", [1]),
        (b"[1]", "application/hal+json", "auto", [1]),
        (b"[1]", "text/plain", "auto", "[1]"),
        (b"[1]", "text/javascript", "json", [1]),
        (b"a\xffb", "text/html", "auto", "a�b"),
        (b'"\\ud83d"', "application/json", "auto", "\ud83d"),
        (b"\x89PNG", "image/png", "auto", {"type": "image/png", "size": 4, "base64": base64.b64encode(b"\x89PNG").decode()}),
        (b"[1]", "application/json", "bytes", {"type": "application/json", "size": 3, "base64": "WzFd"}),
    ],
)  # fmt: skip
async def test_a_reply_is_read_by_what_it_says_it_is(body: bytes, kind: str, read_as: str, data: Json) -> None:
    assert (await replied({"reply": read_as}, body, kind=kind)).data == data


@pytest.mark.parametrize("charset", ["idna", "base64", "unicode_escape", "rot13", "punycode", "undefined", "x"])
async def test_a_codec_that_is_no_charset_is_refused(charset: str) -> None:
    with pytest.raises(UpstreamFailed, match="no charset that can be read"):
        await replied({}, b"{}", kind=f"application/json; charset={charset}")


async def test_a_missing_thing_may_be_no_failure() -> None:
    assert await replied({"missing_is_empty": True}, b"", 404) == Result("Nothing was found.", status="not_found")


async def test_what_has_been_done_without_a_word_is_done() -> None:
    assert await replied({"method": "DELETE"}, b"", 204) == Result("Done.")
    assert (await replied({}, b"", 204)).status == "not_found"


async def test_a_secret_that_the_service_sends_back_is_hidden() -> None:
    async def tells(wire: Wire) -> None:
        key = "s3cret/key"
        encoded = base64.b64encode(b"x" + key.encode()).decode()
        await wire.reply(
            {
                "a": key,
                "b": ["s3cret%2Fkey", encoded],
                "failed": wire.asked.target.count("fail") > 0,
                "why": f"bad {key}",
            }
        )

    auth = {"query": {"name": "key", "value": "s3cret/key"}}
    with anyio.fail_after(10):
        async with faulty(x=tells) as server:
            block = {
                "url": f"{server.url}/x",
                "auth": auth,
                "query": {"f": "{f}"},
                "error_when": "failed",
                "error_message": "why",
            }
            result = await called(a_request(block))
            with pytest.raises(UpstreamFailed) as failed:
                await called(a_request(block), f="fail")
            assert "key=s3cret%2Fkey" in server.asked[-1].target
    assert isinstance(result.data, dict)
    assert (result.data["a"], result.data["why"]) == ("***", "bad ***")
    assert "cret" not in result.text
    assert failed.value.args == ("The service says that it failed: bad ***.",)


def page_of(wire: Wire) -> list[int]:
    """Return the items of the page that is asked for, of seven in all, three a page."""
    asked = parse_qs(urlsplit(wire.asked.target).query)
    at = next(
        (int(asked[name][0]) for name in ("at", "cursor", "offset") if name in asked),
        3 * (int(asked.get("page", ["1"])[0]) - 1),
    )
    return list(range(at, min(at + 3, 7)))


async def pages(wire: Wire) -> None:
    items = page_of(wire)
    after = items[-1] + 1 if items else 7
    link: dict[str, Any] = (
        {"link": f'</x?at=0>; rel="first", </x?at={after}>; title="a, b"; rel="next"'} if after < 7 else {}
    )
    place = f"?at={after}" if after < 7 else None
    await wire.reply({"items": items, "next": place, "cursor": after if after < 7 else ""}, **link)


@pytest.mark.parametrize(
    "paging",
    [
        {"link": True},
        {"next": "next"},
        {"cursor": "cursor", "parameter": "cursor"},
        {"page": 1, "parameter": "page"},
        {"offset": 0, "parameter": "offset"},
    ],
)
async def test_pages_are_put_together_whatever_names_the_next(paging: dict[str, Any]) -> None:
    with anyio.fail_after(10):
        async with faulty(x=pages) as server:

            async def of(**more: int) -> Json:
                return (
                    await called(
                        a_request(
                            {
                                "url": f"{server.url}/x",
                                "query": {"q": "a b"},
                                "paging": {**paging, "items": "items", **more},
                            }
                        )
                    )
                ).data

            assert await of() == [0, 1, 2, 3, 4, 5, 6]
            assert await of(max_pages=2) == [0, 1, 2, 3, 4, 5]
            assert await of(max_items=4) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("more", "notice"),
    [
        ({"max_pages": 1}, "One page was read, for 3 items"),
        ({"max_pages": 2}, "2 pages were read, for 6 items"),
        ({"max_items": 2}, "One page was read, for 2 items"),
        ({"max_pages": 3}, ""),
    ],
)
async def test_that_there_are_more_pages_is_said(more: dict[str, int], notice: str) -> None:
    block = {"paging": {"next": "next", "items": "items", **more}}
    told: list[Event] = []
    with anyio.fail_after(10):
        async with faulty(x=pages) as server:
            await a_request({"url": f"{server.url}/x", **block}).call(context(emit=told.append), {})
    rest = "; the service may have more. `max_pages` and `max_items` end the reading."
    assert told == ([Noticed(notice + rest)] if notice else [])


async def test_a_large_reply_is_read_while_other_calls_go_on() -> None:
    names: set[str] = set()

    class Told(Reading):
        def value(self, response: Response, secrets: tuple[str, ...]) -> Json | Nothing:
            names.add(threading.current_thread().name)
            return super().value(response, secrets)

    async def answer(wire: Wire) -> None:
        await wire.reply(["x" * (300 << 10)])

    with anyio.fail_after(10):
        async with faulty(x=answer) as server:
            tool = a_request({"url": f"{server.url}/x"})
            tool._reading = Told(tool._reading.block, {}, is_paged=False)
            await called(tool)
    assert names
    assert threading.main_thread().name not in names


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"[{'0,' * 200_000}0]", "its JSON holds more than 200,000 values"),
        (f"{'[' * 300}{']' * 300}", "its JSON is nested too deep"),
        (f"{'[' * 90_000}{']' * 90_000}", "its JSON is nested too deep"),
    ],
    ids=["values", "levels", "many levels"],
)
async def test_a_reply_that_is_too_much_to_work_on_is_refused(body: str, message: str) -> None:
    with pytest.raises(UpstreamFailed, match=message):
        await replied({}, body.encode())


@pytest.mark.parametrize("way", ["link", "next"])
async def test_a_next_page_that_is_no_address_is_a_failure_in_our_words(way: str) -> None:
    async def answer(wire: Wire) -> None:
        await wire.reply({"items": [1], "next": "http://["}, link='<http://[>; rel="next"')

    error: PegboardError | None = None
    with anyio.fail_after(10):
        async with faulty(x=answer) as server:
            paging = {way: "next" if way == "next" else True, "items": "items"}
            try:
                await called(a_request({"url": f"{server.url}/x", "paging": paging}))
            except PegboardError as raised:
                error = raised
    assert error is not None
    assert error.message == "The service names a next page by what is no address."


@pytest.mark.parametrize(
    "place", ["http://169.254.169.254/", "//evil.example/x", "/../admin", "https://127.0.0.1/x", "/other"]
)
async def test_a_next_page_outside_of_the_base_is_not_asked_for(place: str) -> None:
    async def leads_away(wire: Wire) -> None:
        await wire.reply({"items": [1], "next": place})

    with anyio.fail_after(10):
        async with faulty() as server:
            server.routes["/v1/x"] = leads_away
            tool = a_request(
                {"source": "s", "url": "/x", "paging": {"next": "next", "items": "items"}},
                source={"base_url": f"{server.url}/v1"},
            )
            with pytest.raises(UpstreamFailed, match="outside of its own address"):
                await called(tool)
            assert len(server.asked) == 1


@pytest.mark.parametrize(
    "auth",
    [
        {"bearer": "hush-hush/1"},
        {"header": {"name": "X-Key", "value": "hush-hush/1"}},
        {"query": {"name": "key", "value": "hush-hush/1"}},
        {"user": "u", "password": "hush-hush/1"},
    ],
)
@pytest.mark.parametrize("path", ["echo", "broken", "closes_in_body", "no_http", "redirects_to_metadata", "html"])
async def test_no_log_and_no_error_holds_a_secret(
    auth: dict[str, Any], path: str, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[str] = []
    with caplog.at_level("DEBUG"), anyio.fail_after(10):
        async with faulty() as server:
            try:
                result = await called(
                    a_request({"url": f"{server.url}/{path}", "auth": auth, "reply": "json", "redirects": 1})
                )
                told += [result.text, repr(result)]
            except PegboardError as error:
                told += [repr(error), str(error), *(str(cause) for cause in (error.__cause__, error.__context__))]
    assert caplog.records
    for spelling in ("hush-hush", "aHVzaC1odXNo", "h1c2gtaHVzaC"):
        assert spelling not in caplog.text
        assert spelling not in "".join(told)

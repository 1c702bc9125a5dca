"""What a tool of the kind `http` sends, byte for byte, and what it refuses to send."""

from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import CallFailed, CallRefused, InvalidArguments, PegboardError
from pegboard.handlers.http.address import Address, is_below
from pegboard.text import Json
from tests.handlers.http.making import a_request, called, misfits
from tests.net.faulty import Asked, faulty
from tests.twins import context

BASE = {"base_url": "https://api.shop.example/v1"}


def shown(block: dict[str, Any], **arguments: Json) -> dict[str, Json]:
    """Return the preview of a call of the shop."""
    preview = a_request({"source": "shop", **block}, source=BASE).preview(arguments)
    assert isinstance(preview, dict)
    return preview


async def asked(block: dict[str, Any], source: dict[str, Any] | None = None, /, **arguments: Json) -> Asked:
    """Return the request that a call makes."""
    with anyio.fail_after(10):
        async with faulty() as server:
            tool = a_request({"source": "s", **block}, source={"base_url": f"{server.url}/v1/", **(source or {})})
            await called(tool, **arguments)
            return server.asked[0]


@pytest.mark.parametrize(
    ("url", "arguments", "path"),
    [
        ("/orders/{id}", {"id": 7}, "/v1/orders/7"),
        ("orders/{id}/items/{name}.json", {"id": "a/b", "name": "ü ?#&=%"}, "/v1/orders/a%2Fb/items/%C3%BC%20%3F%23&=%25.json"),
        ("/{a}", {"a": "北京"}, "/v1/%E5%8C%97%E4%BA%AC"),
        ("/{a}", {"a": True}, "/v1/true"),
        ("/{a}", {"a": 1.5}, "/v1/1.5"),
        ("/{a}", {"a": 3.0}, "/v1/3"),
        ("/{a}", {"a": ["x", "y,z"]}, "/v1/x,y,z"),
        ("/{a}", {"a": "v1..2"}, "/v1/v1..2"),
        ("", {}, "/v1"),
        ("/größe/", {}, "/v1/gr%C3%B6%C3%9Fe/"),
    ],
)  # fmt: skip
def test_an_argument_is_one_segment_of_the_path(url: str, arguments: dict[str, Json], path: str) -> None:
    block = {"url": url or "/"}
    assert shown(block, **arguments)["url"] == f"https://api.shop.example{path}"


HOSTILE = [
    "..", ".", "../admin", "a/../../b", "..\\x", "%2e%2e", "%2E%2e/x", "%252e%252e", "a%2fb", "a\\b", "a\0b", "a\nb", "\r\nX: 1",
    "a%00", "..;/x/..", "", None, ["..", ], {"a": 1},
]  # fmt: skip


@pytest.mark.parametrize("value", HOSTILE)
def test_what_would_be_more_than_a_segment_is_refused(value: Json) -> None:
    with pytest.raises(InvalidArguments):
        shown({"url": "/orders/{id}"}, id=value)


def test_two_dots_made_of_two_arguments_do_not_leave_the_base() -> None:
    with pytest.raises(PegboardError):
        shown({"url": "/orders/{a}{b}/x"}, a=".", b=".")
    assert not is_below("https://api.shop.example/v1/%2e%2e/x", "https://api.shop.example/v1/")
    assert not is_below("https://api.shop.example/v10", "https://api.shop.example/v1/")
    assert not is_below("https://api.shop.example.evil.example/v1/", "https://api.shop.example/v1/")
    assert is_below("https://api.shop.example/v1", "https://api.shop.example/v1/")


@given(st.text(max_size=20), st.text(max_size=20))
def test_no_argument_leaves_the_base(a: str, b: str) -> None:
    address = Address.of("/orders/{a}/{b}", "https://api.shop.example/v1")
    try:
        url = address.url({"a": a, "b": b})
    except (InvalidArguments, CallRefused):
        return
    assert is_below(url, "https://api.shop.example/v1/orders/")
    assert url.count("/") == 6


@pytest.mark.parametrize(
    ("query", "lists", "arguments", "sent"),
    [
        ({"q": "{q}", "units": "metric"}, "repeat", {"q": "a b&c=d+é"}, "?q=a%20b%26c%3Dd%2B%C3%A9&units=metric"),
        ({"q": "{q}"}, "repeat", {}, ""),
        ({"q": "city:{q} {r}"}, "repeat", {"q": "x"}, ""),
        ({"q": "city:{q}"}, "repeat", {"q": "x"}, "?q=city%3Ax"),
        ({"tag": "{tags}"}, "repeat", {"tags": ["a", "b c"]}, "?tag=a&tag=b%20c"),
        ({"tag": "{tags}"}, "comma", {"tags": ["a", "b"]}, "?tag=a%2Cb"),
        ({"tag": "{tags}"}, "space", {"tags": ["a", "b"]}, "?tag=a%20b"),
        ({"tag": "{tags}"}, "pipe", {"tags": ["a", "b"]}, "?tag=a%7Cb"),
        ({"tag": "{tags}"}, "comma", {"tags": []}, ""),
        ({"n": "{n}", "on": "{on}", "five": 5, "list": ["x", "{n}"]}, "repeat", {"n": 2.0, "on": False}, "?n=2&on=false&five=5&list=x&list=2"),
        ({"a": "{a}"}, "repeat", {"a": None}, ""),
        ({"a": "{a}"}, "repeat", {"a": ""}, "?a="),
        ({"json": '{"brace": 1}'}, "repeat", {}, "?json=%7B%22brace%22%3A%201%7D"),
    ],
)  # fmt: skip
def test_the_query_holds_what_is_given(
    query: dict[str, Any], lists: str, arguments: dict[str, Json], sent: str
) -> None:
    assert (
        shown({"url": "/x", "query": query, "lists": lists}, **arguments)["url"]
        == f"https://api.shop.example/v1/x{sent}"
    )


async def test_headers_are_sent_and_those_without_a_value_left_out() -> None:
    block = {"url": "/x", "headers": {"X-Own": "v{n}", "X-Not": "{gone}"}}
    seen = await asked(block, {"headers": {"X-All": "1"}}, n=3)
    names = {"host", "accept-encoding", "user-agent", "x-all", "x-own"}
    assert {name.lower() for name, _ in seen.headers} == names
    assert (seen.header("x-own"), seen.header("x-all"), seen.target, seen.body) == ("v3", "1", "/v1/x", b"")


@pytest.mark.parametrize("value", ["a\nb", "a\r\nSet-Cookie: x", "a\0", "北京"])
def test_a_header_that_would_end_its_line_is_refused(value: str) -> None:
    with pytest.raises(InvalidArguments):
        shown({"url": "/x", "headers": {"X-City": "{city}"}}, city=value)


@pytest.mark.parametrize(
    ("body", "written_as", "arguments", "kind", "data"),
    [
        ({"city": "{c}", "n": "{n}", "deep": [{"c": "in {c}"}, "{gone}"], "gone": "{gone}"}, "json", {"c": "北京", "n": [1]}, "application/json", '{"city":"北京","n":[1],"deep":[{"c":"in 北京"}]}'),
        ("{all}", "json", {"all": {"a": None}}, "application/json", '{"a":null}'),
        ({"a": "{a}", "b": "{b}", "c": "{c}"}, "form", {"a": "x y&z", "b": ["1", "2"]}, "application/x-www-form-urlencoded", "a=x+y%26z&b=1&b=2"),
        ("say: {a}", "text", {"a": "ü"}, "text/plain; charset=utf-8", "say: ü"),
    ],
)  # fmt: skip
async def test_a_body_is_written_as_declared(
    body: Json, written_as: str, arguments: dict[str, Json], kind: str, data: str
) -> None:
    seen = await asked({"url": "/x", "method": "POST", "body": body, "body_as": written_as}, **arguments)
    assert (seen.method, seen.header("content-type"), seen.body.decode()) == ("POST", kind, data)


async def test_half_a_character_in_the_name_of_a_file_is_a_question_mark() -> None:
    body = {"photo": {"file": "text", "name": "a{n}.txt"}}
    seen = await asked({"url": "/x", "method": "POST", "body": body, "body_as": "multipart"}, n="\ud800")
    assert b'filename="a?.txt"' in seen.body


async def test_a_file_is_a_part_of_a_form_with_its_name_and_type() -> None:
    photo = {"file": "{photo}", "name": 'a"{n}\n.jpg', "type": "image/jpeg", "encoding": "base64"}
    body = {"title": "{title}", "photo": photo, "note": {"file": "{note}"}, "none": "{none}"}
    block = {"url": "/x", "method": "POST", "body": body, "body_as": "multipart"}
    seen = await asked(block, title="T", photo="AAEC/w==", n=1, note="text")
    mark = (seen.header("content-type") or "").removeprefix("multipart/form-data; boundary=")
    parts = [
        b'Content-Disposition: form-data; name="title"\r\n\r\nT',
        b'Content-Disposition: form-data; name="photo"; filename="a%221%0A.jpg"\r\nContent-Type: image/jpeg\r\n\r\n\x00\x01\x02\xff',
        b'Content-Disposition: form-data; name="note"; filename="note"\r\nContent-Type: application/octet-stream\r\n\r\ntext',
    ]
    edge = f"--{mark}".encode()
    assert len(mark) == 32
    assert seen.body == b"".join(edge + b"\r\n" + part + b"\r\n" for part in parts) + edge + b"--\r\n"
    assert a_request({"source": "s", **block}, source=BASE).parameters["properties"] == {
        "title": {"type": "string"},
        "photo": {"type": "string", "contentEncoding": "base64"},
        "n": {"type": "string"},
        "note": {"type": "string"},
        "none": {"type": "string"},
    }
    with pytest.raises(InvalidArguments, match="base64"):
        shown(block, title="T", photo="!", n=1)


def test_a_placeholder_is_required_wherever_it_stands_unless_parameters_say_otherwise() -> None:
    block = {
        "source": "s",
        "url": "/{a}",
        "method": "POST",
        "query": {"q": "{b}"},
        "headers": {"X": "{c}"},
        "body": "{d}",
    }
    assert a_request(block, source=BASE).parameters["required"] == ["a", "b", "c", "d"]
    own: dict[str, Json] = {"type": "object", "properties": {name: {} for name in "abcd"}, "required": ["a"]}
    assert a_request(block, source=BASE, parameters=own).parameters == own


def test_a_preview_shows_the_request_and_no_secret() -> None:
    auth = {"query": {"name": "key", "value": "hush-hush/1"}}
    preview = a_request(
        {"url": "https://a.example/{city}", "auth": auth, "method": "POST", "body": {"c": "{city}"}}
    ).preview({"city": "x"})
    assert preview == {
        "method": "POST",
        "url": "https://a.example/x?key=***",
        "headers": {"Content-Type": "application/json"},
        "body": '{"c":"x"}',
    }
    missing = a_request({"url": "https://a.example/", "auth": {"bearer": "", "missing": "Set A."}}).preview({})
    assert isinstance(missing, dict)
    assert missing["missing"] == "The secret that the service wants is not set. Set A."


async def test_an_address_that_is_an_argument_has_to_be_public() -> None:
    tool = a_request({"url": "{url}"})
    for url in (
        "http://169.254.169.254/latest",
        "http://[::ffff:169.254.169.254]/",
        "http://127.0.0.1:22/",
        "http://[64:ff9b::7f00:1]/",
        "http://localhost/",
    ):
        with pytest.raises(CallRefused):
            await called(tool, url=url)
    for wrong in (
        "http://0251.0376.0251.0376/",
        "http://2852039166/",
        "http://a@127.0.0.1/",
        "file:///etc/passwd",
        "",
        "x",
        None,
    ):
        with pytest.raises(InvalidArguments):
            await called(tool, url=wrong)
    async with faulty() as server:
        allowed = a_request({"url": "{url}"}, networks=("127.0.0.0/8",))
        with anyio.fail_after(10):
            await called(allowed, url=f"{server.url}/a b?q=ü#f")
        assert server.asked[0].target == "/a%20b?q=%C3%BC"


def test_what_cannot_work_is_told_with_its_place() -> None:
    parameters: dict[str, Json] = {"type": "object", "properties": {"city": {"type": "string"}}}
    block = {
        "url": "https://a.example/{citty}?x=1",
        "query": {"a": ["{c}"]},
        "headers": {"X Y": "1", "X-Z": "a\nb"},
        "body": {"b": {"c": "{d}"}},
        "auth": {},
        "pick": "a[",
        "paging": {"page": 1, "next": "x", "items": "]"},
    }
    found = misfits(block, parameters=parameters)
    assert [place for place, _ in found] == [
        ("url",),
        ("url",),
        ("query", "a", 0),
        ("body", "b", "c"),
        ("headers", "X Y"),
        ("headers", "X-Z"),
        ("body",),
        ("auth",),
        ("pick",),
        ("paging",),
        ("paging", "items"),
    ]
    assert "sends the argument 'citty', which its parameters lack" in [message for _, message in found]


@pytest.mark.parametrize(
    ("url", "source", "says"),
    [
        ("ftp://a.example/", None, "does not begin with http"),
        ("/x", None, "does not begin with http"),
        ("https://{host}.example/", None, "argument in its host"),
        ("https://a.example{x}", None, "argument in its host"),
        ("https://u:p@a.example/x", None, "names a user"),
        ("https://a.example/../x", None, "`..`"),
        ("https://a.example/%2e%2e/x", None, "`..`"),
        ("https://a.example/{a", None, "brace"),
        ("https://other.example/x", BASE, "whole address"),
        ("//other.example/x", BASE, "whole address"),
        ("/x", {"base_url": "https://a.example/?x"}, "query"),
        ("/x", {"base_url": "a.example"}, "does not begin with http"),
        ("{url}", {"base_url": "http://0x7f.1/"}, "in disguise"),
    ],
)
def test_an_address_that_cannot_be_is_told(url: str, source: dict[str, Any] | None, says: str) -> None:
    found = misfits({"url": url, **({"source": "s"} if source else {})}, source=source)
    assert [place for place, _ in found] == [("url",)]
    assert says in found[0][1]


def test_a_secret_for_any_address_is_told() -> None:
    assert misfits({"url": "{url}", "auth": {"bearer": "x"}}) == [
        (("auth",), "would send a secret to whatever address it is given")
    ]


async def test_a_source_without_an_address_is_off_and_says_what_to_set() -> None:
    tool = a_request({"source": "s", "url": "/x"}, source={"base_url": "", "missing": "Set SHOP_URL."})
    with pytest.raises(CallFailed, match=r"is off: its address is not set\. Set SHOP_URL\."):
        await called(tool)
    with pytest.raises(CallFailed, match="is off"):
        await tool.reach(context())


async def test_reach_asks_for_the_base_and_tells_a_refused_secret() -> None:
    async with faulty() as server:
        tool = a_request({"source": "s", "url": "/x/{y}"}, source={"base_url": server.url})
        assert await tool.reach(context()) == f"answers at {server.url.removeprefix('http://')} (status 200)"
        assert server.asked[0].target == "/"
        denied = a_request({"source": "s", "url": "/x"}, source={"base_url": f"{server.url}/v"})
        server.routes["/v/"] = denying
        with pytest.raises(CallFailed, match="does not let us in"):
            await denied.reach(context())


async def denying(wire: Any) -> None:
    await wire.reply(status=401)

"""What goes over the wire, byte for byte, for every place, style and kind of body."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from pegboard.errors import InvalidArguments
from pegboard.text import Json
from tests.handlers.openapi.made import called, kind, one, parameter
from tests.handlers.openapi.service import Asked, service

pytestmark = pytest.mark.anyio

COLORS: Json = ["blue", "black", "brown"]
RGB: Json = {"R": 100, "G": 200, "B": 150}


async def sent(folder: Path, held: dict[str, Any], /, **arguments: Json) -> Asked:
    """Call the operation `x` of a document, and return what its service was asked."""
    with anyio.fail_after(10):
        async with service() as upstream:
            await called(kind(folder, held, base_url=f"{upstream.url}/v1"), **arguments)
            assert len(upstream.asked) == 1
            return upstream.last


@pytest.mark.parametrize(
    ("style", "explode", "value", "query"),
    [
        # OpenAPI 3.1, 4.8.12.4: the examples of its table
        ("form", False, "", "color="),
        ("form", False, "blue", "color=blue"),
        ("form", False, COLORS, "color=blue,black,brown"),
        ("form", False, RGB, "color=R,100,G,200,B,150"),
        ("form", True, "blue", "color=blue"),
        ("form", True, COLORS, "color=blue&color=black&color=brown"),
        ("form", True, RGB, "R=100&G=200&B=150"),
        ("spaceDelimited", False, COLORS, "color=blue%20black%20brown"),
        ("spaceDelimited", False, RGB, "color=R%20100%20G%20200%20B%20150"),
        ("spaceDelimited", True, COLORS, "color=blue&color=black&color=brown"),
        ("pipeDelimited", False, COLORS, "color=blue%7Cblack%7Cbrown"),
        ("pipeDelimited", False, RGB, "color=R%7C100%7CG%7C200%7CB%7C150"),
        ("pipeDelimited", True, COLORS, "color=blue&color=black&color=brown"),
        ("deepObject", True, RGB, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
        # what it leaves open
        ("deepObject", True, {"a": {"b": [1, {"c": True}]}}, "color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D%5Bc%5D=true"),
        ("deepObject", True, COLORS, "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown"),
        ("form", True, [{"a": 1}], "color=%7B%22a%22%3A1%7D"),
        ("form", True, "a b&c=d/é", "color=a%20b%26c%3Dd%2F%C3%A9"),
        ("form", False, ["a,b", "c"], "color=a%2Cb,c"),
        ("form", True, 1.5, "color=1.5"),
        ("form", True, False, "color=false"),
        ("form", True, [], ""),
        ("form", False, {}, ""),
        ("form", True, None, ""),
    ],
)  # fmt: skip
async def test_a_query_in_every_style(tmp_path: Path, style: str, explode: bool, value: Json, query: str) -> None:
    held = one(parameters=[parameter(style=style, explode=explode)])
    assert (await sent(tmp_path, held, color=value)).target == f"/v1/x{'?' if query else ''}{query}"


async def test_reserved_characters_stay_where_the_document_allows_it(tmp_path: Path) -> None:
    held = one(parameters=[parameter(name="url", allowReserved=True), parameter(name="plain")])
    value = "https://a.example/b?c=d&e=f#g[h]+i"
    assert (await sent(tmp_path, held, url=value, plain="/")).target == (
        "/v1/x?url=https://a.example/b?c=d%26e=f%23g%5Bh%5D%2Bi&plain=%2F"
    )


async def test_a_parameter_with_content_is_json(tmp_path: Path) -> None:
    told = {"name": "filter", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}}
    held = one(parameters=[told])
    assert (await sent(tmp_path, held, filter={"a": [1, "é"]})).target == (
        "/v1/x?filter=%7B%22a%22%3A%5B1%2C%22%C3%A9%22%5D%7D"
    )


@pytest.mark.parametrize(
    ("style", "explode", "value", "segment"),
    [
        ("simple", False, "blue", "blue"),
        ("simple", False, COLORS, "blue,black,brown"),
        ("simple", False, RGB, "R,100,G,200,B,150"),
        ("simple", True, COLORS, "blue,black,brown"),
        ("simple", True, RGB, "R=100,G=200,B=150"),
        ("label", False, "blue", ".blue"),
        ("label", False, COLORS, ".blue,black,brown"),
        ("label", False, RGB, ".R,100,G,200,B,150"),
        ("label", True, COLORS, ".blue.black.brown"),
        ("label", True, RGB, ".R=100.G=200.B=150"),
        ("matrix", False, "blue", ";color=blue"),
        ("matrix", False, COLORS, ";color=blue,black,brown"),
        ("matrix", False, RGB, ";color=R,100,G,200,B,150"),
        ("matrix", True, COLORS, ";color=blue;color=black;color=brown"),
        ("matrix", True, RGB, ";R=100;G=200;B=150"),
        ("simple", False, "a/b?x=1#y", "a%2Fb%3Fx%3D1%23y"),
        ("simple", False, "a\\b", "a%5Cb"),
        ("simple", False, "北京", "%E5%8C%97%E4%BA%AC"),
    ],
)
async def test_a_path_in_every_style(tmp_path: Path, style: str, explode: bool, value: Json, segment: str) -> None:
    held = one(path="/a/{color}/b", parameters=[parameter("path", style=style, explode=explode)])
    assert (await sent(tmp_path, held, color=value)).target == f"/v1/a/{segment}/b"


@pytest.mark.parametrize(
    "value",
    [
        "",
        ".",
        "..",
        [],
        "../../admin",
        "a/..",
        "%2e%2e",
        "a%2F..%2Fb",
        "..\\x",
        "a\r\nb",
        "a\x00",
        "%0A",
        "%2500",
        "%252e%252e",
        "..;/x",
        ["..", "a"],
        {"a": "%00"},
    ],
)
async def test_what_would_lead_to_another_path_is_not_sent(tmp_path: Path, value: Json) -> None:
    tool = kind(tmp_path, one(path="/a/{color}/b", parameters=[parameter("path")]))
    with pytest.raises(InvalidArguments):
        tool.preview({"color": value})


async def test_two_values_in_one_segment(tmp_path: Path) -> None:
    parameters = [parameter("path", "lat"), parameter("path", "lon")]
    held = one(path="/at/{lat},{lon}/now.json#here", parameters=parameters)
    assert (await sent(tmp_path, held, lat=1.5, lon="a/b")).target == "/v1/at/1.5,a%2Fb/now.json"


@pytest.mark.parametrize(
    ("explode", "value", "text"),
    [
        (False, "blue", "blue"),
        (False, COLORS, "blue,black,brown"),
        (False, RGB, "R,100,G,200,B,150"),
        (True, RGB, "R=100,G=200,B=150"),
        (False, 'a "b"; c=d', 'a "b"; c=d'),
        (False, "é", "%C3%A9"),
    ],
)
async def test_headers(tmp_path: Path, explode: bool, value: Json, text: str) -> None:
    held = one(parameters=[parameter("header", "X-Color", explode=explode)])
    assert (await sent(tmp_path, held, **{"X-Color": value})).header("x-color") == text


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\0b"])
async def test_a_header_of_several_lines_is_not_sent(tmp_path: Path, value: str) -> None:
    tool = kind(tmp_path, one(parameters=[parameter("header", "X-Color")]))
    with pytest.raises(InvalidArguments, match="X-Color"):
        tool.preview({"X-Color": value})


FRAMING = (
    "Host content-length Transfer-Encoding Connection Cookie Upgrade TE Trailer Expect Keep-Alive Proxy-Authorization"
    " X-Forwarded-For"
)


@pytest.mark.parametrize("name", [*FRAMING.split(), "X\r\nEvil: 1", "\ud800"])
def test_a_header_that_frames_a_request_is_no_argument(tmp_path: Path, name: str) -> None:
    held = one(parameters=[parameter("header", name), parameter("header", "TE-Color")])
    assert kind(tmp_path, held).parameters["properties"] == {"TE-Color": {}}


@pytest.mark.parametrize("place", ["path", "query", "header", "cookie", "form", "file", "json"])
def test_half_of_a_character_is_the_callers_mistake(tmp_path: Path, place: str) -> None:
    bodies = {"form": "application/x-www-form-urlencoded", "file": "multipart/form-data", "json": "application/json"}
    body = with_body(bodies[place], fields("color")) if place in bodies else {}
    held = body or one(path="/{color}" if place == "path" else "/x", parameters=[parameter(place)])
    with pytest.raises(InvalidArguments, match="'color' holds half of a character"):
        kind(tmp_path, held).preview({"color": "a\ud800"})


def test_a_media_type_of_several_lines_is_not_sent(tmp_path: Path) -> None:
    tool = kind(tmp_path, with_body("*/png", {"type": "string", "format": "binary"}))
    with pytest.raises(InvalidArguments, match="media type"):
        tool.preview({"body": {"type": "a\r\nb", "text": "x"}})


async def test_cookies_stand_in_one_header(tmp_path: Path) -> None:
    parameters = [parameter("cookie", "a", explode=False), parameter("cookie", "b"), parameter("cookie", "c")]
    asked = await sent(tmp_path, one(parameters=parameters), a=COLORS, b="x; y=1", c=["1", "2"])
    assert asked.header("cookie") == "a=blue,black,brown; b=x%3B%20y=1; c=1; c=2"


def with_body(kind_: str, schema: Json, *, required: bool = True, **media: Any) -> dict[str, Any]:
    return one("post", requestBody={"required": required, "content": {kind_: {"schema": schema, **media}}})


def fields(*names: str, **schemas: Json) -> Json:
    return {"type": "object", "properties": {**{name: {} for name in names}, **schemas}}


async def test_a_json_body_is_made_of_its_properties(tmp_path: Path) -> None:
    asked = await sent(tmp_path, with_body("application/json", fields("name", "age")), name="Bé", age=None)
    assert (asked.method, asked.header("content-type")) == ("POST", "application/json")
    assert asked.body == '{"name":"Bé","age":null}'.encode()


async def test_a_json_body_that_is_no_object_is_one_argument(tmp_path: Path) -> None:
    held = with_body("application/vnd.shop+json", {"type": "array", "items": {"type": "integer"}})
    asked = await sent(tmp_path, held, body=[1, 2])
    assert (asked.header("content-type"), asked.body) == ("application/vnd.shop+json", b"[1,2]")


async def test_a_body_that_is_needed_is_sent_empty_and_one_that_is_not_is_left_out(tmp_path: Path) -> None:
    asked = await sent(tmp_path, with_body("application/json", fields("a")))
    assert asked.body == b"{}"
    asked = await sent(tmp_path, with_body("application/json", fields("a"), required=False))
    assert (asked.body, asked.header("content-type")) == (b"", None)


async def test_a_form(tmp_path: Path) -> None:
    held = with_body("application/x-www-form-urlencoded", fields("a", "b", "c", "d"))
    asked = await sent(tmp_path, held, a="x y&z=é", b=[1, True], c={"k": 1}, d=None)
    assert asked.header("content-type") == "application/x-www-form-urlencoded"
    assert asked.body == b"a=x+y%26z%3D%C3%A9&b=1&b=true&c=%7B%22k%22%3A1%7D"


async def test_a_form_with_an_encoding_for_each_field(tmp_path: Path) -> None:
    encoding: dict[str, Any] = {
        "deep": {"style": "deepObject", "explode": True},
        "commas": {"style": "form", "explode": False},
        "spaces": {"style": "spaceDelimited", "explode": False},
        "pipes": {"style": "pipeDelimited", "explode": False},
        "exploded": {"style": "form", "explode": True},
        "json": {"contentType": "application/json"},
        "raw": {"allowReserved": True},
    }
    held = with_body("application/x-www-form-urlencoded", fields(*encoding), encoding=encoding)
    asked = await sent(
        tmp_path, held, deep={"a": {"b": 1}, "c": [2]}, commas=["x", "y"], spaces=["x", "y"], pipes=["x", "y"],
        exploded={"p": 1, "q": 2}, json=[1], raw="a/b",
    )  # fmt: skip
    assert asked.body == (
        b"deep%5Ba%5D%5Bb%5D=1&deep%5Bc%5D%5B0%5D=2&commas=x,y&spaces=x%20y&pipes=x%7Cy&p=1&q=2&json=%5B1%5D&raw=a/b"
    )


async def test_a_form_with_files(tmp_path: Path) -> None:
    binary: Json = {"type": "string", "format": "binary"}
    schema = fields("note", "meta", "tags", photo=binary, others={"type": "array", "items": binary})
    held = with_body("multipart/form-data", schema, encoding={"photo": {"contentType": "image/png, image/jpeg"}})
    asked = await sent(
        tmp_path, held, note="hé", meta={"a": 1}, tags=["x", "y"],
        photo={"name": 'a"b\r\n.png', "base64": "iVBORw=="},
        others=["plain text", "data:text/csv;base64,YSxi"],
    )  # fmt: skip
    content_type = asked.header("content-type") or ""
    boundary = content_type.removeprefix("multipart/form-data; boundary=")
    parts = [
        b'Content-Disposition: form-data; name="note"\r\n\r\nh\xc3\xa9',
        b'Content-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":1}',
        b'Content-Disposition: form-data; name="tags"\r\n\r\nx',
        b'Content-Disposition: form-data; name="tags"\r\n\r\ny',
        b'Content-Disposition: form-data; name="photo"; filename="a%22b%0D%0A.png"\r\nContent-Type: image/png\r\n\r\n'
        b"\x89PNG",
        b'Content-Disposition: form-data; name="others"; filename="others"\r\n'
        b"Content-Type: application/octet-stream\r\n\r\nplain text",
        b'Content-Disposition: form-data; name="others"; filename="others"\r\nContent-Type: text/csv\r\n\r\na,b',
    ]
    line = f"--{boundary}\r\n".encode()
    assert len(boundary) == 32
    assert asked.body == b"".join(line + part + b"\r\n" for part in parts) + f"--{boundary}--\r\n".encode()


async def test_a_boundary_is_never_in_what_it_bounds(tmp_path: Path) -> None:
    held = with_body("multipart/form-data", fields("a"))
    first = await sent(tmp_path, held, a="x")
    boundary = (first.header("content-type") or "").partition("boundary=")[2]
    again = await sent(tmp_path, held, a=boundary)
    assert (again.header("content-type") or "").partition("boundary=")[2] not in again.body.decode().split('name="a"')[
        1
    ].split("\r\n")[2]


@pytest.mark.parametrize(
    ("kind_", "value", "content_type", "content"),
    [
        ("application/octet-stream", "text", "application/octet-stream", b"text"),
        ("application/octet-stream", {"base64": "AAEC/w=="}, "application/octet-stream", b"\x00\x01\x02\xff"),
        ("application/octet-stream", "data:image/gif;base64,R0lG", "application/octet-stream", b"GIF"),
        ("image/*", "data:image/gif;base64,R0lG", "image/gif", b"GIF"),
        ("image/*", "data:image/svg+xml,%3Csvg%2F%3E", "image/svg+xml", b"<svg/>"),
    ],
)
async def test_bytes(tmp_path: Path, kind_: str, value: Json, content_type: str, content: bytes) -> None:
    asked = await sent(tmp_path, with_body(kind_, {"type": "string", "format": "binary"}), body=value)
    assert (asked.header("content-type"), asked.body) == (content_type, content)


async def test_a_text(tmp_path: Path) -> None:
    asked = await sent(tmp_path, with_body("text/plain; charset=utf-8", {"type": "string"}), body="hé\nho")
    assert (asked.header("content-type"), asked.body) == ("text/plain; charset=utf-8", "hé\nho".encode())
    asked = await sent(tmp_path, with_body("application/xml", fields("a")), body="<a/>")
    assert (asked.header("content-type"), asked.body) == ("application/xml", b"<a/>")


@pytest.mark.parametrize("value", [{"base64": "%%%"}, {"name": "a.txt"}, "data:text/plain;base64,%%%"])
async def test_a_file_without_content_is_not_sent(tmp_path: Path, value: Json) -> None:
    tool = kind(tmp_path, with_body("application/octet-stream", {"type": "string", "format": "binary"}))
    with pytest.raises(InvalidArguments, match="body"):
        tool.preview({"body": value})


async def test_arguments_of_one_name_go_to_their_own_places(tmp_path: Path) -> None:
    held = one(
        "put",
        path="/x/{id}",
        parameters=[parameter("path", "id"), parameter("query", "id"), parameter("header", "id"), parameter("cookie", "id")],
        requestBody={"required": True, "content": {"application/json": {"schema": fields("id")}}},
    )  # fmt: skip
    assert set(kind(tmp_path, held).parameters["properties"]) == {"id", "id_query", "id_header", "id_cookie", "id_body"}  # type: ignore[arg-type]
    asked = await sent(tmp_path, held, id="p", id_query="q", id_header="h", id_cookie="c", id_body="b")
    assert (asked.target, asked.header("id"), asked.header("cookie")) == ("/v1/x/p?id=q", "h", "id=c")
    assert json.loads(asked.body) == {"id": "b"}


async def test_names_that_no_argument_may_have_are_sent_as_they_are(tmp_path: Path) -> None:
    held = one(parameters=[parameter(name="filter[name]"), parameter(name="filter.name"), parameter(name="$top")])
    assert list(kind(tmp_path, held).parameters["properties"]) == ["filter_name", "filter_name_query", "top"]  # type: ignore[arg-type]
    asked = await sent(tmp_path, held, filter_name="a", filter_name_query="b", top=3)
    assert asked.target == "/v1/x?filter%5Bname%5D=a&filter.name=b&%24top=3"


async def test_swagger_2(tmp_path: Path) -> None:
    held: dict[str, Any] = {
        "swagger": "2.0",
        "info": {"title": "Old", "version": "1"},
        "host": "old.example",
        "basePath": "/v1",
        "consumes": ["application/x-www-form-urlencoded"],
        "parameters": {"page": {"name": "page", "in": "query", "type": "integer"}},
        "paths": {
            "/x/{ids}": {
                "parameters": [{"name": "ids", "in": "path", "required": True, "type": "array", "items": {"type": "string"}}],
                "post": {
                    "operationId": "x",
                    "parameters": [
                        {"$ref": "#/parameters/page"},
                        {"name": "many", "in": "query", "type": "array", "collectionFormat": "multi"},
                        {"name": "pipes", "in": "query", "type": "array", "collectionFormat": "pipes"},
                        {"name": "f", "in": "formData", "type": "string", "required": True},
                        {"name": "g", "in": "formData", "type": "array", "items": {"type": "string"}},
                    ],
                },
            }
        },
    }  # fmt: skip
    asked = await sent(tmp_path, held, ids=["a", "b"], page=2, many=["1", "2"], pipes=["1", "2"], f="x y", g=["p", "q"])
    assert asked.target == "/v1/x/a,b?page=2&many=1&many=2&pipes=1%7C2"
    assert asked.body == b"f=x+y&g=p,q"


async def test_a_file_of_swagger_2_makes_its_form_one_of_parts(tmp_path: Path) -> None:
    held: dict[str, Any] = {
        "swagger": "2.0",
        "info": {"title": "Old", "version": "1"},
        "paths": {
            "/x": {"post": {"operationId": "x", "parameters": [{"name": "f", "in": "formData", "type": "file"}]}}
        },
    }
    asked = await sent(tmp_path, held, f="abc")
    assert b'name="f"; filename="f"\r\n' in asked.body


async def test_a_preview_is_what_is_sent(tmp_path: Path) -> None:
    tool = kind(tmp_path, with_body("application/json", fields("a")), headers={"X-Version": "3"})
    assert tool.preview({"a": 1}) == {
        "method": "POST",
        "url": "https://pets.example/v1/x",
        "headers": [
            "Accept: application/json, */*;q=0.5",
            "X-Version: 3",
            "Content-Type: application/json",
        ],
        "body": '{"a":1}',
    }


async def test_a_declared_header_stands_in_the_place_of_ours(tmp_path: Path) -> None:
    held = with_body("application/json", fields("a"))
    with anyio.fail_after(10):
        async with service() as upstream:
            headers = {"accept": "text/csv", "content-type": "text/plain", "X-Version": "3"}
            await called(kind(tmp_path, held, base_url=upstream.url, headers=headers), a=1)
            found = {name: upstream.last.header(name) for name in ("accept", "content-type", "x-version")}
    assert found == {"accept": "text/csv", "content-type": "application/json", "x-version": "3"}


@pytest.mark.parametrize("name", ["Host", "Content-Length", "Transfer-Encoding", "Cookie", "X-Forwarded-For"])
async def test_a_header_that_frames_the_request_is_no_argument(tmp_path: Path, name: str) -> None:
    tool = kind(tmp_path, one(parameters=[parameter("header", name), parameter("header", "X-Color")]))
    properties = tool.parameters["properties"]
    assert isinstance(properties, dict)
    assert list(properties) == ["X-Color"]

"""The demo's weather and web search, which are declarations only, against stand-ins that speak their services' formats."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import anyio
import pytest

from pegboard.app import catalog_of, settings_from
from pegboard.bind.check import checked
from pegboard.catalog.contract import Result
from pegboard.catalog.tool import Tool
from pegboard.errors import CallFailed, InvalidArguments, UpstreamFailed, UpstreamTimedOut
from pegboard.text import Json
from tests.net.faulty import Faulty, Wire, faulty, hangs_before_headers
from tests.twins import context

ROOT = Path(__file__).parents[3]
KEY = "0123456789abcdef0123456789abcdef"
LIVE = {
    "province": "北京", "city": "北京市", "adcode": "110000", "weather": "晴", "temperature": "23", "winddirection": "西南",
    "windpower": "≤3", "humidity": "31", "reporttime": "2026-09-18 16:31:02", "temperature_float": "23.0", "humidity_float": "31.0",
}  # fmt: skip
DAY = {
    "date": "2026-09-19", "week": "6", "dayweather": "多云", "nightweather": "小雨", "daytemp": "26", "nighttemp": "17",
    "daywind": "南", "nightwind": "南", "daypower": "1-3", "nightpower": "1-3",
}  # fmt: skip
FORECAST = {
    "city": "北京市",
    "adcode": "110000",
    "province": "北京",
    "reporttime": "2026-09-18 16:31:02",
    "casts": [DAY, {**DAY, "date": "2026-09-20"}],
}
OK = {"status": "1", "count": "1", "info": "OK", "infocode": "10000"}


def failure(infocode: str, info: str) -> dict[str, Json]:
    return {"status": "0", "info": info, "infocode": infocode}


async def amap(wire: Wire) -> None:
    """Answer as Amap does; the city says how."""
    asked = dict(parse_qsl(urlsplit(wire.asked.target).query))
    if asked.get("key") != KEY:
        await wire.reply(failure("10001", "INVALID_USER_KEY"))
    elif asked["city"] == "无处":
        await wire.reply({**OK, "count": "0", "lives": []})
    elif asked["city"].startswith("code "):
        await wire.reply(failure(asked["city"].removeprefix("code "), "SOMETHING"))
    elif asked.get("extensions") == "all":
        await wire.reply({**OK, "forecasts": [FORECAST]})
    else:
        await wire.reply({**OK, "lives": [LIVE]})


def the_tool(monkeypatch: pytest.MonkeyPatch, name: str, **environ: str) -> Tool:
    """Return a tool of the demo, read with these variables."""
    for variable in ("AMAP_KEY", "AMAP_URL", "SEARXNG_URL"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in environ.items():
        monkeypatch.setenv(variable, value)
    return catalog_of(settings_from(config=ROOT, environ={})).toolset("today").tool(name)


async def ran(tool: Tool, **arguments: Json) -> Result:
    with anyio.fail_after(20):
        return await tool.run(context(deadline=anyio.current_time() + 10), checked(tool, arguments))


async def weather(
    monkeypatch: pytest.MonkeyPatch, key: str = KEY, **arguments: Json
) -> tuple[Result | CallFailed, Faulty]:
    """Ask the stand-in for the weather; return what came and the stand-in."""
    async with faulty() as server:
        server.routes["/v3/weather/weatherInfo"] = amap
        tool = the_tool(monkeypatch, "get_weather", AMAP_URL=f"{server.url}/v3", AMAP_KEY=key)
        try:
            return await ran(tool, **arguments), server
        except CallFailed as error:
            return error, server


async def test_the_weather_now(monkeypatch: pytest.MonkeyPatch) -> None:
    result, server = await weather(monkeypatch, city="北京")
    assert isinstance(result, Result)
    assert result.text == "北京市 晴 23℃ 湿度 31% 西南风 ≤3级 (2026-09-18 16:31:02)"
    assert result.data == {"now": LIVE, "forecast": None}
    assert server.asked[0].target == f"/v3/weather/weatherInfo?city=%E5%8C%97%E4%BA%AC&output=JSON&key={KEY}"


async def test_a_forecast(monkeypatch: pytest.MonkeyPatch) -> None:
    result, server = await weather(monkeypatch, city="110000", extensions="all")
    assert isinstance(result, Result)
    assert result.text == (
        "北京市 (2026-09-18 16:31:02)\n2026-09-19 多云/小雨 17~26℃ 南风 1-3级\n2026-09-20 多云/小雨 17~26℃ 南风 1-3级"
    )
    assert "extensions=all" in server.asked[0].target


async def test_a_city_that_amap_does_not_know_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    result, _ = await weather(monkeypatch, city="无处")
    assert isinstance(result, Result)
    assert (result.status, result.data) == ("not_found", None)


@pytest.mark.parametrize(
    "arguments",
    [
        {}, {"city": ""}, {"city": "x" * 41}, {"city": 5}, {"city": "a&key=b"}, {"city": "../x"}, {"city": "北京\n"},
        {"city": "北京", "extensions": "today"}, {"city": "北京", "extensions": None}, {"city": "北京", "key": "mine"},
    ],
)  # fmt: skip
async def test_arguments_are_checked_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch, arguments: Mapping[str, Any]
) -> None:
    tool = the_tool(monkeypatch, "get_weather", AMAP_KEY=KEY)
    with pytest.raises(InvalidArguments):
        checked(tool, arguments)


async def test_a_missing_key_is_said_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    error, server = await weather(monkeypatch, key="", city="北京")
    assert (
        str(error) == "The secret that the service wants is not set. Set AMAP_KEY to a key for Amap's web service API."
    )
    assert server.asked == []


@pytest.mark.parametrize(
    ("infocode", "is_retryable"),
    [
        ("10003", False),
        ("10004", True),
        ("10009", False),
        ("10016", True),
        ("10020", True),
        ("10044", False),
        ("20000", False),
    ],
)
async def test_amaps_own_codes_tell_of_failures(
    monkeypatch: pytest.MonkeyPatch, infocode: str, is_retryable: bool
) -> None:
    error, _ = await weather(monkeypatch, city=f"code {infocode}")
    assert isinstance(error, UpstreamFailed)
    assert (error.message, error.is_retryable) == (
        f"The service says that it failed: {infocode} SOMETHING.",
        is_retryable,
    )


async def test_a_wrong_key_is_told_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    error, _ = await weather(monkeypatch, key="wrong-and-hidden", city="北京")
    assert str(error) == "The service says that it failed: 10001 INVALID_USER_KEY."
    tool = the_tool(monkeypatch, "get_weather", AMAP_KEY="wrong-and-hidden")
    assert tool.kind is not None
    preview = tool.kind.preview({"city": "北京"})
    assert isinstance(preview, dict)
    assert (
        preview["url"] == "https://restapi.amap.com/v3/weather/weatherInfo?city=%E5%8C%97%E4%BA%AC&output=JSON&key=***"
    )


async def test_an_amap_that_keeps_silent_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async with faulty() as server:
        server.routes["/v3/weather/weatherInfo"] = hangs_before_headers
        tool = the_tool(monkeypatch, "get_weather", AMAP_URL=f"{server.url}/v3", AMAP_KEY=KEY)
        error: CallFailed | None = None
        try:
            await tool.run(context(deadline=anyio.current_time() + 0.2), {"city": "北京"})
        except CallFailed as raised:
            error = raised
    assert isinstance(error, UpstreamTimedOut)


HIT = {"title": "电动渡轮", "url": "https://a.example/1", "content": "A ferry.", "engine": "x", "score": 1.0}


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (
            {"query": "q", "results": [HIT, {"url": "https://b.example", "title": None}]},
            "电动渡轮 https://a.example/1 A ferry.\n https://b.example ",
        ),
        ({"query": "q", "results": []}, "Nothing was found."),
    ],
)
async def test_web_search_gives_title_address_and_content(
    monkeypatch: pytest.MonkeyPatch, reply: Json, text: str
) -> None:
    async def searxng(wire: Wire) -> None:
        await wire.reply(reply)

    async with faulty(search=searxng) as server:
        tool = the_tool(monkeypatch, "web_search", SEARXNG_URL=server.url)
        result = await ran(tool, query="渡轮 & co")
    assert result.text == text
    assert server.asked[0].target == "/search?q=%E6%B8%A1%E8%BD%AE%20%26%20co&format=json"


@pytest.mark.parametrize("reply", [{"error": "no json"}, [1], {"results": "none"}])
async def test_what_is_no_list_of_results_is_a_failure(monkeypatch: pytest.MonkeyPatch, reply: Json) -> None:
    async def other(wire: Wire) -> None:
        await wire.reply(reply)

    async with faulty(search=other) as server:
        tool = the_tool(monkeypatch, "web_search", SEARXNG_URL=server.url)
        failed: Exception | None = None
        try:
            await ran(tool, query="x")
        except UpstreamFailed as raised:
            failed = raised
    assert failed is not None
    assert "says that it failed" in str(failed)


async def test_web_search_is_off_until_it_has_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CallFailed, match=r"is off: its address is not set\. Set SEARXNG_URL"):
        await ran(the_tool(monkeypatch, "web_search"), query="x")

"""The demo's desk: the weather, soups, and a report of both that is kept; its weather service is on loopback."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import anyio
import pytest

from pegboard.app import open_app, settings_from
from pegboard.app.application import App
from pegboard.text import Json
from tests.net.faulty import Wire, faulty

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
REPORT = "查一下北京天气，再推荐三道适合今天的汤，写成报告保存"
LIVE: dict[str, Json] = {
    "city": "北京市", "weather": "小雪", "temperature": "-3", "winddirection": "北", "windpower": "≤3", "humidity": "31",
    "reporttime": "2026-12-01 08:00:00",
}  # fmt: skip


async def amap(wire: Wire) -> None:
    assert dict(parse_qsl(urlsplit(wire.asked.target).query))["city"] == "北京"
    await wire.reply({"status": "1", "count": "1", "lives": [LIVE]})


async def searxng(wire: Wire) -> None:
    await wire.reply({"results": [{"title": "Soup", "url": "https://soup.example", "content": "Write it down."}]})


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder where the demo's content is indexed."""
    folder = tmp_path_factory.mktemp("indexed")

    async def index() -> None:
        async with open_app(settings_from(config=ROOT, data=folder, environ={})):
            pass

    anyio.run(index)
    return folder


@pytest.fixture
def data(indexed: Path, tmp_path: Path) -> Path:
    """Return such a folder of the test's own, without documents."""
    shutil.copytree(indexed / "index", tmp_path / "index")
    return tmp_path


@asynccontextmanager
async def opened(monkeypatch: pytest.MonkeyPatch, data: Path, *, key: str = "0123") -> AsyncIterator[App]:
    with anyio.fail_after(120):
        async with faulty() as web:
            web.routes |= {"/weather/weatherInfo": amap, "/search": searxng}
            for variable, value in {"AMAP_URL": web.url, "AMAP_KEY": key, "SEARXNG_URL": web.url}.items():
                monkeypatch.setenv(variable, value)
            settings = settings_from(
                config=ROOT, data=data, environ={}, allow_networks="127.0.0.0/8", runs_durability="none"
            )
            async with open_app(settings) as app:
                yield app


async def test_the_weather_and_the_soups_become_a_report_that_is_kept_and_read_again(
    monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    async with opened(monkeypatch, data) as app:
        answer = await app.ask(app.question(REPORT, site="desk"))
        listed = await app.documents.list("desk")
        (document,) = listed.documents
        kept = await app.documents.read(document.id)
        read = await app.call("desk", "read_document", {"document": document.title})
    assert (answer.tool, kept.language) == ("plan", "zh")
    assert kept.title == "北京天气；适合今天的汤"
    assert kept.run, "the run that wrote it is known"
    assert kept.text.index("北京市 小雪 -3℃") < kept.text.index("\n- ")
    soups = [line for line in kept.text.splitlines() if line.startswith("- ")]
    assert (len(soups), sum("汤" in line for line in soups)) == (3, 3)
    assert [line[-4:] for line in soups] == [f" [{place}]" for place in range(1, len(soups) + 1)]
    assert all(source.name in line for source, line in zip(kept.sources, soups, strict=True))
    assert kept.markdown.startswith(f"{kept.text}\n\n## 来源\n\n- [1] {kept.sources[0].name} https://kitchen.example/")
    assert f"/documents/{document.id}" in answer.text
    assert read.text == kept.text


async def test_the_two_best_pasta_recipes_are_compared_and_one_is_given_a_wine(
    monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    question = "compare the two best rated pasta recipes under 30 minutes and suggest a wine"
    async with opened(monkeypatch, data) as app:
        answer = await app.ask(app.question(question, site="kitchen", mode="plan"))
    compared, _, wine = answer.text.partition("\n\n")
    assert (answer.tool, answer.status) == ("plan", "ok")
    assert compared.startswith("Back-Pocket Cacio e Pepe [1] and Harbour Crumb Spaghetti [2] compared:")
    assert "dry white wine" in wine
    assert "Not everything could be done" not in answer.text


async def test_without_a_key_the_report_is_written_all_the_same_and_the_answer_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    async with opened(monkeypatch, data, key="") as app:
        answer = await app.ask(app.question(REPORT, site="desk"))
        (document,) = (await app.documents.list("desk")).documents
        kept = await app.documents.read(document.id)
    assert "汤" in kept.text
    lack = answer.text.partition("以下部分未能完成")[2]
    assert "get_weather" in lack
    assert "Set AMAP_KEY to a key for Amap's web service API." in lack


async def test_what_the_web_says_is_written_only_when_somebody_has_approved_it(
    monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    plan: list[Json] = [
        {"id": "web", "tool": "web_search", "arguments": {"query": "soup"}},
        {"id": "save", "tool": "write_document", "arguments": {"title": "Soup", "text": "${web.text}"}},
    ]
    async with opened(monkeypatch, data) as app:
        before, reason = -1, ""
        run = await app.runs.start("desk", plan)
        async for event in app.runs.follow(run):
            if event.kind == "node_held":
                before = (await app.documents.list("desk")).total
                reason = next(node.reason for node in (await app.runs.show(run)).nodes if node.id == "save")
                await app.runs.approve(run, "save")
        ended = await app.runs.outcome(run)
        assert ended.status == "succeeded", ended
        kept = await app.documents.read("Soup", site="desk")
    assert (before, ended.status) == (0, "succeeded")
    assert "tool 'write_document' is external, and tool 'web_search'" in reason
    assert "Write it down." in kept.text


async def test_what_a_desk_is_asked_goes_to_the_tool_that_does_it(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    wanted = {
        "Is it cold in Harbin today?": "get_weather",
        "南京明天要带伞吗": "get_weather",
        "a soup without meat": "search",
        "有没有清淡的汤": "search",
        "what reports do you have": "list_documents",
        "保存过哪些文档": "list_documents",
        "open the report about the soups": "read_document",
        "读一下上周那份报告": "read_document",
        "how many calories has the hot and sour soup": "details",
    }
    async with opened(monkeypatch, data) as app:
        chosen = {text: (await app.route(app.question(text, site="desk"))).to_json()["tool"] for text in wanted}
    assert chosen == wanted

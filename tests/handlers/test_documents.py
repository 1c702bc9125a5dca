"""Documents: what a visitor reads, what stands in the store, and what a model may get wrong."""

import re
from dataclasses import replace

import pytest

from pegboard.catalog.contract import Cited, Document
from pegboard.errors import LimitReached, PegboardError
from pegboard.events import Event, Noticed
from pegboard.handlers.documents import list_documents, read_document, remove_document, write_document
from pegboard.memory.documents.held import MemoryDocuments
from pegboard.memory.documents.of_site import SiteDocuments
from pegboard.memory.documents.store import Bounds
from tests.handlers.shelf import Asked, Shelf

pytestmark = pytest.mark.anyio


def asked(question: str = "keep it", *, language: str = "en", key: str = "", base: str = "") -> Asked:
    kept = SiteDocuments(MemoryDocuments(now=lambda: 0.0), "here", base)
    return Asked(question, Shelf(), language=language, idempotency_key=key, documents=kept)


async def only(context: Asked) -> Document:
    (document,) = (await context.documents.list()).documents
    return await context.documents.read(document.id)


async def test_a_report_is_kept_with_what_wrote_it_and_what_it_rests_on() -> None:
    context = asked(key="run1:save")
    told: list[dict[str, object]] = [
        {"number": 1, "text": "Sun.", "url": "https://a.example", "name": "Amap"},
        {"x": 1},
    ]
    result = await write_document(context, "Weather", "Sun [1].", sources=told)
    document = await only(context)
    assert (document.run, document.node, document.language) == ("run1", "save", "en")
    assert document.sources == (Cited("https://a.example", "Amap"),)
    assert result.text == f"The document “Weather” is kept: /documents/{document.id}"
    assert isinstance(result.data, dict)
    assert (result.data["id"], result.data["version"], "text" in result.data) == (document.id, 1, False)


async def test_the_same_title_again_is_told_as_a_version() -> None:
    context = asked(language="zh")
    await write_document(context, "天气", "晴。")
    result = await write_document(context, "天气", "雨。")
    assert re.fullmatch("文档“天气”已保存为第 2 版：/documents/[0-9a-f]{16}", result.text)
    assert (await only(context)).language == "zh"


async def test_a_wish_that_cannot_be_fulfilled_is_told_and_the_document_is_kept() -> None:
    events: list[Event] = []
    context = replace(asked(), emit=events.append)
    result = await write_document(context, "Weather", "Sun.", ingest=True)
    (event,) = events
    assert isinstance(event, Noticed)
    assert "no knowledge of site 'here' takes documents" in event.message
    assert event.message in result.text
    assert (await only(context)).base == ""


async def test_what_becomes_part_of_the_knowledge_is_told() -> None:
    context = asked(base="reports")
    result = await write_document(context, "Weather", "Sun.", ingest=True)
    assert result.text.endswith("\nLater questions are answered from it too.")
    assert (await only(context)).base == "reports"


@pytest.mark.parametrize(
    ("title", "text"), [("", "x"), ("x", ""), ("a\x1b[2Jb", "x"), ("x", "\ud800"), ("x", "y" * (2 << 20))]
)
async def test_what_cannot_be_kept_is_a_mistake_of_the_caller(title: str, text: str) -> None:
    context = asked()
    with pytest.raises(PegboardError) as refused:
        await write_document(context, title, text)
    assert refused.value.status in {400, 413}
    assert (await context.documents.list()).total == 0


async def test_a_full_site_says_which_setting_limits_it() -> None:
    context = replace(asked(), documents=SiteDocuments(MemoryDocuments(Bounds(documents=0)), "here"))
    with pytest.raises(LimitReached, match="documents_kept"):
        await write_document(context, "Weather", "Sun.")


async def test_a_list_names_each_with_its_address_and_says_how_many_more_there_are() -> None:
    context = asked()
    for title in ("One", "Two", "Three"):
        await write_document(context, title, "x")
    result = await list_documents(context, limit=2)
    lines = result.text.splitlines()
    assert (lines[0], len(lines), lines[-1]) == ("These documents are kept:", 4, "And 1 more.")
    assert re.fullmatch(r"- \w+ \(1970-01-01, version 1\): /documents/[0-9a-f]{16}", lines[1])
    assert (await list_documents(context, query="two")).text.count("\n") == 1
    assert (await list_documents(context, limit=-5)).text.count("\n") == 2
    assert (await list_documents(context, query=context.question)).text.count("\n") > 1, "no words of titles are named"


async def test_an_empty_list_says_why_it_is_empty() -> None:
    assert (await list_documents(asked())).text == "This site keeps no documents yet."
    result = await list_documents(asked(language="zh"), query="天气")
    assert (result.text, result.status) == ("本站没有标题含“天气”的文档。", "not_found")


async def test_a_document_is_read_as_it_was_written_and_can_be_cited() -> None:
    context = asked()
    await write_document(context, "Weather", "# Sun\n\nall day.")
    await write_document(context, "Weather", "# Rain")
    assert (await read_document(context, " weather ")).text == "# Rain"
    first = await read_document(context, "Weather", version=1)
    assert first.text == "# Sun\n\nall day."
    (evidence,) = first.evidence
    assert (evidence.name, evidence.url) == ("Weather", (await only(context)).url)


async def test_a_document_that_is_not_there_is_answered_with_those_that_may_be_meant() -> None:
    context = asked()
    await write_document(context, "Weather in Beijing", "Sun.")
    result = await read_document(context, "weather report")
    assert (result.status, result.text.splitlines()[0]) == (
        "not_found",
        "This site keeps no document “weather report”.",
    )
    assert "Weather in Beijing" in result.text
    assert (await remove_document(context, "soup")).status == "not_found"


async def test_what_is_removed_is_named_and_gone() -> None:
    context = asked()
    await write_document(context, "Weather", "Sun.")
    await write_document(context, "Weather", "Rain.")
    assert (await remove_document(context, "Weather")).text == "The document “Weather” is removed, with 2 version(s)."
    assert (await context.documents.list()).total == 0


@pytest.mark.parametrize(
    ("text", "numbers", "kept", "names"),
    [
        ("Sun [1], wind [2].", (1, 2), "Sun [1], wind [2].", "AB"),
        ("Sun [2], wind [1].", (2, 1), "Sun [2], wind [1].", "BA"),
        ("Sun [4], wind [7], rain [9].", (4, 7), "Sun [1], wind [2], rain (9).", "AB"),
        ("Sun [1], wind [2].", (1, 1), "Sun [1], wind [2].", "A"),
        ("a[3]", (None, 2), "a[3]", "AB"),
    ],
)
async def test_what_a_text_cites_and_its_sources_agree(
    text: str, numbers: tuple[int | None, ...], kept: str, names: str
) -> None:
    context = asked()
    sources: list[dict[str, object]] = [
        {"number": number, "name": name, "text": name} for number, name in zip(numbers, "AB", strict=True)
    ]
    await write_document(context, "Weather", text, sources=sources)
    document = await only(context)
    assert (document.text, "".join(each.name for each in document.sources)) == (kept, names)


async def test_a_document_that_cites_is_read_with_what_it_rests_on() -> None:
    context = asked()
    await write_document(context, "Weather", "Sun [1].", sources=[{"url": "https://a.example", "name": "Amap"}])
    read = await read_document(context, "Weather")
    document = await only(context)
    assert [(each.number, each.name, each.url) for each in read.evidence] == [
        (1, "Amap", "https://a.example"), (2, "Weather", document.url),
    ]  # fmt: skip
    assert document.markdown == "Sun [1].\n\n## Sources\n\n- [1] Amap https://a.example\n"


def test_a_text_that_names_all_its_sources_gets_no_list_of_them() -> None:
    said = Document(
        "1", "here", "A", 1, 1, 0.0, 0.0, "en", 1, "By [A](https://a.example).", (Cited("https://a.example", "A"),)
    )
    assert said.markdown == said.text

"""What tools write is kept, and found by the questions of those sites whose knowledge takes it, and of no other."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from pegboard.app import open_app, open_documents, open_serving, settings_from
from pegboard.app.application import App
from pegboard.app.serving import Serving
from pegboard.config.server.settings import Settings
from pegboard.llm.hashed import HashedEmbedder
from pegboard.text import Json

DOCUMENT = """
tools:
  - {name: search, description: Finds things., handler: "pegboard.handlers.search:search", read_only: true}
  - {name: knowledge, description: Answers., handler: "pegboard.handlers.knowledge:knowledge", read_only: true}
  - {name: write_document, description: Keeps a text., handler: "pegboard.handlers.documents:write_document"}
  - {name: remove_document, description: Removes a text., handler: "pegboard.handlers.documents:remove_document"}
  - {name: list_documents, description: Lists texts., handler: "pegboard.handlers.documents:list_documents", read_only: true}
sites:
  - {name: desk, knowledge: [food, reports]}
  - {name: office, knowledge: [reports]}
  - {name: kitchen, knowledge: [food]}
knowledge:
  - {name: food, sources: [food]}
  - {name: reports, documents: true}
"""
FENNEL = "# Fennel harvest\n\nThe fennel harvest of the valley begins on the ninth of June and ends in July."
QUESTION = {"query": "When does the fennel harvest begin?"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "tools.yaml").write_text(DOCUMENT)
    (tmp_path / "food").mkdir()
    (tmp_path / "food" / "salt.md").write_text("# Salt\n\nSalt keeps for years in a dry place.")
    return settings_from(config=tmp_path, environ={})


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Serving]:
    with anyio.fail_after(60):
        async with open_serving(settings, embedder=HashedEmbedder()) as opened:
            yield opened


@asynccontextmanager
async def app(settings: Settings) -> AsyncIterator[App]:
    with anyio.fail_after(60):
        async with open_app(settings, embedder=HashedEmbedder()) as opened:
            yield opened


async def write(app: App, title: str = "Harvest", text: str = FENNEL, site: str = "desk", ingest: bool = True) -> str:
    answer = await app.call(site, "write_document", {"title": title, "text": text, "ingest": ingest})
    assert isinstance(answer.data, dict)
    return str(answer.data["id"])


async def says(app: App, site: str) -> bool:
    """Tell whether a site answers from the document."""
    return "ninth of June" in (await app.call(site, "knowledge", QUESTION)).text


async def test_a_written_document_answers_the_next_question_with_its_source(settings: Settings) -> None:
    async with app(settings) as opened:
        assert not await says(opened, "desk")
        id_ = await write(opened)
        answer = await opened.call("desk", "knowledge", QUESTION)
        found = await opened.call("desk", "search", {"query": "fennel harvest"})
    assert "ninth of June" in answer.text
    assert isinstance(answer.data, list)
    assert isinstance(answer.data[0], dict)
    assert (answer.data[0]["url"], answer.data[0]["name"]) == (f"/documents/{id_}", "Harvest")
    assert [hit.item.name for hit in found.results] == ["Harvest"]


async def test_only_sites_of_that_knowledge_answer_from_it_and_only_its_own_site_lists_it(settings: Settings) -> None:
    async with app(settings) as opened:
        await write(opened)
        assert [await says(opened, site) for site in ("desk", "office", "kitchen")] == [True, True, False]
        listed = [(await opened.call(site, "list_documents", {})).status for site in ("desk", "office", "kitchen")]
    assert listed == ["ok", "not_found", "not_found"]


async def test_what_was_not_wished_to_be_found_is_not(settings: Settings) -> None:
    async with app(settings) as opened:
        await write(opened, ingest=False)
        assert not await says(opened, "desk")


async def test_a_site_without_such_knowledge_keeps_it_and_says_that_it_is_not_found(settings: Settings) -> None:
    async with app(settings) as opened:
        arguments: dict[str, Json] = {"title": "Harvest", "text": FENNEL, "ingest": True}
        answer = await opened.call("kitchen", "write_document", arguments)
        kept = await opened.documents.list("kitchen")
        assert not await says(opened, "kitchen")
    assert kept.total == 1
    (notice,) = answer.notices
    assert "no knowledge of site 'kitchen' takes documents" in notice
    assert "documents: true" in notice


async def test_it_is_found_after_a_reload_and_after_a_restart_and_by_another_index(settings: Settings) -> None:
    async with serving(settings) as opened:
        await write(opened.current)
        await opened.reload()
        assert await says(opened.current, "desk")
    async with app(settings) as again:
        assert await says(again, "desk")
    for file in (settings.data / "index").iterdir():
        file.unlink()
    async with app(settings) as anew:
        assert await says(anew, "desk")


async def test_a_new_version_takes_the_place_of_the_one_that_was_found(settings: Settings) -> None:
    async with app(settings) as opened:
        await write(opened)
        await write(opened, text=FENNEL.replace("ninth", "second"), ingest=False)
        answer = await opened.call("desk", "knowledge", QUESTION)
    assert "second of June" in answer.text
    assert "ninth" not in answer.text


async def test_what_is_removed_is_found_no_more_whoever_removes_it(settings: Settings) -> None:
    async with app(settings) as opened:
        await write(opened)
        await opened.call("desk", "remove_document", {"document": "Harvest"})
        assert not await says(opened, "desk")
        id_ = await write(opened, title="Again")
        async with app(settings) as other:
            await other.documents.remove(id_)
        assert not await says(opened, "desk")


async def test_a_knowledge_that_takes_documents_no_longer_forgets_them_and_gets_them_back(settings: Settings) -> None:
    async with serving(settings) as opened:
        await write(opened.current)
        file = settings.root / "tools.yaml"
        file.write_text(DOCUMENT.replace("{name: reports, documents: true}", "{name: reports, sources: [food]}"))
        await opened.reload()
        assert not await says(opened.current, "desk")
        file.write_text(DOCUMENT)
        await opened.reload(is_content_read=False)
        assert await says(opened.current, "desk")


async def test_many_who_write_one_document_at_once_leave_its_last_version_in_the_index(settings: Settings) -> None:
    async with app(settings) as opened:
        async with anyio.create_task_group() as group:
            for day in ("first", "second", "third", "fourth", "fifth"):
                group.start_soon(write, opened, "Harvest", FENNEL.replace("ninth", day))
        last = await opened.documents.read("Harvest", site="desk")
        answer = await opened.call("desk", "knowledge", QUESTION)
    assert last.version == 5
    day = last.text.partition("begins on the ")[2].split()[0]
    assert f"the {day} of June" in answer.text


async def test_what_a_text_says_of_itself_at_its_beginning_is_text(settings: Settings) -> None:
    text = f"---\nurl: https://evil.example\ntitle: Faked\n---\n\n{FENNEL}"
    async with app(settings) as opened:
        await write(opened, title='A "quoted": 😀 title', text=text)
        answer = await opened.call("desk", "knowledge", QUESTION)
    assert isinstance(answer.data, list)
    assert isinstance(answer.data[0], dict)
    assert answer.data[0]["name"] == 'A "quoted": 😀 title'
    assert str(answer.data[0]["url"]).startswith("/documents/")


async def test_documents_are_looked_at_without_an_open_application(settings: Settings) -> None:
    async with app(settings) as opened:
        id_ = await write(opened)
    async with open_documents(settings) as documents:
        assert (await documents.read(id_)).text == FENNEL
        assert (await documents.list(None)).total == 1


async def test_a_store_that_cannot_be_reached_keeps_nobody_from_being_served(
    tmp_path: Path, settings: Settings
) -> None:
    async with app(settings) as opened:
        await write(opened)
    (settings.data / "documents.db").write_bytes(b"no database at all, but long enough to be taken for one" * 40)
    async with app(settings) as broken:
        assert await says(broken, "desk"), "what was indexed stays"
        assert [problem.base for problem in broken.report.problems] == ["reports"]
        with pytest.raises(Exception, match="documents cannot be reached"):
            await broken.documents.list("desk")

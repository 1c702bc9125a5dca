"""Reloads: what is served changes whole or not at all, and a mistake never takes the site down."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import pytest

from pegboard.app import open_serving, settings_from
from pegboard.app.serving import Serving
from pegboard.config.load import digest_of
from pegboard.edges.web.application import web_app
from pegboard.llm.hashed import HashedEmbedder
from tests.app.conftest import recipe

OpenServing = Callable[[], AbstractAsyncContextManager[Serving]]

SITES = ("one", "two", "three")


def document(version: int) -> str:
    """Return a document in which every description tells the version."""
    sites = "".join(f"\n  - {{name: {name}, description: v{version}}}" for name in SITES)
    return (
        f"tools:\n  - name: search\n    description: v{version}\n    examples: [find soups]\n    read_only: true\n"
        f"  - name: clock\n    description: v{version}\n    examples: [what time is it]\n    read_only: true\n"
        f"sites:{sites}\n"
    )


BROKEN = (
    "tools:\n  - name: search\n    description: v0\n    read_onyl: true\n",
    "tools: [",
    "sites:\n  - {name: one, extends: [nobody]}\n",
    "tools:\n  - {name: search, handler: os.system}\n",
)


@pytest.fixture
def served_folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.d").mkdir()
    (tmp_path / "tools.d" / "10.yaml").write_text(document(1))
    return tmp_path


@pytest.fixture
def open_folder(served_folder: Path) -> OpenServing:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Serving]:
        settings = settings_from(config=served_folder, environ={})
        async with open_serving(settings, embedder=HashedEmbedder()) as serving:
            yield serving

    return opened


def descriptions(serving: Serving) -> set[str]:
    return {toolset.description for toolset in serving.current.catalog.sites.values()}


async def test_an_edit_is_served_whole_and_what_began_before_it_ends_on_what_was(
    open_folder: OpenServing, served_folder: Path
) -> None:
    async with open_folder() as serving:
        before = serving.current
        (served_folder / "tools.d" / "10.yaml").write_text(document(2))
        result = await serving.reload()
        assert (result.to_json()["status"], result.snapshot) == ("reloaded", serving.current.catalog.digest)
        assert descriptions(serving) == {"v2"}
        assert before.catalog.toolset("one").description == "v1"
        answer = await before.ask(before.question("what time is it", site="one", tools=["clock"]))
        assert answer.tool == "clock"
        assert (serving.state.reloads, serving.state.refusals, serving.state.refused) == (1, 0, None)


async def test_a_reload_without_an_edit_changes_nothing(open_folder: OpenServing) -> None:
    async with open_folder() as serving:
        state = serving.state
        assert (await serving.reload()).to_json()["status"] == "unchanged"
        assert serving.state == state


@pytest.mark.parametrize("broken", BROKEN)
async def test_an_edit_with_errors_is_refused_told_and_forgotten_when_it_is_mended(
    open_folder: OpenServing, served_folder: Path, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    file = served_folder / "tools.d" / "10.yaml"
    async with open_folder() as serving:
        before = serving.current
        file.write_text(broken)
        result = await serving.reload()
        assert result.refused is not None
        assert serving.current is before
        assert result.refused.errors
        assert all(str(problem) in caplog.text for problem in result.refused.errors)
        assert "goes on serving. It has 1 error." in caplog.text
        assert (serving.state.refused, serving.state.refusals) == (result.refused, 1)
        file.write_text(document(3))
        assert (await serving.reload()).refused is None
        assert (descriptions(serving), serving.state.refused) == ({"v3"}, None)


async def test_a_broken_file_that_is_put_back_is_current_again(open_folder: OpenServing, served_folder: Path) -> None:
    file = served_folder / "tools.d" / "10.yaml"
    async with open_folder() as serving, anyio.create_task_group() as group:
        group.start_soon(serving.watch)
        for _ in range(2):
            file.write_text(BROKEN[0])
            await _until(serving, lambda: serving.state.refused is not None)
            file.write_text(document(1))
            await _until(serving, lambda: serving.state.refused is None)
        assert (serving.state.reloads, descriptions(serving)) == (0, {"v1"})
        group.cancel_scope.cancel()


async def test_a_module_that_failed_to_import_is_tried_again_when_it_was_mended(
    open_folder: OpenServing, served_folder: Path
) -> None:
    (served_folder / "pegboard.toml").write_text('handler_prefixes = ["mended_later"]\n')
    module = served_folder / "mended_later.py"
    async with open_folder() as serving, anyio.create_task_group() as group:
        group.start_soon(serving.watch)
        module.write_text("def broken(:\n")
        (served_folder / "tools.d" / "20.yaml").write_text(
            "tools: [{name: mine, examples: [x], handler: mended_later:mine}]"
        )
        await _until(serving, lambda: serving.state.refused is not None)
        module.write_text("from pegboard.catalog.contract import tool\n\n@tool\ndef mine() -> str:\n    return 'x'\n")
        await _until(serving, lambda: serving.state.refused is None)
        assert serving.current.catalog.toolset("one").get("mine") is not None
        group.cancel_scope.cancel()


async def test_content_of_new_knowledge_is_indexed_and_that_of_old_knowledge_stays_for_requests_in_flight(
    open_folder: OpenServing, served_folder: Path
) -> None:
    for name in ("old", "new"):
        (served_folder / name).mkdir()
        (served_folder / name / "r.json").write_text(json.dumps(recipe(f"{name.title()} Soup", 5)))
    file = served_folder / "tools.d" / "20.yaml"
    declared = "knowledge: [{{name: one, sources: [../{}]}}]"
    file.write_text(declared.format("old").replace("name: one", "name: two"))
    async with open_folder() as serving:
        before = serving.current
        file.write_text(declared.format("new"))
        assert (await serving.reload(is_content_read=False)).refused is None
        now = serving.current
        found = await now.ask(now.question("new soup", site="one", tools=["search"], form="list"))
        assert [hit.item.name for hit in found.results] == ["New Soup"]
        found = await before.ask(before.question("old soup", site="two", tools=["search"], form="list"))
        assert [hit.item.name for hit in found.results] == ["Old Soup"]


async def test_100_reloads_under_50_visitors_fail_no_request_and_mix_no_snapshot(
    open_folder: OpenServing, served_folder: Path
) -> None:
    file, version_of, is_over = served_folder / "tools.d" / "10.yaml", dict[str, int](), anyio.Event()
    answered = list[str]()

    async def visit(client: httpx2.AsyncClient, number: int) -> None:
        site = SITES[number % len(SITES)]
        while not is_over.is_set():
            listed = await client.get("/tools", params={"site": site})
            sites = await client.get("/sites")
            asked = await client.get("/ask", params={"query": "find soups", "site": site, "streaming": "false"})
            for response, told in (
                (listed, [each["description"] for each in listed.json()["tools"]]),
                (sites, [each["description"] for each in sites.json()["details"]]),
                (asked, []),
            ):
                assert response.status_code == 200, response.text
                snapshot = response.headers["x-pegboard-snapshot"]
                assert set(told) <= {f"v{version_of[snapshot]}"}
                answered.append(snapshot)

    async with open_folder() as serving:
        transport = httpx2.ASGITransport(web_app(serving))
        version_of[serving.current.catalog.digest[:12]] = 1
        async with (
            httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client,
            anyio.create_task_group() as group,
        ):
            for number in range(50):
                group.start_soon(visit, client, number)
            for attempt in range(2, 102):
                good, is_broken = serving.current, attempt % 5 == 0
                file.write_text(BROKEN[attempt // 5 % len(BROKEN)] if is_broken else document(attempt))
                if not is_broken:
                    version_of[digest_of(serving.settings)[:12]] = attempt
                result = await serving.reload(is_content_read=False)
                assert (result.refused is not None, serving.current is good) == (is_broken, is_broken)
            is_over.set()
        assert (serving.state.reloads, serving.state.refusals) == (80, 20)
    assert set(answered) <= set(version_of)
    assert len(set(answered)) > 10


def _configmap(folder: Path, generation: int, text: str) -> None:
    """Write `text` as Kubernetes writes a ConfigMap: a new folder, and a link that is swapped to it."""
    new = folder / f"..{generation}"
    new.mkdir()
    (new / "10.yaml").write_text(text)
    (folder / "..data_tmp").symlink_to(new.name)
    (folder / "..data_tmp").rename(folder / "..data")


async def test_a_file_that_is_renamed_over_removed_or_added_is_seen_and_so_is_a_link_that_is_swapped(
    open_folder: OpenServing, served_folder: Path
) -> None:
    folder = served_folder / "tools.d"
    file = folder / "10.yaml"
    async with open_folder() as serving, anyio.create_task_group() as group:
        group.start_soon(serving.watch)
        (folder / "draft").write_text(document(2))
        (folder / "draft").rename(file)
        await _until(serving, lambda: descriptions(serving) == {"v2"})
        (folder / "20.json").write_text('{"sites": [{"name": "late", "description": "v2"}]}')
        await _until(serving, lambda: "late" in serving.current.catalog.sites)
        (folder / "20.json").unlink()
        await _until(serving, lambda: "late" not in serving.current.catalog.sites)
        file.unlink()
        _configmap(folder, 1, document(3))
        file.symlink_to("..data/10.yaml")
        await _until(serving, lambda: descriptions(serving) == {"v3"})
        _configmap(folder, 2, document(4))
        await _until(serving, lambda: descriptions(serving) == {"v4"})
        folder.replace(served_folder / "elsewhere")
        await _until(serving, lambda: serving.state.refused is not None)
        assert descriptions(serving) == {"v4"}
        (served_folder / "elsewhere").replace(folder)
        await _until(serving, lambda: serving.state.refused is None)
        group.cancel_scope.cancel()


async def _until(serving: Serving, is_so: Callable[[], bool]) -> None:
    """Wait for the state in which `is_so`."""
    with anyio.fail_after(30):
        while not is_so():
            await serving.changed()


async def test_after_the_start_the_log_says_how_well_tools_are_told_apart(
    open_folder: OpenServing, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_folder() as serving:
        with caplog.at_level("INFO", logger="pegboard"):
            await serving.prepare()
    said = [record.message for record in caplog.records if record.message.startswith("health of")]
    assert [line.split(":")[0] for line in said] == [f"health of {site}" for site in SITES]

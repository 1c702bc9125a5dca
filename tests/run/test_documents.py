"""What a run writes is there once, also where the process ended between the writing and its record."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.handlers.documents import write_document
from pegboard.memory.documents.of_site import SiteDocuments
from pegboard.memory.documents.open import sqlite_engine
from pegboard.memory.documents.sql import SqlDocuments
from pegboard.memory.documents.store import Bounds
from pegboard.run.local.opening import opened_engine
from pegboard.text import Json
from tests.run.running import node, request, tools, world


class Saving:
    """Writes two documents, and then hangs as often as it is told to."""

    def __init__(self, hangs: int) -> None:
        self.hangs = hangs
        self.has_written = anyio.Event()

    async def __call__(self, context: Context, arguments: Mapping[str, Json]) -> Result:
        await write_document(context, "Weather", "Sun.")
        result = await write_document(context, "Soup", "Hot.")
        if self.hangs:
            self.hangs -= 1
            self.has_written.set()
            await anyio.sleep_forever()
        return result


async def test_a_node_that_is_done_again_writes_once_and_gets_what_it_wrote(tmp_path: Path) -> None:
    store = SqlDocuments(sqlite_engine(tmp_path / "documents.db"), Bounds())
    saving = Saving(hangs=1)
    context = replace(world(tools(save=saving)), documents=SiteDocuments(store, "here"))
    with anyio.fail_after(20):
        async with opened_engine(tmp_path, lambda request: context, durability="process") as engine:
            run = await engine.start(request(node("a", tool="save")))
            await saving.has_written.wait()
        before = store.list("here").documents
        async with opened_engine(tmp_path, lambda request: context, durability="process") as engine:
            await engine.resume(run)
            (end,) = (await engine.outcome(run)).nodes
    assert store.list("here").documents == before
    assert [(each.title, each.latest, each.run, each.node) for each in before] == [
        ("Soup", 1, run, "a"), ("Weather", 1, run, "a"),
    ]  # fmt: skip
    assert end.result is not None
    assert isinstance(end.result.data, dict)
    assert (end.result.data["id"], end.result.data["version"]) == (before[0].id, 1)
    store.close()


async def test_another_run_of_the_same_writes_a_version_of_its_own(tmp_path: Path) -> None:
    store = SqlDocuments(sqlite_engine(tmp_path / "documents.db"), Bounds())
    texts = iter(["Sun.", "Rain."])

    async def save(context: Context, arguments: Mapping[str, Json]) -> Result:
        return await write_document(context, "Weather", next(texts))

    context = replace(world(tools(save=save)), documents=SiteDocuments(store, "here"))
    with anyio.fail_after(20):
        async with opened_engine(None, lambda request: context, durability="none") as engine:
            runs = [await engine.start(request(node("a", tool="save"))) for _ in range(2)]
            for run in runs:
                await engine.outcome(run)
    document = store.read("here", "weather")
    assert document.latest == 2
    assert {store.read("here", "weather", version=number).run for number in (1, 2)} == {*runs}
    store.close()

"""An approval of a tool that was edited or withdrawn since its run began is not given without being told so."""

import json
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from pegboard.app import open_serving, settings_from
from pegboard.app.serving import Serving
from pegboard.edges.cli.command import run as run_command
from pegboard.llm.hashed import HashedEmbedder
from pegboard.run.engine import RunChanged
from pegboard.text import Json
from tests.app.test_engines import write
from tests.app.test_running import served
from tests.app.test_runs_held import DOCUMENT

DIRECT: list[Json] = [{"id": "c", "tool": "clock", "arguments": {"place": "Oslo"}}]
WITHIN: list[Json] = [{"id": "t", "tool": "tell", "arguments": {"place": "Oslo"}}]
CLOCK = "{name: clock, call: {approval: always}}"
SITE = "{name: sums}"
CHANGED = (CLOCK, "{name: clock, call: {approval: always, max_result: 9KiB}}")
GONE = (SITE, "{name: sums, exclude: [clock, tell]}")
WORDS = {"changed": "has been edited", "gone": "has been taken from the toolset of its site"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.yaml").write_text(DOCUMENT, "utf-8")
    return tmp_path


def edit(folder: Path, before: str, after: str) -> None:
    file = folder / "tools.yaml"
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after), "utf-8")


async def held(client: httpx2.AsyncClient, plan: list[Json]) -> str:
    """Begin a run, and return its id when it waits."""
    run = str((await client.post("/runs", json={"plan": plan, "site": "sums"})).json()["run"])
    await waits(client, run)
    return run


async def waits(client: httpx2.AsyncClient, run: str) -> None:
    while True:
        if (await client.get(f"/runs/{run}")).json().get("is_held"):
            return
        await anyio.sleep(0.02)


async def reloaded(serving: Serving) -> None:
    assert (await serving.reload()).refused is None


async def ended(client: httpx2.AsyncClient, run: str) -> str:
    await client.get(f"/runs/{run}/events")
    return str((await client.get(f"/runs/{run}")).json()["status"])


@pytest.mark.parametrize("plan", [DIRECT, WITHIN], ids=["direct", "within"])
@pytest.mark.parametrize(
    ("change", "is_now"),
    [(CHANGED, "changed"), (GONE, "gone"), ((SITE, "{name: others}"), "gone")],
    ids=["changed", "gone", "no site"],
)
async def test_it_is_told_and_insisted_upon(
    folder: Path, plan: list[Json], change: tuple[str, str], is_now: str
) -> None:
    with anyio.fail_after(60):
        async with served(folder) as (serving, client):
            run, other = await held(client, plan), await held(client, plan)
            edit(folder, *change)
            await reloaded(serving)
            (only,) = (await client.get(f"/runs/{run}")).json()["approvals"]
            assert only["tool_is"] == is_now
            assert {each["approvals"][0]["tool_is"] for each in (await client.get("/runs")).json()} == {is_now}
            refused = await client.post(f"/runs/{run}/approve")
            assert (refused.status_code, WORDS[is_now] in refused.text, "keep" in refused.text) == (409, True, True)
            assert (await client.post(f"/runs/{run}/approve", json={"changed": "reuse"})).status_code == 400
            assert (await client.post(f"/runs/{other}/approve", json={"granted": False})).status_code == 202
            assert (await client.post(f"/runs/{run}/approve", json={"changed": "keep"})).status_code == 202
            assert (await ended(client, run), await ended(client, other)) == ("succeeded", "failed")


async def test_what_changes_no_result_is_no_edit(folder: Path) -> None:
    with anyio.fail_after(60):
        async with served(folder) as (serving, client):
            run = await held(client, DIRECT)
            edit(folder, CLOCK, "{name: clock, description: Says what time it is., call: {approval: always}}")
            await reloaded(serving)
            assert "tool_is" not in (await client.get(f"/runs/{run}")).json()["approvals"][0]
            assert (await client.post(f"/runs/{run}/approve")).status_code == 202
            assert await ended(client, run) == "succeeded"


async def test_the_command_line_tells_it_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def said(*words: str) -> tuple[int, str, str]:
        code = await anyio.to_thread.run_sync(run_command, ["runs", *words, "-c", str(folder)])
        return (code, *capsys.readouterr())

    with anyio.fail_after(60):
        async with served(folder) as (_, client):
            run = await held(client, DIRECT)
            edit(folder, *CHANGED)
            _, shown, _ = await said("show", run)
            assert "  The tool has been edited since the run began; approve it only if" in shown
            assert shown.endswith(f"To approve it: platform runs approve {run} c -c {folder} --changed keep\n")
            code, _, why = await said("approve", run)
            assert (code, "Tool 'clock' has been edited since run" in why, "--changed keep" in why) == (2, True, True)
            assert (await said("approve", run, "--changed", "reuse"))[0] == 2
            assert (await said("approve", run, "--changed", "keep"))[0] == 0
            assert await ended(client, run) == "succeeded"


async def test_where_the_documents_cannot_be_read_an_approval_is_insisted_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def approve(*words: str) -> int:
        return await anyio.to_thread.run_sync(run_command, ["runs", "approve", run, *words, "-c", str(folder)])

    with anyio.fail_after(60):
        async with served(folder) as (_, client):
            run = await held(client, DIRECT)
            edit(folder, SITE, "{name: sums")
            assert (await approve(), "documents cannot be read" in capsys.readouterr().err) == (2, True)
            assert await approve("--changed", "keep") == 0
            assert await ended(client, run) == "succeeded"


async def test_a_run_that_nobody_can_drive_on_is_not_approved_in_vain(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with anyio.fail_after(60):
        async with served(folder) as (_, client):
            run = await held(client, DIRECT)
        edit(folder, *CHANGED)
        code = await anyio.to_thread.run_sync(run_command, ["runs", "approve", run, "-c", str(folder)])
        assert (code, "`--changed reuse`" in capsys.readouterr().err) == (2, True)
        async with served(folder) as (serving, client):
            for body in ({}, {"changed": "keep"}):
                refused = await client.post(f"/runs/{run}/approve", json=body)
                assert (refused.status_code, "`--changed reuse`" in refused.text) == (409, True)
            await serving.current.runs.resume(run, on_change="reuse")
            await waits(client, run)
            assert (await client.post(f"/runs/{run}/approve")).status_code == 202
            assert await ended(client, run) == "succeeded"


async def test_a_run_that_is_as_it_was_is_approved_while_nobody_drives_it(folder: Path) -> None:
    with anyio.fail_after(60):
        async with served(folder) as (_, client):
            run = await held(client, WITHIN)
        assert await anyio.to_thread.run_sync(run_command, ["runs", "approve", run, "-c", str(folder)]) == 0
        async with served(folder) as (_, client):
            assert await ended(client, run) == "succeeded"


@pytest.mark.temporal
@pytest.mark.parametrize("plan", [DIRECT, WITHIN], ids=["direct", "within"])
async def test_with_temporal_it_is_done_with_what_is_served(
    folder: Path, temporal_address: str, plan: list[Json]
) -> None:
    write(folder, temporal_address)
    settings = settings_from(config=folder, environ={})
    with anyio.fail_after(90):
        async with open_serving(settings, embedder=HashedEmbedder()) as serving:
            runs = serving.current.runs
            run = await runs.start("sums", plan)
            (before,) = await pending(serving, run)
            edit(folder, *CHANGED)
            await reloaded(serving)
            (only,) = await pending(serving, run)
            assert (before.get("tool_is"), only["tool_is"]) == (None, "changed")
            with pytest.raises(RunChanged) as refused:
                await runs.approve(run, on_edit="keep")
            assert refused.value.hint.endswith(f"platform runs resume {only['run']} --changed reuse")
            await runs.resume(only["run"], on_change="reuse")
            await anew(serving, run)
            await runs.approve(run)
            assert (await runs.outcome(run)).status == "succeeded"


async def anew(serving: Serving, run: str) -> None:
    """Wait until a run waits for its approval again, with the tool of now."""
    while True:
        if "tool_is" not in (await pending(serving, run))[0]:
            return
        await anyio.sleep(0.1)


async def pending(serving: Serving, run: str) -> list[Any]:
    """Return the approvals that a run waits for, as soon as there are any."""
    while True:
        if found := (await serving.current.runs.show(run)).approvals:
            return [json.loads(json.dumps(each.to_json())) for each in found]
        await anyio.sleep(0.1)

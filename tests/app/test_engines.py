"""Which engine drives the runs of a configuration."""

import json
import socket
import sys
import uuid
from pathlib import Path

import anyio
import pytest

from pegboard.app import open_app, open_runs, open_serving, settings_from
from pegboard.app.doctoring import diagnose
from pegboard.errors import Unreachable, UsageError
from pegboard.llm.hashed import HashedEmbedder
from tests.app.test_running import DOCUMENT, PLAN


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.yaml").write_text(DOCUMENT)
    return tmp_path


def nowhere() -> str:
    """Return an address at which nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{bound.getsockname()[1]}"


def write(folder: Path, address: str) -> str:
    queue = f"app-{uuid.uuid4().hex}"
    lines = {"runs_engine": "temporal", "temporal_address": address, "temporal_task_queue": queue}
    (folder / "pegboard.toml").write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in lines.items()))
    return queue


@pytest.mark.temporal
async def test_a_run_that_is_begun_elsewhere_is_done_by_the_server(folder: Path, temporal_address: str) -> None:
    queue = write(folder, temporal_address)
    settings = settings_from(config=folder, environ={})
    with anyio.fail_after(60):
        async with open_app(settings, embedder=HashedEmbedder()) as app:
            with pytest.raises(Unreachable, match="No server does nodes"):
                await app.runs.start("sums", PLAN)
            async with open_serving(settings, embedder=HashedEmbedder()):
                run = await app.runs.start("sums", PLAN)
                ran = await app.runs.outcome(run)
                found = {each.what: each.found for each in (await diagnose(settings)).findings}
        async with open_runs(settings) as runs:
            shown = await runs.show(run)
    assert [each.result and each.result.data for each in ran.nodes] == [
        {"expression": "2 + 3", "value": 5},
        {"expression": "5 * 4", "value": 20},
    ]
    assert [(each.id, each.state) for each in shown.nodes] == [("a", "succeeded"), ("b", "succeeded")]
    assert found["runs"] == f"Temporal answers at {temporal_address}; one server does nodes of task queue {queue!r}"


async def test_a_server_without_its_temporal_does_not_start_and_doctor_says_so(folder: Path) -> None:
    address = nowhere()
    write(folder, address)
    settings = settings_from(config=folder, environ={})
    with anyio.fail_after(60):
        with pytest.raises(Unreachable, match=f"Temporal does not answer at '{address}'") as raised:
            async with open_serving(settings, embedder=HashedEmbedder()):
                pass
        (finding,) = [each for each in (await diagnose(settings)).findings if each.what == "runs"]
    assert raised.value.exit_code == 4
    assert (finding.ok, "temporal_address" in finding.hint) == (False, True)


async def test_without_the_extra_it_is_said_how_to_install_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder, nowhere())
    settings = settings_from(config=folder, environ={})
    for name in [name for name in sys.modules if name.startswith("pegboard.run.temporal")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "temporalio", None)
    monkeypatch.setitem(sys.modules, "temporalio.client", None)
    with anyio.fail_after(60):
        async with open_runs(settings) as runs:
            with pytest.raises(UsageError, match="extra `temporal` is not installed") as raised:
                await runs.runs()
    assert "pegboard[temporal]" in str(raised.value.hint)

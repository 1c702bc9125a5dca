"""Runs of an open configuration: by HTTP, by the command line, and over the end of whoever drives them."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from pegboard.app import open_runs, open_serving, settings_from
from pegboard.app.serving import Serving
from pegboard.edges.cli.command import run as run_command
from pegboard.edges.web.application import web_app
from pegboard.errors import UsageError
from pegboard.llm.hashed import HashedEmbedder
from pegboard.text import Json

DOCUMENT = """
tools:
  - {name: calculator, examples: [what is 2 + 2], read_only: true}
  - {name: clock, examples: [what time is it], read_only: true}
sites:
  - {name: sums}
"""
PLAN: list[Json] = [
    {"id": "a", "tool": "calculator", "arguments": {"expression": "2 + 3"}},
    {"id": "b", "tool": "calculator", "arguments": {"expression": "${a.value} * 4"}},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.yaml").write_text(DOCUMENT)
    return tmp_path


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[tuple[Serving, httpx2.AsyncClient]]:
    settings = settings_from(config=folder, environ={})
    async with open_serving(settings, embedder=HashedEmbedder()) as serving:
        transport = httpx2.ASGITransport(app=web_app(serving))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            yield serving, client


def events_in(text: str) -> list[Mapping[str, Any]]:
    return [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]


async def test_a_plan_is_run_by_http_and_its_events_are_replayed_from_any_number_on(folder: Path) -> None:
    with anyio.fail_after(60):
        async with served(folder) as (_, client):
            begun = await client.post("/runs", json={"plan": PLAN, "site": "sums"})
            assert begun.status_code == 202, begun.text
            run = begun.json()["run"]
            assert begun.headers["location"] == f"/runs/{run}"
            told = events_in((await client.get(f"/runs/{run}/events")).text)
            later = await client.get(f"/runs/{run}/events", headers={"Last-Event-ID": "3"})
            shown = (await client.get(f"/runs/{run}")).json()
            listed = (await client.get("/runs")).json()
    assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
    assert all(event["run"] == run and event["attempt"] == 1 for event in told if event["node"])
    assert (told[0]["kind"], told[-1]["kind"], told[-1]["status"]) == ("run_started", "run_ended", "succeeded")
    assert events_in(later.text) == told[3:]
    assert [(node["id"], node["state"]) for node in shown["nodes"]] == [("a", "succeeded"), ("b", "succeeded")]
    assert [each["run"] for each in listed] == [run]


@pytest.mark.parametrize("number", ["-1", "x", "1;2", "9" * 16, "9" * 5000])
async def test_what_is_no_number_of_an_event_is_refused(folder: Path, number: str) -> None:
    with anyio.fail_after(60):
        async with served(folder) as (_, client):
            run = (await client.post("/runs", json={"plan": PLAN, "site": "sums"})).json()["run"]
            by_header = await client.get(f"/runs/{run}/events", headers={"Last-Event-ID": number})
            by_query = await client.get(f"/runs/{run}/events", params={"after": number})
            beyond = await client.get(f"/runs/{run}/events", headers={"Last-Event-ID": "9" * 15})
            from_the_first = await client.get(f"/runs/{run}/events", headers={"Last-Event-ID": ""})
    assert (by_header.status_code, by_query.status_code) == (400, 400)
    assert len(by_header.text) < 1000
    assert events_in(beyond.text) == []
    assert events_in(from_the_first.text)[0]["seq"] == 1


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ({"plan": "do it"}, "list of nodes"),
        ({"plan": []}, "no step"),
        ({"plan": [{"id": "a", "tool": "clok"}]}, "Did you mean 'clock'"),
        ({"plan": [{"id": "a", "tool": "calculator"}]}, "expression"),
        ({"plan": [{"id": "a", "tool": "clock", "depends_on": ["b"]}]}, "'b', which is no step"),
        ({"plan": PLAN, "max_parallel": 0}, "max_parallel"),
        ({"plan": PLAN, "max_parallel": -1}, "max_parallel"),
        ({"plan": PLAN, "max_parallel": 1.5}, "max_parallel"),
        ({"plan": PLAN, "max_parallel": 65}, "1 to 64"),
        ({"plan": PLAN, "max_parallel": 10**300}, "max_parallel"),
        ({"plan": PLAN, "maxparallel": 1}, "max_parallel"),
        ({"plan": PLAN, "deadline_seconds": 0}, "deadline_seconds"),
        ({"plan": PLAN, "deadline_seconds": -1}, "deadline_seconds"),
        ({"plan": PLAN, "deadline_seconds": True}, "deadline_seconds"),
        ({"plan": PLAN, "approval_seconds": "1h"}, "approval_seconds"),
        ({"plan": PLAN, "budget": 5}, "budget"),
        ({"plan": PLAN, "budget": {"calls": -1}}, "calls"),
        ({"plan": PLAN, "budget": {"token": 1}}, "Did you mean 'tokens'"),
        ({"plan": [{"id": "a", "tool": "clock", "arguments": "x"}]}, "arguments"),
    ],
)
async def test_a_plan_that_cannot_work_is_refused_before_anything_runs(
    folder: Path, body: dict[str, Any], wanted: str
) -> None:
    with anyio.fail_after(60):
        async with served(folder) as (_, client):
            answer = await client.post("/runs", json=body)
            assert answer.status_code == 400, answer.text
            assert wanted in answer.text
            assert (await client.get("/runs")).json() == []


async def test_what_is_not_there_is_said(folder: Path) -> None:
    with anyio.fail_after(60):
        async with served(folder) as (_, client):
            for method, path in (
                ("GET", "/runs/nobody"),
                ("GET", "/runs/nobody/events"),
                ("DELETE", "/runs/nobody"),
                ("POST", "/runs/nobody/nodes/a/approve"),
            ):
                assert (await client.request(method, path)).status_code == 404, path
            run = (await client.post("/runs", json={"plan": PLAN})).json()["run"]
            await client.get(f"/runs/{run}/events")
            refused = await client.post(f"/runs/{run}/nodes/a/approve")
            assert (refused.status_code, "waits for no approval" in refused.text) == (409, True)


async def test_runs_are_looked_at_without_opening_the_configuration(folder: Path) -> None:
    settings = settings_from(config=folder, environ={})
    with anyio.fail_after(60):
        async with served(folder) as (serving, _):
            run = await serving.current.runs.start("sums", PLAN)
            await serving.current.runs.outcome(run)
        async with open_runs(settings) as runs:
            assert [view.run for view in await runs.runs()] == [run]
            with pytest.raises(UsageError, match="no run 'nobody'"):
                await runs.show("nobody")


def test_the_command_shows_what_there_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def begin() -> str:
        async with served(folder) as (serving, _):
            run = await serving.current.runs.start("sums", PLAN, question="a sum")
            await serving.current.runs.outcome(run)
            return run

    run = anyio.run(begin)
    assert run_command(["runs", "list", "-c", str(folder)]) == 0
    assert run in capsys.readouterr().out
    assert run_command(["runs", "show", run, "-c", str(folder)]) == 0
    assert "b\tcalculator\tsucceeded\ta\t" in capsys.readouterr().out
    assert run_command(["runs", "show", "nobody", "-c", str(folder)]) == 2
    assert run_command(["runs", "approve", run, "a", "-c", str(folder)]) == 2
    assert run_command(["runs", "cancel", run, "-c", str(folder)]) == 0
    capsys.readouterr()
    assert run_command(["runs", "show", run, "--json", "-c", str(folder)]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "succeeded"


async def test_a_tool_of_a_question_can_run_a_plan(folder: Path) -> None:
    with anyio.fail_after(60):
        async with served(folder) as (serving, _):
            context = serving.current.context_of("sums", "a sum", deadline=anyio.current_time() + 30)
            ran = await context.run(PLAN)
    assert [(each.node, each.state) for each in ran.nodes] == [("a", "succeeded"), ("b", "succeeded")]
    assert ran.nodes[1].result is not None
    assert "20" in ran.nodes[1].result.text


async def test_a_journal_that_cannot_be_used_ends_no_questions_and_is_said_to_whoever_asks_for_runs(
    folder: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / ".pegboard").mkdir()
    path = folder / ".pegboard" / "runs.db"
    path.write_bytes(b"no database at all, and long enough to be read\n" * 400)
    with anyio.fail_after(60):
        async with served(folder) as (_, client):
            begun = await client.post("/runs", json={"plan": PLAN, "site": "sums"})
            listed = await client.get("/runs")
            asked = await client.get("/ask", params={"query": "what is 2 + 2", "streaming": "false"})
    assert (begun.status_code, listed.status_code, asked.status_code) == (503, 503, 200)
    assert "file is not a database" in begun.text
    assert "there are no runs: The journal of runs" in caplog.text
    assert await anyio.to_thread.run_sync(run_command, ["runs", "list", "-c", str(folder)]) == 4
    assert "put a copy of it back, or move it away" in capsys.readouterr().err
    assert await anyio.to_thread.run_sync(run_command, ["doctor", "-c", str(folder)]) == 4
    assert "FAIL runs:" in capsys.readouterr().out

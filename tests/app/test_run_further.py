"""A run of a question that a model has planned goes on once in another way where a step came to nothing."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from pegboard.app import open_serving, settings_from
from pegboard.edges.cli.watched import Watched
from pegboard.edges.web.application import web_app
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.model import Prompt
from pegboard.llm.scripted import ScriptedModel

DOCUMENT = """
tools:
  - {name: calculator, description: Works out sums., examples: [what is 2 + 3], read_only: true}
  - {name: clock, description: Tells the time., examples: [what time is it], read_only: true}
  - {name: broken, description: Asks a service., examples: [ask it], handler: "tests.app.handlers_that_fail:broken"}
sites:
  - {name: sums}
"""
FIRST = [
    {"id": "n1", "tool": "calculator", "arguments": {"expression": "2 + 3"}},
    {"id": "n2", "tool": "broken", "depends_on": ["n1"]},
]
MORE = [{"id": "n3", "tool": "calculator", "arguments": {"expression": "${n1.value} * 4"}, "depends_on": ["n1"]}]


class Planner(ScriptedModel):
    """Plans `FIRST`, then what it is told to."""

    def __init__(self, *then: dict[str, Any]) -> None:
        super().__init__(self._planned)
        self.asked: list[str] = []
        self._then = list(then)

    def _planned(self, prompt: Prompt) -> str:
        if "were planned and done" not in prompt.user:
            return json.dumps({"steps": FIRST})
        self.asked.append(prompt.user)
        return json.dumps({"steps": self._then})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.yaml").write_text(DOCUMENT)
    (tmp_path / "pegboard.toml").write_text('handler_prefixes = ["tests.app.handlers_that_fail"]\n')
    return tmp_path


@asynccontextmanager
async def served(folder: Path, model: ScriptedModel) -> AsyncIterator[httpx2.AsyncClient]:
    settings = settings_from(config=folder, environ={})
    async with open_serving(settings, embedder=HashedEmbedder(), model=model) as serving:
        transport = httpx2.ASGITransport(app=web_app(serving))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            yield client


async def ran(client: httpx2.AsyncClient, **body: Any) -> tuple[str, list[dict[str, Any]]]:
    """Run something to its end; return the run, and its events."""
    begun = await client.post("/runs", json=body)
    assert begun.status_code == 202, begun.text
    run = begun.json()["run"]
    lines = (await client.get(f"/runs/{run}/events")).text.splitlines()
    return run, [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:")]


async def test_what_a_run_shows_of_further_steps(folder: Path) -> None:
    model = Planner(*MORE)
    with anyio.fail_after(60):
        async with served(folder, model) as client:
            run, events = await ran(client, question="what is 2 + 3, and what does the service say?")
            shown = (await client.get(f"/runs/{run}")).json()
            plan = (await client.get(f"/runs/{run}/plan")).json()
            drawn = (await client.get(f"/runs/{run}/plan", params={"format": "text"})).text
            again = await client.post("/plan", params={"format": "text"}, json={"question": "what is 2 + 3"})
    assert again.status_code == 200
    assert shown["status"] == "partly"
    assert {each["id"]: each["state"] for each in shown["nodes"]} == {
        "n1": "succeeded", "n2": "failed", "n3": "succeeded",
    }  # fmt: skip
    assert [each["id"] for each in plan["nodes"]] == ["n1", "n2", "n3"]
    assert "n3" in drawn
    assert "20" in shown["answer"]["text"]
    assert [each["node"] for each in shown["answer"]["failed"]] == ["n2"]
    assert len(model.asked) == 1
    (extended,) = [event for event in events if event["kind"] == "plan_extended"]
    assert (extended["by"], extended["after"], "specs" in extended) == ("scripted", ["n2"], False)
    assert [node["id"] for node in extended["plan"]["nodes"]] == ["n3"]
    assert shown["usage"]["model_calls"] == 2

    watched = Watched(run)
    lines = [watched.take(event) for event in events]
    assert "further steps are planned, because n2 came to nothing" in lines
    assert isinstance(watched.plan, dict)
    assert watched.plan["nodes"] == plan["nodes"]
    assert (watched.done, watched.nodes) == (3, 3)


async def test_a_plan_that_was_given_is_done_as_it_is(folder: Path) -> None:
    model = Planner(*MORE)
    with anyio.fail_after(60):
        async with served(folder, model) as client:
            run, events = await ran(client, plan=FIRST, question="what is 2 + 3?")
            shown = (await client.get(f"/runs/{run}")).json()
    assert (shown["status"], len(shown["nodes"]), model.asked) == ("failed", 2, [])
    assert "plan_extended" not in {event["kind"] for event in events}


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"id": "n3", "tool": "clock"}, "there is no tool 'clock'"),
        ({"id": "n3", "tool": "calculator", "arguments": {"expression": "2 + 3"}}, "has been done"),
        ({"id": "n3", "tool": "calculator", "arguments": {"expression": "${n2.value}"}}, "no step"),
    ],
)
async def test_steps_that_may_not_be_done_are_not_and_it_is_said(folder: Path, step: dict[str, Any], why: str) -> None:
    with anyio.fail_after(60):
        async with served(folder, Planner(step)) as client:
            run, events = await ran(client, question="what is 2 + 3?", tools=["calculator", "broken"])
            shown = (await client.get(f"/runs/{run}")).json()
    (extended,) = [event for event in events if event["kind"] == "plan_extended"]
    assert (shown["status"], extended["plan"]["nodes"]) == ("failed", [])
    assert why in extended["degraded"]
    assert why in Watched(run).take(extended)

"""A question that is planned and run by HTTP, the answer of a run, and the picture of its plan."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from pegboard.app import open_runs, open_serving, settings_from
from pegboard.app.answering import Answers
from pegboard.edges.web.application import web_app
from pegboard.errors import CallFailed
from pegboard.events import AnswerEnded, AnswerPiece, Emit
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.model import Model
from pegboard.llm.scripted import ScriptedModel
from tests.app.test_running import events_in

DOCUMENT = """
tools:
  - {name: calculator, examples: [what is 2 + 2], read_only: true}
  - {name: clock, examples: [what time is it], read_only: true}
  - {name: broken, examples: [break it], handler: "tests.app.handlers_that_fail:broken"}
  - {name: knowledge, examples: [how do I return an order], read_only: true}
sites:
  - {name: sums, knowledge: [help]}
knowledge:
  - {name: help, sources: [help]}
"""
SUM: dict[str, Any] = {"id": "a", "tool": "calculator", "arguments": {"expression": "2 + 3"}}
KNOWN: dict[str, Any] = {"id": "k", "tool": "knowledge", "arguments": {"query": "how do I return an order"}}
FAILS: dict[str, Any] = {"id": "b", "tool": "broken"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.yaml").write_text(DOCUMENT)
    (tmp_path / "pegboard.toml").write_text('handler_prefixes = ["tests.app.handlers_that_fail"]\n')
    (tmp_path / "help").mkdir()
    (tmp_path / "help" / "returns.md").write_text("# Returns\n\nReturn an order within 30 days, by post.\n")
    return tmp_path


@asynccontextmanager
async def served(folder: Path, model: Model | None = None) -> AsyncIterator[httpx2.AsyncClient]:
    settings = settings_from(config=folder, environ={})
    async with open_serving(settings, embedder=HashedEmbedder(), model=model) as serving:
        transport = httpx2.ASGITransport(app=web_app(serving))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            yield client


async def ended(client: httpx2.AsyncClient, **body: Any) -> str:
    """Run a plan to its end and return the run."""
    begun = await client.post("/runs", json=body)
    assert begun.status_code == 202, begun.text
    run: str = begun.json()["run"]
    await client.get(f"/runs/{run}/events")
    return run


def ids_in(text: str) -> list[str]:
    return [line.removeprefix("id: ") for line in text.splitlines() if line.startswith("id: ")]


async def test_a_question_is_planned_then_run(folder: Path) -> None:
    with anyio.fail_after(60):
        async with served(folder) as client:
            asked = {"question": "what is 2 + 2", "tools": ["calculator"]}
            planned = (await client.post("/plan", json=asked)).json()
            begun = await client.post("/runs", json=asked)
            run = begun.json()["run"]
            await client.get(f"/runs/{run}/events")
            shown = (await client.get(f"/runs/{run}")).json()
    assert begun.status_code == 202
    assert begun.json() == {"run": run, **planned}
    assert planned["by"] == "single"
    assert [node["tool"] for node in planned["plan"]["nodes"]] == ["calculator"]
    assert (shown["question"], shown["answer"]["text"]) == ("what is 2 + 2", "2 + 2 = 4")


@pytest.mark.parametrize(
    ("path", "body", "wanted"),
    [
        ("/runs", {}, "a `question`"),
        ("/plan", {}, "a `question`"),
        ("/runs", {"question": " "}, "The question is empty"),
        ("/runs", {"question": "\x00\u202e \u200b\u3164"}, "The question is empty"),
        ("/runs", {"question": 7}, "`question` is a text"),
        ("/plan", {"question": "x", "tools": "calculator"}, "list of names"),
        ("/plan", {"question": "x", "tols": []}, "tools"),
        ("/plan", {"question": "x", "tools": ["calculater"]}, "calculator"),
    ],
)
async def test_what_cannot_be_planned_is_refused_and_nothing_runs(
    folder: Path, path: str, body: dict[str, Any], wanted: str
) -> None:
    with anyio.fail_after(60):
        async with served(folder) as client:
            answer = await client.post(path, json=body)
            assert answer.status_code in (400, 404), answer.text
            assert wanted in answer.text
            assert (await client.get("/runs")).json() == []


async def test_the_answer_says_what_was_found_and_what_failed(folder: Path) -> None:
    with anyio.fail_after(60):
        async with served(folder) as client:
            run = await ended(client, plan=[SUM, KNOWN, FAILS], question="both")
            shown = (await client.get(f"/runs/{run}")).json()
        async with open_runs(settings_from(config=folder, environ={})) as runs:
            looked = await runs.answer(run)
    answer = shown["answer"]
    assert shown["status"] == "partly"
    assert "2 + 3 = 5" in answer["text"]
    assert "within 30 days" in answer["text"]
    assert (answer["status"], answer["model"], answer["run_status"]) == ("ok", "none", "partly")
    assert [(each["node"], each["tool"]) for each in answer["failed"]] == [("b", "broken")]
    assert answer["failed"][0]["reason"] in answer["text"]
    assert [each["number"] for each in answer["evidence"]] == list(range(1, len(answer["evidence"]) + 1))
    assert answer["citations"]
    assert looked == answer


async def test_a_run_that_gave_nothing_answers_with_the_reasons(folder: Path) -> None:
    with anyio.fail_after(60):
        async with served(folder) as client:
            run = await ended(client, plan=[FAILS])
            shown = (await client.get(f"/runs/{run}")).json()
            streamed = await client.get(f"/runs/{run}/answer")
            whole = await client.get(f"/runs/{run}/answer", params={"streaming": "false"})
    assert "No step of the plan gave anything: broken" in shown["answer"]["text"]
    assert [each["node"] for each in shown["answer"]["failed"]] == ["b"]
    assert "event: error" in streamed.text
    assert events_in(streamed.text)[-1]["status"] == whole.status_code == 502


async def test_a_model_writes_the_answer_once_and_each_hears_it_from_where_it_was(folder: Path) -> None:
    model = ScriptedModel("Within **30 days** [1], by post [9].")
    with anyio.fail_after(60):
        async with served(folder, model) as client:
            run = await ended(client, plan=[KNOWN, FAILS], question="how do I return an order?")
            before = len(model.prompts)
            first = (await client.get(f"/runs/{run}/answer")).text
            whole = (await client.get(f"/runs/{run}/answer", params={"streaming": "false"})).json()
            again = (await client.get(f"/runs/{run}/answer", headers={"Last-Event-ID": ids_in(first)[1]})).text
            other = (await client.get(f"/runs/{run}/answer", headers={"Last-Event-ID": "00000000-2"})).text
            shown = (await client.get(f"/runs/{run}")).json()
    told = events_in(first)
    assert [event["kind"] for event in told][:1] + [event["kind"] for event in told][-1:] == [
        "question_asked",
        "answer_ended",
    ]
    pieces = "".join(event["text"] for event in told if event["kind"] == "answer_piece")
    assert pieces == whole["text"] == "Within **30 days** [1], by post."
    assert told[-1]["answer"] == whole
    assert (whole["model"], [each["node"] for each in whole["failed"]]) == ("scripted", ["b"])
    assert len(model.prompts) == before + 1
    assert "could not be done" in str(model.prompts[-1])
    assert (events_in(again), events_in(other)) == (told[2:], told)
    assert shown["answer"]["model"] == "none"


async def test_what_is_recorded_of_a_run_stays_readable_when_its_site_is_gone(folder: Path) -> None:
    with anyio.fail_after(60):
        async with served(folder) as client:
            run = await ended(client, plan=[SUM], question="what is 2 + 3?")
            plan = (await client.get(f"/runs/{run}/plan")).json()
        file = folder / "tools.yaml"
        file.write_text(file.read_text("utf-8").replace("{name: sums", "{name: other"), "utf-8")
        async with served(folder, ScriptedModel("never asked")) as client:
            assert (await client.post("/runs", json={"plan": [SUM], "site": "sums"})).status_code == 404
            shown = (await client.get(f"/runs/{run}")).json()
            whole = await client.get(f"/runs/{run}/answer", params={"streaming": "false"})
            streamed = events_in((await client.get(f"/runs/{run}/answer")).text)
            assert (await client.get(f"/runs/{run}/plan")).json() == plan
    reason = "Site 'sums' is not declared any more, so no model wrote this."
    assert whole.json() == {**shown["answer"], "degraded": reason}
    assert [event["kind"] for event in streamed] == ["question_asked", "degraded", "answer_piece", "answer_ended"]


@pytest.mark.parametrize("id", ["x", "7", "00000000", "00000000-", "00000000-x", "00000000-" + "9" * 5000])
async def test_what_is_no_id_of_an_answers_event_is_refused(folder: Path, id: str) -> None:
    with anyio.fail_after(60):
        async with served(folder) as client:
            run = await ended(client, plan=[SUM])
            for streaming in ("true", "false"):
                refused = await client.get(
                    f"/runs/{run}/answer", params={"streaming": streaming}, headers={"Last-Event-ID": id}
                )
                assert (refused.status_code, "the id of an event of an answer" in refused.text) == (400, True)


@pytest.mark.parametrize(
    ("shape", "kind", "begins"),
    [
        ("text", "text/plain", "┌─"),
        ("mermaid", "text/vnd.mermaid", "flowchart TD\n"),
        ("dot", "text/vnd.graphviz", "digraph plan {\n"),
        ("json", "application/json", '{"nodes":'),
    ],
)
async def test_a_plan_is_had_in_each_form(folder: Path, shape: str, kind: str, begins: str) -> None:
    with anyio.fail_after(60):
        async with served(folder) as client:
            run = await ended(client, plan=[SUM, FAILS])
            of_run = await client.get(f"/runs/{run}/plan", params={"format": shape})
            asked = {"question": "what is 2 + 2", "tools": ["calculator"]}
            of_question = await client.post("/plan", params={"format": shape}, json=asked)
            refused = await client.get(f"/runs/{run}/plan", params={"format": "png"})
            missing = await client.get("/runs/nobody/plan")
    assert of_run.headers["content-type"].split(";")[0] == of_question.headers["content-type"].split(";")[0] == kind
    assert of_run.text.replace(" ", "").startswith(begins.replace(" ", ""))
    assert shape in ("json", "dot") or ("✓" in of_run.text) or "#10003;" in of_run.text
    assert (refused.status_code, missing.status_code) == (400, 404)


async def test_the_plan_of_a_run_can_be_run_again(folder: Path) -> None:
    with anyio.fail_after(60):
        async with served(folder) as client:
            run = await ended(client, plan=[SUM])
            plan = (await client.get(f"/runs/{run}/plan")).json()
            again = await ended(client, plan=plan)
            assert (await client.get(f"/runs/{again}/plan")).json() == plan


async def test_whoever_comes_while_an_answer_is_written_hears_it_from_its_beginning() -> None:
    going = anyio.Event()
    written = 0

    async def write(emit: Emit) -> None:
        nonlocal written
        written += 1
        emit(AnswerPiece("one"))
        await going.wait()
        emit(AnswerEnded({"text": "one"}))

    heard: dict[str, list[str]] = {"early": [], "late": []}
    with anyio.fail_after(10):
        async with anyio.create_task_group() as background, anyio.create_task_group() as group:
            answers, begun = Answers(background), anyio.Event()

            async def listen(name: str) -> None:
                async for _, event in answers.follow("r", write):
                    heard[name].append(event.kind)
                    begun.set()

            group.start_soon(listen, "early")
            await begun.wait()
            group.start_soon(listen, "late")
            await anyio.wait_all_tasks_blocked()
            assert heard == {"early": ["answer_piece"], "late": ["answer_piece"]}
            going.set()
    assert heard == {"early": ["answer_piece", "answer_ended"], "late": ["answer_piece", "answer_ended"]}
    assert written == 1


async def test_an_answer_that_failed_is_written_anew_for_the_next_who_asks() -> None:
    written = 0

    async def write(emit: Emit) -> None:
        nonlocal written
        written += 1
        if written == 1:
            raise CallFailed("not now")
        emit(AnswerEnded({"text": "now"}))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            answers = Answers(group)
            with pytest.raises(CallFailed, match="not now"):
                assert [told async for told in answers.follow("r", write)] == []
            assert [event.kind async for _, event in answers.follow("r", write)] == ["answer_ended"]

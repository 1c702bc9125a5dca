"""The mode `plan`: a question is planned and done in steps, also where the site has no tool that plans."""

from pathlib import Path

import httpx2
import pytest

from pegboard.app import open_serving, settings_from
from pegboard.edges.web.application import web_app
from pegboard.events import Event
from pegboard.llm.embedder import SentenceEncoder
from tests.planner.conftest import OpenedDesk
from tests.planner.conftest import folder as desk_folder
from tests.planner.conftest import opened as opened_desk

pytestmark = pytest.mark.anyio
folder, opened = desk_folder, opened_desk
QUESTION = "weather in Paris, then find soups and compare the first two"


@pytest.mark.parametrize(("site", "tool"), [("desk", "plan"), ("plain", None)])
async def test_a_plan_is_made_run_and_gathered(opened: OpenedDesk, site: str, tool: str | None) -> None:
    events: list[Event] = []
    async with opened() as app:
        answer = await app.ask(app.question(QUESTION, site=site, mode="plan"), emit=events.append)
    assert (answer.tool, answer.degraded) == (tool, "")
    assert "rain, 12 degrees" in answer.text
    assert "compared:" in answer.text
    kinds = [event.kind for event in events]
    assert {"plan_made", "node_started", "run_ended", "call_started", "items_found"} <= set(kinds)
    assert kinds[-1] == "answer_ended"


async def test_a_question_of_several_parts_needs_no_mode(opened: OpenedDesk) -> None:
    async with opened() as app:
        answer = await app.ask(app.question(QUESTION, site="desk"))
    assert (answer.tool, answer.score) == ("plan", 100.0)
    assert "compared:" in answer.text


async def test_a_question_of_one_part_is_done_as_one_step(opened: OpenedDesk) -> None:
    async with opened() as app:
        answer = await app.ask(app.question("weather in Paris", site="desk", mode="plan"))
    assert answer.text == "Paris: rain, 12 degrees"


async def test_what_cannot_be_planned_is_asked_as_a_single_step(opened: OpenedDesk) -> None:
    async with opened() as app:
        answer = await app.ask(app.question("will it rain tomorrow?", site="plain", mode="plan"))
    assert answer.status == "needs_clarification"
    assert answer.degraded.startswith("No plan could be made, so the question was asked as a single step:")


async def test_only_the_tools_that_the_client_names_are_planned_with(opened: OpenedDesk) -> None:
    async with opened() as app:
        question = app.question(QUESTION, site="desk", mode="plan", tools=["search", "compare"])
        answer = await app.ask(question)
    assert "rain" not in answer.text


async def test_a_list_has_what_was_found_and_no_words(opened: OpenedDesk) -> None:
    async with opened() as app:
        answer = await app.ask(
            app.question("find soups and compare the first two", site="desk", mode="plan", form="list")
        )
    assert answer.text == ""
    assert {hit.item.name for hit in answer.results} == {"Tomato Soup", "Pea Soup"}


async def test_a_plan_that_may_only_read_has_no_tool_that_writes(opened: OpenedDesk) -> None:
    question = "find soups, write a report and save it"
    async with opened() as app:
        reads = await app.ask(app.question(question, site="reading", tools=["plan"]))
        writes = await app.ask(app.question(question, site="desk", tools=["plan"]))
    assert ("Kept “" in reads.text, "Kept “" in writes.text) == (False, True)


async def test_ask_streams_the_plan_and_how_its_steps_stand(folder: Path) -> None:
    settings = settings_from(config=folder, environ={})
    async with open_serving(settings, embedder=SentenceEncoder()) as serving:
        transport = httpx2.ASGITransport(app=web_app(serving))
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            asked = {"query": QUESTION, "site": "desk", "mode": "plan", "streaming": "false"}
            told = (await client.post("/ask", json=asked)).json()
    plan = next(message for message in told if message["message_type"] == "plan")
    kinds = [message["message_type"] for message in told]
    of_steps = [message for message in told if message["message_type"] == "step"]
    steps = [(message["node"], message["state"]) for message in of_steps]
    assert plan["by"] == "rules"
    assert [node["tool"] for node in plan["plan"]["nodes"]] == ["get_weather", "search", "compare"]
    assert sorted(steps) == [(f"n{place}", state) for place in (1, 2, 3) for state in ("running", "succeeded")]
    assert len({message["run"] for message in of_steps}) == 1
    assert kinds[0] == "begin-nlweb-response"
    assert kinds.index("plan") < kinds.index("step") < len(kinds) - kinds[::-1].index("step") <= kinds.index("nlws")
    assert kinds.index("end-nlweb-response") == len(kinds) - 1

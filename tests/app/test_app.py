"""A question on its way through all stages."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from pegboard.app import open_app, settings_from
from pegboard.errors import (
    CallFailed,
    DeadlineExceeded,
    InvalidArguments,
    InvalidDeclarations,
    ModelUnreachable,
    UnknownSite,
    UnknownTool,
    UsageError,
)
from pegboard.events import AnswerEnded, AnswerPiece, Event, FollowUpCompleted, ItemsFound, ToolChosen
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.model import Prompt
from pegboard.llm.scripted import ScriptedModel
from tests.app.conftest import Opened


async def test_a_question_goes_through_all_stages_and_every_event_is_told(opened: Opened) -> None:
    events: list[Event] = []
    async with opened() as app:
        answer = await app.ask(app.question("15% of 80", site="soups", tools=["calculator"]), emit=events.append)
    assert "12" in answer.text
    assert (answer.tool, answer.score, answer.model) == ("calculator", None, "none")
    assert answer.arguments == {"expression": "15% of 80"}
    kinds = [event.kind for event in events]
    assert kinds == [
        "question_asked", "tool_chosen", "arguments_bound", "call_started", "result_given",
        "call_ended", "items_found", "answer_piece", "answer_ended",
    ]  # fmt: skip
    pieces = "".join(event.text for event in events if isinstance(event, AnswerPiece))
    assert pieces == answer.text
    assert events[-1] == AnswerEnded(answer.to_json())


async def test_results_carry_what_clients_show(opened: Opened) -> None:
    async with opened() as app:
        answer = await app.ask(app.question("tomato soup", site="soups", tools=["search"]))
    told: Any = answer.to_json()
    first = told["results"][0]
    assert set(first) == {"url", "name", "site", "score", "description", "schema_object"}
    assert first["name"] == "Tomato Soup"
    assert told["citations"][0]["url"] == "https://soups.example/tomato-soup"


async def test_a_list_has_items_and_no_words(opened: Opened) -> None:
    events: list[Event] = []
    async with opened() as app:
        asked = app.question("soup", site="soups", tools=["search"], form="list")
        answer = await app.ask(asked, emit=events.append)
    assert (answer.text, bool(answer.results)) == ("", True)
    assert any(isinstance(event, ItemsFound) and event.items for event in events)


async def test_the_only_tool_needs_no_score(opened: Opened) -> None:
    async with opened() as app:
        decision = await app.route(app.question("four plus three", site="sums"))
    assert (decision.decided_by, decision.score, decision.model_calls) == ("single", 100, 0)


async def test_without_a_fallback_it_says_that_no_tool_fits(opened: Opened) -> None:
    async with opened() as app:
        answer = await app.ask(app.question("用俄语写一首关于冬天的诗", site="strict"))
        decision = await app.route(app.question("用俄语写一首关于冬天的诗", site="strict"))
    assert (decision.decided_by, decision.tool) == ("none", None)
    assert (answer.text, answer.tool, answer.status) == ("这个网站没有适合回答这个问题的工具。", None, "not_found")


async def test_what_is_missing_is_asked_for_with_what_the_search_finds(opened: Opened) -> None:
    async with opened() as app:
        answer = await app.ask(app.question("soup", site="soups", tools=["compare"]))
    assert answer.status == "needs_clarification"
    assert answer.text
    assert {hit.item.name for hit in answer.results} >= {"Tomato Soup"}


async def test_a_tool_that_fails_is_named_and_its_insides_are_not(opened: Opened) -> None:
    async with opened() as app:
        with pytest.raises(CallFailed, match="'broken' failed inside its handler") as caught:
            await app.ask(app.question("break it", site="soups", tools=["broken"]))
    assert "insides" not in str(caught.value)


# With a model


async def test_a_model_chooses_binds_and_writes(opened: Opened) -> None:
    def reply(prompt: Prompt) -> str:
        if "score" not in prompt.system + prompt.user:
            return "Make the tomato soup [1]."
        is_search = "find soups" in prompt.system + prompt.user
        return '{"score": 95, "query": "tomato soup"}' if is_search else '{"score": 10}'

    async with opened(model=ScriptedModel(reply)) as app:
        answer = await app.ask(app.question("something with tomato, a soup", site="soups"))
    assert (answer.tool, answer.score, answer.model) == ("search", 95, "scripted")
    assert answer.arguments == {"query": "tomato soup"}
    assert answer.text == "Make the tomato soup [1]."
    assert [citation.number for citation in answer.citations] == [1]
    assert not answer.degraded


async def test_a_dead_model_is_stood_in_for_and_the_answer_says_so(opened: Opened) -> None:
    async with opened(model=ScriptedModel(ModelUnreachable("no connection"))) as app:
        answer = await app.ask(app.question("find soups", site="soups"))
    assert answer.model == "none"
    assert "scripted" in answer.degraded
    assert answer.text


async def test_a_follow_up_is_completed_by_the_model(opened: Opened) -> None:
    events: list[Event] = []

    def reply(prompt: Prompt) -> str:
        return "tomato soup" if "rewrite" in prompt.system else '{"score": 0}'

    async with opened(model=ScriptedModel(reply)) as app:
        asked = app.question("and soup?", site="soups", tools=["search"], previous=["what with tomato?"])
        await app.ask(asked, emit=events.append)
    assert FollowUpCompleted("and soup?", "tomato soup") in events


async def test_without_a_model_earlier_questions_are_said_to_be_ignored(opened: Opened) -> None:
    async with opened() as app:
        asked = app.question("soup", site="soups", tools=["search"], previous=["what else?"])
        answer = await app.ask(asked)
    assert len(answer.notices) == 1
    assert "ignored" in answer.notices[0]


async def test_a_request_ends_at_its_deadline_and_its_work_with_it(opened: Opened) -> None:
    async def never(prompt: Prompt) -> str:
        await anyio.sleep_forever()
        raise AssertionError

    model = ScriptedModel(never)
    async with opened(model=model, request_timeout="50ms") as app:
        with anyio.fail_after(10), pytest.raises(DeadlineExceeded):
            await app.ask(app.question("soup", site="soups", tools=["search"], previous=["tomato"]))
    assert model.open_requests == 0


async def test_a_call_runs_one_tool_with_checked_arguments(opened: Opened) -> None:
    async with opened() as app:
        answer = await app.call("soups", "calculator", {"expression": "2 ** 10"})
        assert "1024" in answer.text.replace(",", "")
        with pytest.raises(InvalidArguments, match="expresion"):
            await app.call("soups", "calculator", {"expresion": "1"})
        with pytest.raises(UnknownTool, match="Did you mean 'calculator'"):
            await app.call("soups", "calculater", {})


async def test_a_writing_model_has_less_time_than_the_call_so_that_it_can_be_stood_in_for(opened: Opened) -> None:
    class Timed(ScriptedModel):
        given = 0.0

        async def stream(self, prompt: Prompt, *, timeout_seconds: float = 60.0, **how: object) -> AsyncIterator[str]:
            self.given = timeout_seconds
            yield "Done [1]."

    model = Timed("")
    async with opened(model=model, request_timeout="60s") as app:
        answer = await app.call("soups", "search", {"query": "tomato soup"})
    assert answer.text == "Done [1]."
    assert 0 < model.given < 60


# What a request may name


async def test_a_site_is_found_by_name_then_by_domain_then_by_default(opened: Opened) -> None:
    async with opened() as app:
        assert app.site_for("sums", "soups.example") == "sums"
        assert app.site_for(None, "soups.example") == "soups"
        assert app.site_for(None, "a.sums.example") == "sums"
        with pytest.raises(UsageError, match="soups, sums, strict"):
            app.site_for(None, "127.0.0.1")
        with pytest.raises(UnknownSite, match="Did you mean 'soups'"):
            app.site_for("soup", None)


@pytest.mark.parametrize("text", ["", "  \n "])
async def test_an_empty_question_is_refused(opened: Opened, text: str) -> None:
    async with opened() as app:
        with pytest.raises(UsageError, match="empty"):
            app.question(text, site="soups")


async def test_a_question_that_is_too_long_is_refused_with_both_lengths(opened: Opened) -> None:
    async with opened() as app:
        app.question("x" * 8000, site="soups")
        with pytest.raises(UsageError, match="8,001 characters; 8,000"):
            app.question("x" * 8001, site="soups")


async def test_unknown_tools_of_a_question_are_refused(opened: Opened) -> None:
    async with opened() as app:
        with pytest.raises(UnknownTool, match="has no tool 'serch'"):
            app.question("soup", site="soups", tools=["search", "serch"])


async def test_the_decision_is_told_as_route_prints_it(opened: Opened) -> None:
    events: list[Event] = []
    async with opened() as app:
        await app.ask(app.question("soup", site="soups", tools=["search"]), emit=events.append)
    (chosen,) = [event for event in events if isinstance(event, ToolChosen)]
    assert set(chosen.decision) == {
        "query", "site", "type", "tool", "score", "decided_by", "mode", "strategy", "named", "candidates",
        "model", "model_calls", "tokens_in", "tokens_out", "milliseconds",
    }  # fmt: skip


# Opening


async def test_a_second_start_indexes_only_what_changed(folder: Path, opened: Opened) -> None:
    async with opened() as app:
        assert app.report.added == 3
    (folder / "food" / "Pea Soup.json").unlink()
    async with opened() as app:
        assert (app.report.added, app.report.removed, app.report.unchanged) == (0, 1, 2)


async def test_a_configuration_with_errors_is_not_opened(folder: Path) -> None:
    (folder / "tools.d").mkdir()
    (folder / "tools.d" / "bad.yaml").write_text("tools: [{name: a, handlr: b}]")
    settings = settings_from(config=folder, environ={})
    with pytest.raises(InvalidDeclarations) as caught:
        async with open_app(settings, embedder=HashedEmbedder()):
            pass
    assert {problem.code for problem in caught.value.problems} >= {"PB101"}  # type: ignore[attr-defined]
    assert not (folder / ".pegboard").exists()


def test_wrong_settings_are_refused_with_their_place(folder: Path) -> None:
    (folder / "pegboard.toml").write_text("prot = 1\n")
    with pytest.raises(InvalidDeclarations) as caught:
        settings_from(config=folder, environ={})
    assert "pegboard.toml:1:1" in str(caught.value.problems[0])


async def test_of_earlier_questions_the_last_count_and_none_is_longer_than_a_question(opened: Opened) -> None:
    async with opened() as app:
        longest = app.settings.query_characters
        asked = app.question("and soup?", site="soups", previous=[" ", "x" * 3 * longest, *map(str, range(19))])
        assert asked.previous == ("x" * longest, *map(str, range(19)))
        assert len(app.question("soup", site="soups", previous=list(map(str, range(999)))).previous) == 20

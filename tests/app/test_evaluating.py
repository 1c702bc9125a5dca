"""Evaluations of a small configuration with twins, and one of the demo in earnest."""

import json
from pathlib import Path

import anyio
import pytest

from pegboard.app import open_app, settings_from
from pegboard.errors import ModelUnreachable, UnknownSite, UsageError
from pegboard.llm.model import Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.route.evaluation import Case
from tests.app.conftest import Opened

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]


async def test_an_example_is_asked_of_a_model_whose_prompt_does_not_hold_it(opened: Opened) -> None:
    def says(prompt: Prompt) -> str:
        return "80" if "Tool: calculator\n" in prompt.system else "10"

    model = ScriptedModel(says)
    async with opened(model=model) as app:
        cases = app.examples(site="soups")
        (evaluation,) = await app.evaluate(cases, strategies=["score"])
    assert {case.expect for case in cases} == {"search", "calculator", "compare", "broken"}
    assert [each.case for each in evaluation.judged if each.is_right] == [
        case for case in cases if case.expect == "calculator"
    ]
    assert evaluation.total.calls == 4
    for prompt in model.prompts:
        asked = prompt.user.split("\n")[1]
        right = next(case.expect for case in cases if case.question == asked)
        assert f"- {asked}\n" not in prompt.system or f"Tool: {right}\n" not in prompt.system


async def test_the_embedded_scorer_is_trained_without_the_example_that_it_is_asked(opened: Opened) -> None:
    text = "smash it all to pieces"
    async with opened() as app:
        known, left_out = [
            (await app.evaluate([Case(text, "soups", "broken", is_example)]))[0].judged[0]
            for is_example in (False, True)
        ]
    assert known.is_right
    assert not left_out.is_right


async def test_strategies_are_asked_side_by_side_and_progress_is_told(opened: Opened) -> None:
    told: list[tuple[int, int]] = []
    async with opened(model=ScriptedModel("75")) as app:
        cases = app.examples(site="soups", most=3)
        evaluations = await app.evaluate(cases, strategies=["embedded", "score"], progress=lambda *at: told.append(at))
    assert [(each.strategy, each.total.calls) for each in evaluations] == [("embedded", 0), ("score", 4)]
    assert [[judged.case for judged in each.judged] for each in evaluations] == [cases, cases]
    assert told == [(1, 3), (2, 3), (3, 3)]


async def test_a_model_that_is_away_is_told_and_not_passed_over(opened: Opened) -> None:
    async with opened(model=ScriptedModel(ModelUnreachable("It is away."))) as app:
        (evaluation,) = await app.evaluate(app.examples(site="soups", most=2))
    assert [(trouble.endswith("It is away."), count) for trouble, count in evaluation.troubles.items()] == [(True, 2)]


async def test_a_request_that_takes_too_long_is_no_decision(opened: Opened) -> None:
    async def never(prompt: Prompt) -> str:
        await anyio.sleep_forever()
        return ""

    async with opened(model=ScriptedModel(never), assigned={"request_timeout": "10ms"}) as app:
        (evaluation,) = await app.evaluate([Case("soup", "soups", None)])
    assert evaluation.confusion() == {"soups": {"(none)": {"(no decision)": 1}}}


async def test_a_site_that_is_named_takes_its_own_rows_and_those_of_none(opened: Opened) -> None:
    rows = [{"query": "soup", "expect": "search"}, {"query": "2 + 2", "site": "sums", "expect": "calculator"}]
    data = "\n".join(map(json.dumps, rows)).encode()
    async with opened() as app:
        assert app.questions(data, site="soups").cases == (Case("soup", "soups", "search"),)
        assert app.questions(data).faults == ((1, _NO_SITE),)
        with pytest.raises(UnknownSite):
            app.questions(data, site="soup")
        with pytest.raises(UnknownSite):
            app.examples(site="soup")


_NO_SITE = "The request names no site, and there are several. Name one of: soups, sums, strict."


async def test_an_unknown_strategy_is_refused(opened: Opened) -> None:
    async with opened() as app:
        with pytest.raises(UsageError, match="no strategy 'scor'"):
            await app.evaluate([Case("soup", "soups", None)], strategies=["scor"])
        with pytest.raises(UsageError, match="no strategy 'scor'"):
            await app.route(app.question("soup", site="soups"), strategy="scor")


async def test_most_examples_of_the_demo_find_their_tool_when_they_are_left_out(tmp_path: Path) -> None:
    async with open_app(settings_from(config=ROOT, data=tmp_path, environ={})) as app:
        (evaluation,) = await app.evaluate(app.examples(most=24), strategies=["embedded"])
    assert evaluation.total.asked == 24
    assert evaluation.total.calls == 0
    assert evaluation.total.accuracy >= 0.6, evaluation.misses

from dataclasses import replace

import pytest

from pegboard.catalog.tool import Cascade
from pegboard.route.score import Score
from pegboard.route.strategies.cascade import ByCascade, doubtful
from tests.route.strategies.conftest import LOCAL_NAME, NAMES, TOOLS, Heard, asked, knowing

RULES = Cascade(sure=90, margin=15, floor=20, most=3)


@pytest.mark.parametrize(
    ("local", "chosen"),
    [
        ((95.0, 10.0, 10.0, 10.0), []),
        ((95.0, 80.0, 10.0, 10.0), []),
        ((95.0, 80.1, 10.0, 10.0), [0, 1]),
        ((90.0, 75.0, 0.0, 0.0), []),
        ((89.9, 0.0, 0.0, 0.0), [0]),
        ((19.9, 19.0, 3.0, 0.0), []),
        ((20.0, 19.9, 3.0, 0.0), [0]),
        ((30.0, 40.0, 50.0, 60.0), [1, 2, 3]),
        ((50.0, 50.0, 50.0, 50.0), [0, 1, 2]),
        ((95.0,), []),
        ((60.0,), [0]),
    ],
)
def test_a_model_is_asked_about_those_that_the_doubt_is_about(local: tuple[float, ...], chosen: list[int]) -> None:
    scores = [Score(value) for value in local]
    assert doubtful(TOOLS[: len(local)], scores, RULES) == chosen


def test_a_pinned_tool_is_asked_about_whenever_one_is() -> None:
    tools = (*TOOLS[:3], replace(TOOLS[3], pinned=True))
    assert doubtful(tools, [Score(60.0), Score(50.0), Score(0.0), Score(0.0)], RULES) == [0, 1, 3]
    assert doubtful(tools, [Score(95.0), Score(50.0), Score(0.0), Score(0.0)], RULES) == []


async def test_where_it_is_sure_no_model_is_asked() -> None:
    heard, model = Heard(), knowing(dict.fromkeys(NAMES, 100))
    scored = await ByCascade().score(asked(model, heard, local=(95, 20, 0, 0)))
    assert ([score.value for score in scored.scores], scored.by) == ([95, 20, 0, 0], LOCAL_NAME)
    assert (model.prompts, heard.asking) == ([], 0)


async def test_where_nothing_comes_near_the_fallback_takes_the_question_without_a_call() -> None:
    model = knowing(dict.fromkeys(NAMES, 100))
    scored = await ByCascade().score(asked(model, Heard(), local=(19, 5, 0, 0)))
    assert (scored.by, model.prompts) == (LOCAL_NAME, [])


async def test_the_others_are_told_as_not_shortlisted_and_by_whom() -> None:
    model = knowing({"search": 40, "compare": 88, "clock": 40})
    scored = await ByCascade().score(asked(model, Heard(), local=(60, 55, 50, 40)))
    assert [score.state for score in scored.scores] == ["scored", "scored", "scored", "not_shortlisted"]
    assert scored.scores[3].reason == f"not among the 3 that {LOCAL_NAME} ranks best"
    assert (scored.shortlisted_by, len(model.prompts)) == (LOCAL_NAME, 3)

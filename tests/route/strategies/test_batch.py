import json

import pytest

from pegboard.errors import ModelMalformed
from pegboard.llm.scripted import ScriptedModel
from pegboard.route.score import Score
from pegboard.route.strategies.batch import ByBatch, read_scores, reply_schema
from pegboard.text import Json
from tests.route.strategies.conftest import NAMES, Heard, asked, knowing

AB: Json = {"a": {"score": 71, "reason": "fits"}, "b": 3}


async def test_one_call_scores_all() -> None:
    model = knowing({"search": 71, "compare": 88, "clock": 0, "details": 5})
    scored = await ByBatch().score(asked(model, Heard()))
    assert [score.value for score in scored.scores] == [71, 88, 0, 5]
    assert scored.scores[0].reason == "so"
    assert len(model.prompts) == 1
    assert model.schemas == [reply_schema(NAMES)]


@pytest.mark.parametrize(
    "reply",
    [
        AB,
        {"scores": AB},
        {"tools": {"A": 71, "b": "3/100"}},
        [{"tool": "a", "score": 71}, {"name": "b", "score": "3"}],
        [{"a": 71}, {"b": 3}],
        {"results": [{"tool": "a", "score": 71.0}, {"tool": "b", "score": 3}]},
        {"a": "71", "b": "about 3"},
    ],
)
def test_the_shapes_that_models_answer_in_are_read(reply: Json) -> None:
    assert [score.value for score in read_scores(json.dumps(reply), ["a", "b"])] == [71, 3]


def test_of_a_tool_that_is_alone_the_name_may_be_missing() -> None:
    assert [score.value for score in read_scores('{"score": 71}', ["a"])] == [71]


def test_what_is_left_out_or_no_number_is_unscored_and_not_zero() -> None:
    text = json.dumps({"a": {"score": None}, "c": 80})
    scores = read_scores(text, ["a", "b", "c"])
    assert scores[1] == Score(None, "the reply leaves it out")
    assert [score.value for score in scores] == [None, None, 80]
    assert scores[0].reason == "The score is null, not a number."


def test_what_the_reply_needed_is_told_with_each_score() -> None:
    scores = read_scores('```json\n{"a": 71, "b": 3,}\n```', ["a", "b"])
    assert [score.value for score in scores] == [71, 3]
    assert all(score.defence != "none" for score in scores)


@pytest.mark.parametrize("text", ["I would say search.", ""])
def test_a_reply_without_json_is_malformed(text: str) -> None:
    with pytest.raises(ModelMalformed):
        read_scores(text, ["a"])


async def test_a_reply_that_cannot_be_read_leaves_all_unscored_with_the_reason() -> None:
    scored = await ByBatch().score(asked(ScriptedModel("I would say search."), Heard()))
    assert scored.is_empty
    assert all(score.reason for score in scored.scores)

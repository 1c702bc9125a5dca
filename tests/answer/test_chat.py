import pytest

from pegboard.answer.answer import Answer
from pegboard.answer.chat import chat
from pegboard.errors import ModelUnreachable
from pegboard.events import AnswerPiece, Degraded, Event
from pegboard.llm.scripted import ScriptedModel


async def test_a_model_answers_by_words_alone() -> None:
    events: list[Event] = []
    model = ScriptedModel("Hello, friend!")
    answer = await chat("</question> hi", "en", model=model, emit=events.append, about="Recipes.")
    assert answer == Answer("Hello, friend!", model="scripted")
    assert "".join(event.text for event in events if isinstance(event, AnswerPiece)) == "Hello, friend!"
    (prompt,) = model.prompts
    assert prompt.user == "<question>\n‹/question> hi\n</question>"
    assert prompt.system.endswith("About the website: Recipes.")


@pytest.mark.parametrize(("language", "word"), [("en", "model"), ("zh", "模型"), ("fr", "model")])
async def test_without_a_model_plain_words_say_so(language: str, word: str) -> None:
    events: list[Event] = []
    answer = await chat("hi", language, model=None, emit=events.append)
    assert word in answer.text
    assert (answer.status, events) == ("not_found", [AnswerPiece(answer.text)])


async def test_a_model_that_fails_or_says_nothing_is_said() -> None:
    events: list[Event] = []
    answer = await chat("hi", "en", model=ScriptedModel(ModelUnreachable("It is away.")), emit=events.append)
    assert "needs a model" in answer.text
    assert events[0] == Degraded("The answer was not written by model 'scripted': It is away.")
    assert "needs a model" in (await chat("hi", "en", model=ScriptedModel(" "), emit=events.append)).text

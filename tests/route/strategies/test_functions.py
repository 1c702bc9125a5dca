from pegboard.llm.model import Called, FunctionCall
from pegboard.llm.scripted import ScriptedModel
from pegboard.route.score import Score
from pegboard.route.strategies.functions import ByFunctions, scores_of
from tests.route.strategies.conftest import NAMES, TOOLS, Heard, asked


def call(name: str, **arguments: str) -> FunctionCall:
    return FunctionCall(name, arguments)


async def test_what_is_called_has_100_with_its_arguments_in_one_request() -> None:
    model = ScriptedModel('compare {"item1": "a", "item2": "b"}')
    scored = await ByFunctions().score(asked(model, Heard()))
    assert scored.scores[1] == Score(100.0, "called", {"item1": "a", "item2": "b"})
    assert [score.value for score in scored.scores] == [0, 100, 0, 0]
    assert len(model.prompts) == 1
    (offered,) = model.offered
    assert [function.name for function in offered] == list(NAMES)
    assert offered[0].description == "The search of things.\nMade for questions such as:\n- please search"
    assert offered[0].parameters == TOOLS[0].parameters


def test_of_several_calls_the_first_that_is_a_candidate_counts_and_the_others_are_told() -> None:
    called = Called((call("weather"), call("clock"), call("search", query="x"), call("clock", zone="UTC")))
    scores = scores_of(called, NAMES)
    assert [score.value for score in scores] == [None, 0, 100, 0]
    assert scores[2] == Score(100.0, "called; called besides: weather, which is no candidate", {})
    assert scores[0] == Score(None, "called as well, after clock")


def test_no_call_is_none_and_so_the_fallback() -> None:
    scores = scores_of(Called((), "Nothing fits."), ["a", "b"])
    assert scores == [Score(0.0, "not called; the model says: Nothing fits.")] * 2


def test_calls_of_none_of_the_candidates_are_no_call() -> None:
    scores = scores_of(Called((call("weather"),)), ["a"])
    assert scores == [Score(0.0, "called besides: weather, which is no candidate")]

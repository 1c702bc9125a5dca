"""`functions`: the candidates are offered as functions, and the one that the model calls is taken."""

from collections.abc import Sequence

import anyio

from pegboard.catalog.tool import Tool
from pegboard.errors import ModelError
from pegboard.llm.model import Called, Function, FunctionCall
from pegboard.route.prompt import function_description, functions_prompt
from pegboard.route.score import Score
from pegboard.route.scoring import MAX_TOKENS, resolved
from pegboard.route.strategies.score import CALL_SHARE
from pegboard.route.strategies.strategy import Asked, Scored
from pegboard.text import clipped, named


class ByFunctions:
    """Offers the candidates as functions: a call is 100 with its arguments, and what is not called is 0.

    Of several calls the first counts that is a candidate's; the others are told and have no score. So no call at all
    leaves the question to the fallback.
    """

    async def score(self, asked: Asked) -> Scored:
        """Return the scores that the model's calls stand for."""
        asked.asking()
        seconds = asked.toolset.routing.timeout_seconds
        scores: Sequence[Score] = [Score(None, f"no reply within {seconds:g} s", absence="cut_off")] * len(asked.tools)
        with anyio.move_on_after(seconds):
            scores = await _ask(asked, CALL_SHARE * seconds)
        for index, score in enumerate(scores):
            asked.arrived(index, score)
        return Scored(tuple(scores), asked.model.name)


async def _ask(asked: Asked, seconds: float) -> Sequence[Score]:
    try:
        model = await resolved(asked.model, timeout_seconds=seconds)
        called = await model.call(
            functions_prompt(asked.question),
            [_offered(tool) for tool in asked.tools],
            max_tokens=MAX_TOKENS,
            timeout_seconds=seconds,
        )
    except ModelError as error:
        return [Score(None, str(error))] * len(asked.tools)
    return scores_of(called, [tool.name for tool in asked.tools])


def _offered(tool: Tool) -> Function:
    return Function(tool.name, function_description(tool), tool.shown)


def scores_of(called: Called, names: Sequence[str]) -> list[Score]:
    """Return what the calls are worth to each of `names`, in their order."""
    taken = next((call for call in called.calls if call.name in names), None)
    strangers = list(dict.fromkeys(call.name for call in called.calls if call.name not in names))
    beside = f"called besides: {named(strangers)}, which is no candidate" if strangers else ""
    if taken is None:
        said = beside or (f"not called; the model says: {clipped(called.text, 80)}" if called.text else "not called")
        return [Score(0.0, said)] * len(names)
    others = {call.name for call in called.calls}
    return [_score(name, taken, others, beside) for name in names]


def _score(name: str, taken: FunctionCall, called: set[str], beside: str) -> Score:
    if name == taken.name:
        return Score(100.0, f"called; {beside}" if beside else "called", dict(taken.arguments))
    if name in called:
        return Score(None, f"called as well, after {taken.name}")
    return Score(0.0, "not called")

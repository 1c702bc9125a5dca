"""One candidate is scored by a model: prompt, call, reading. A failure is a candidate without a score."""

from pegboard.catalog.contract import Question
from pegboard.catalog.tool import Tool, Toolset
from pegboard.errors import ModelError, ModelMalformed
from pegboard.llm.model import Model, names_late
from pegboard.llm.score import read_score
from pegboard.route.prompt import number_prompt, yes_no_prompt
from pegboard.route.score import Score

MAX_TOKENS = 512
"""For a score, a reason and the tool's arguments."""


async def score_by_model(
    model: Model, tool: Tool, question: Question, toolset: Toolset, *, timeout_seconds: float
) -> Score:
    """Return the model's score of one tool; without a value, and with the reason, when there is none."""
    try:
        await resolved(model, timeout_seconds=timeout_seconds)
        if model.scoring == "yes_no":
            return await _by_word(model, tool, question, toolset, timeout_seconds)
        return await _by_number(model, tool, question, toolset, timeout_seconds)
    except ModelError as error:
        return Score(None, str(error), raw=error.raw if isinstance(error, ModelMalformed) else "")


async def resolved(model: Model, *, timeout_seconds: float) -> Model:
    """Return `model` when it knows its name, and so how it is to be asked; raises a `ModelError`."""
    if names_late(model):
        await model.resolve(timeout_seconds=timeout_seconds)
    return model


async def _by_word(model: Model, tool: Tool, question: Question, toolset: Toolset, timeout_seconds: float) -> Score:
    prompt = yes_no_prompt(tool, question, toolset)
    probability = await model.probability_of_yes(prompt, timeout_seconds=timeout_seconds)
    return Score(100 * probability, f"says yes with {probability:.0%}")


async def _by_number(model: Model, tool: Tool, question: Question, toolset: Toolset, timeout_seconds: float) -> Score:
    completion = await model.complete(
        number_prompt(tool, question, toolset),
        schema=tool.reply,
        max_tokens=MAX_TOKENS,
        timeout_seconds=timeout_seconds,
    )
    try:
        reply = read_score(completion.text)
    except ModelMalformed as error:
        ending = " The reply was cut off by its length." if completion.cut_off else ""
        raise ModelMalformed(error.message + ending, raw=error.raw) from error
    reason = " ".join(part for part in (reply.reason, f"({reply.note})" if reply.note else "") if part)
    return Score(reply.score, reason, reply.arguments, defence=reply.defence, raw=reply.raw)

"""`by_model`: a plan that a model writes; what is wrong with it goes back to the model once.

A plan that is still wrong then is not run, with one exception: where nothing but its order is broken, no step refers
to what another gives, and all its tools only read, its steps are done in any order, and that is said.
"""

from collections.abc import Mapping
from dataclasses import replace

import anyio

from pegboard.catalog.allowed import allowed
from pegboard.catalog.tool import Toolset
from pegboard.errors import ModelError, ModelMalformed
from pegboard.llm.model import Model, Prompt, Prompted, Said
from pegboard.llm.usage import answered_by
from pegboard.llm.wrapper import Flow, pieces_of
from pegboard.plan.faults import Code, explained, faults
from pegboard.plan.graph import Plan
from pegboard.plan.references import INPUTS, names_in
from pegboard.planner.early import Beginner
from pegboard.planner.planned import Goal, Means, Planned
from pegboard.planner.prompt import MOST_TOOLS, plan_prompt
from pegboard.planner.reading.draft import MOST_CHARACTERS, NothingPlanned
from pegboard.planner.reading.read import Read, read
from pegboard.planner.schema import reply_schema
from pegboard.route.gating import steps
from pegboard.text import Json, clipped

MOST_TOKENS = 2_048
"""Of a plan."""
_LONGEST_ECHO = 8_000
"""Characters of a first try that the model sees again."""
_MOST_FAULTS = 20
_LONGEST_FAULTS = 4_000
_LONGEST_REASON = 300
_OF_ORDER: frozenset[Code] = frozenset({"cycle", "dangling", "self"})
_AGAIN = "This plan cannot be used:\n{}\n\nWrite the whole plan again without these faults. Reply with the JSON only."


class NoPlan(Exception):
    """The model has given no plan that can be used; the message says why, as a sentence."""


async def by_model(goal: Goal, means: Means, model: Model) -> Planned:
    """Let `model` plan `goal`.

    Raises:
        NoPlan: nothing that it wrote can be used.
    """
    toolset = steps(goal.toolset)
    shown = await means.router.nearest(goal.question, toolset, MOST_TOOLS)
    prompt, schema = plan_prompt(goal.question, shown), reply_schema(shown)
    ends = anyio.current_time() + means.plan_timeout_seconds
    try:
        text = await _streamed(model, prompt, schema, toolset, means)
        first = _read(text, toolset)
        if isinstance(first, Read) and not first.faults:
            return _planned(first, model)
        second = _read(await _again(model, prompt, schema, text, first, max(ends - anyio.current_time(), 0.0)), toolset)
    except NothingPlanned as error:
        raise NoPlan(f"Model {model.name!r} finds no step to plan.") from error
    except ModelError as error:
        raise NoPlan(f"Model {model.name!r} gave no plan: {error}") from error
    if isinstance(second, Read) and not second.faults:
        return _planned(second, model)
    for tried in (second, first):
        if isinstance(tried, Read) and (plan := unordered(tried, toolset)) is not None:
            dropped = f"The order of its steps was dropped, for it cannot be kept: {_reason(tried)}"
            return replace(_planned(replace(tried, plan=plan), model), degraded=dropped)
    raise NoPlan(f"The plan of model {model.name!r} cannot be used: {_reason(second)}")


def unordered(found: Read, toolset: Toolset) -> Plan | None:
    """Return the plan without its order, where that is all that is wrong with it; None where it is not."""
    if not found.faults or any(fault.code not in _OF_ORDER for fault in found.faults):
        return None
    harmless = {tool.name for tool in toolset.tools if tool.read_only and not tool.runs_others}
    free = all(
        node.tool in harmless and not node.when and not node.fallback and not names_in(node.arguments) - {INPUTS}
        for node in found.plan.nodes
    )
    if not free:
        return None
    plan = Plan(tuple(replace(node, depends_on=()) for node in found.plan.nodes), found.plan.races)
    return None if faults(plan, allowed(toolset, {})) else plan


async def _streamed(model: Model, prompt: Prompt, schema: Mapping[str, Json], toolset: Toolset, means: Means) -> str:
    """Return what the model writes; steps begin as they come, where they may."""
    if means.begin is None:
        return await _whole(model, prompt, schema, means.plan_timeout_seconds)
    beginner, text = Beginner(toolset, means.begin), ""
    async with pieces_of(model, Flow(prompt, MOST_TOKENS, schema), means.plan_timeout_seconds) as pieces:
        async for piece in pieces:
            text += piece
            if len(text) > MOST_CHARACTERS:
                break
            beginner.feed(piece)
    return text


def _read(text: str, toolset: Toolset) -> Read | ModelMalformed:
    try:
        return read(text, toolset)
    except ModelMalformed as error:
        return error


async def _again(
    model: Model, prompt: Prompt, schema: Mapping[str, Json], text: str, first: Read | ModelMalformed, seconds: float
) -> str:
    """Tell the model what is wrong, and return what it writes then."""
    found = str(first) if isinstance(first, ModelMalformed) else explained(first.faults[:_MOST_FAULTS])
    echo = clipped(text, _LONGEST_ECHO) or "(nothing)"
    told = Prompted(_AGAIN.format(found[:_LONGEST_FAULTS]))
    return await _whole(model, replace(prompt, turns=(Said(echo), told)), schema, seconds)


async def _whole(model: Model, prompt: Prompt, schema: Mapping[str, Json], seconds: float) -> str:
    reply = await model.complete(prompt, schema=schema, max_tokens=MOST_TOKENS, timeout_seconds=seconds)
    return reply.text


def _planned(found: Read, model: Model) -> Planned:
    return Planned(found.plan, answered_by(model.name), mended=tuple(map(str, found.mended)))


def _reason(found: Read | ModelMalformed) -> str:
    told = str(found) if isinstance(found, ModelMalformed) else " ".join(map(str, found.faults))
    return clipped(told, _LONGEST_REASON)

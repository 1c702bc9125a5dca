"""`bind`: a question and perhaps proposed arguments -> arguments that fit the tool's schema.

In order: what was proposed, after deterministic repair; one model call that is told what was wrong; rules.
Each step is taken only where the one before did not do. What is still missing is asked back.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pegboard.bind.answered import filled
from pegboard.bind.ask import ask
from pegboard.bind.check import missing
from pegboard.bind.missing import question_back
from pegboard.bind.occur import occurring
from pegboard.bind.repair import repair
from pegboard.bind.rules import extract
from pegboard.catalog.schema.faults import Fault, excess, faults
from pegboard.catalog.tool import Schema, Tool
from pegboard.errors import ModelError
from pegboard.llm.model import Model
from pegboard.text import Json

Names: TypeAlias = Sequence[str] | Callable[[str], Awaitable[Sequence[str]]]
"""Names of things that the site has: all of them, or a look-up of those that a text may mean."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Arguments that have passed their tool's schema."""

    arguments: dict[str, Json]
    source: Literal["none", "proposed", "model", "rules"]
    """Who found them; `none` where the tool takes nothing."""
    degraded: str = ""
    """Why rules stood in for a model; empty where they did not."""


async def bind(  # noqa: PLR0913 (each is known to the caller only)
    tool: Tool,
    question: str,
    *,
    language: str,
    proposed: Mapping[str, Json] | None = None,
    model: Model | None = None,
    names: Names = (),
    answers: Sequence[str] = (),
    timeout_seconds: float = 10.0,
) -> Bound:
    """Find the arguments of `tool` for `question`.

    `proposed` comes with the scoring reply; `answers` is what the visitor said when asked back, oldest first;
    `timeout_seconds` is how long the model may take.

    Raises:
        InvalidArguments: Something required is not there, and `missing` names it; the message asks for it in
            `language`. Or the arguments do not fit as a whole, and the message says why.
    """
    schema = tool.parameters
    if not schema.get("properties") and not faults({}, schema):
        return Bound({}, "none")
    tried = _read(proposed or {}, schema, question)
    wrong = faults(dict(tried), schema)
    if proposed is not None and tried and not wrong:
        return Bound(tried, "proposed")
    degraded = ""
    if model is not None:
        try:
            tried = await _asked(model, tool, question, tried, wrong, timeout_seconds)
            if not (wrong := faults(dict(tried), schema)):
                return Bound(tried, "model")
            degraded = f"Model {model.name!r} gave arguments that do not fit; they were found by rules."
        except ModelError as error:
            degraded = f"Arguments were found by rules: {error}"
    known = await names(question) if callable(names) else names
    found = _by_rules(tool, question, language, known, tried)
    for answer in answers:
        if wrong := faults(dict(found), schema):
            more = await names(answer) if callable(names) else names
            found = filled(found, schema, missing(wrong), answer, language=language, names=more)
            found = occurring(found, schema, " ".join([question, *answers]))
    if wrong := faults(dict(found), schema):
        raise question_back(tool, missing(wrong), [fault.message for fault in wrong], language)
    return Bound(found, "rules", degraded)


async def found_by_rules(tool: Tool, question: str, *, language: str, names: Names = ()) -> dict[str, Json]:
    """Return the arguments that rules find in `question`, as far as they fit; there may be others that `tool` needs."""
    known = await names(question) if callable(names) else names
    return _by_rules(tool, question, language, known, {})


async def _asked(
    model: Model,
    tool: Tool,
    question: str,
    tried: Mapping[str, Json],
    wrong: Sequence[Fault],
    timeout_seconds: float,
) -> dict[str, Json]:
    found = await ask(model, tool, question, tried=tried, wrong=wrong, timeout_seconds=timeout_seconds)
    return _read(found, tool.parameters, question)


def _read(found: Mapping[str, Json], schema: Schema, question: str) -> dict[str, Json]:
    """Return what was found, mended, without the values that should stand in the question and do not.

    Nothing is left of what is too large or too deep to be looked at.
    """
    return {} if excess(found) is not None else occurring(repair(found, schema), schema, question)


def _by_rules(
    tool: Tool, question: str, language: str, names: Sequence[str], tried: Mapping[str, Json]
) -> dict[str, Json]:
    """Return what rules find besides what fits of the first tries; what does not fit is not among it."""
    schema = tool.parameters
    found = _read(extract(question, schema, language=language, names=names), schema, question)
    return _fitting({**found, **_fitting(tried, schema)}, schema)


def _fitting(arguments: Mapping[str, Json], schema: Schema) -> dict[str, Json]:
    """Return those arguments that fit."""
    at_fault = {fault.path[0] for fault in faults(dict(arguments), schema) if fault.path}
    return {name: value for name, value in arguments.items() if name not in at_fault}

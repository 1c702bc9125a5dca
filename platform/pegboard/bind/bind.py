"""`bind`: a question and perhaps proposed arguments -> arguments that fit the tool's schema.

In order: what was proposed, after deterministic repair; one model call that is told what was wrong; rules.
Each step is taken only where the one before did not do. What is still missing is asked back.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pegboard.bind.ask import ask
from pegboard.bind.check import missing
from pegboard.bind.missing import question_back
from pegboard.bind.repair import repair
from pegboard.bind.rules import extract
from pegboard.catalog.schema.faults import Fault, faults
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
    timeout_seconds: float = 10.0,
) -> Bound:
    """Find the arguments of `tool` for `question`.

    `proposed` comes with the scoring reply; `timeout_seconds` is how long the model may take.

    Raises:
        InvalidArguments: Something required is not there, and `missing` names it; the message asks for it in
            `language`. Or a value is there that does not fit, and the message says which.
    """
    schema = tool.parameters
    if not schema.get("properties") and not faults({}, schema):
        return Bound({}, "none")
    tried = repair(proposed or {}, schema)
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
    return await _by_rules(tool, question, language, names, tried, degraded)


async def _asked(
    model: Model,
    tool: Tool,
    question: str,
    tried: Mapping[str, Json],
    wrong: Sequence[Fault],
    timeout_seconds: float,
) -> dict[str, Json]:
    messages = [fault.message for fault in wrong]
    found = await ask(model, tool, question, tried=tried, wrong=messages, timeout_seconds=timeout_seconds)
    return repair(found, tool.parameters)


async def _by_rules(
    tool: Tool, question: str, language: str, names: Names, tried: Mapping[str, Json], degraded: str
) -> Bound:
    known = await names(question) if callable(names) else names
    schema = tool.parameters
    required = schema.get("required")
    found = repair(extract(question, schema, language=language, names=known), schema)
    together = {**found, **_fitting(tried, schema)}
    arguments = _fitting(together, schema, kept=required if isinstance(required, list) else ())
    if wrong := faults(dict(arguments), schema):
        raise question_back(tool, missing(wrong), [fault.message for fault in wrong], language)
    return Bound(arguments, "rules", degraded)


def _fitting(arguments: Mapping[str, Json], schema: Schema, *, kept: Collection[Json] = ()) -> dict[str, Json]:
    """Return those arguments that fit, and those in `kept`, of which it is said what is wrong."""
    at_fault = {fault.path[0] for fault in faults(dict(arguments), schema) if fault.path}
    return {name: value for name, value in arguments.items() if name not in at_fault or name in kept}

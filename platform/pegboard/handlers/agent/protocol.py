"""How an agent's model is asked: by native function calling, or in words and JSON where its endpoint has none.

Which of the two a model takes is found out once and remembered for as long as the model is open.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakSet

from pegboard.errors import ModelDenied, ModelMalformed, ModelRefused
from pegboard.llm.fence import fenced
from pegboard.llm.model import Answered, Called, Function, FunctionCall, Model, Prompt, Prompted, Said, Turn
from pegboard.llm.reply import read_json
from pegboard.llm.tokens import estimated, estimated_prompt
from pegboard.llm.usage import measured
from pegboard.text import Json, to_json

_REFUSING: WeakSet[Any] = WeakSet()
"""Models whose endpoint takes no functions."""
_HOW = """\
Reply with one JSON object and nothing else. To use tools, one or several at once:
{"calls": [{"tool": "NAME", "arguments": {}}]}
To end, with what the goal asks for:
{"answer": "…"}
The tools, each with the JSON Schema of its arguments:
"""


@dataclass(frozen=True, slots=True)
class Turned:
    """What a model has said in one turn."""

    text: str
    calls: tuple[FunctionCall, ...]
    tokens: int
    fault: str = ""
    """Why its reply could not be read; then it says nothing."""

    def to_json(self) -> dict[str, Json]:
        """Return it as a run records it."""
        calls: list[Json] = [
            {"id": call.id, "name": call.name, "arguments": dict(call.arguments)} for call in self.calls
        ]
        return {"text": self.text, "calls": calls, "tokens": self.tokens, "fault": self.fault}


def turned_from(held: Any) -> Turned:
    """Return what was recorded as `held`."""
    calls = tuple(FunctionCall(each["name"], each["arguments"], each["id"]) for each in held["calls"])
    return Turned(held["text"], calls, held["tokens"], held["fault"])


def offered_tokens(functions: Sequence[Function]) -> int:
    """Return about how many tokens an offer of `functions` is."""
    return estimated(_HOW) + sum(
        estimated(each.name) + estimated(each.description) + estimated(to_json(dict(each.parameters)))
        for each in functions
    )


async def ask(
    model: Model, prompt: Prompt, functions: Sequence[Function], *, max_tokens: int, timeout_seconds: float
) -> Turned:
    """Let the model have a turn.

    Raises:
        ModelError: there is no reply; one that cannot be read is a `fault`.
    """
    with measured() as usage:
        try:
            called = await _asked(model, prompt, functions, max_tokens, timeout_seconds)
            fault = ""
        except ModelMalformed as error:
            called, fault = Called(()), str(error)
        used = usage.tokens_in + usage.tokens_out
    said = estimated(called.text) + sum(estimated(to_json(dict(call.arguments))) for call in called.calls)
    tokens = used or estimated_prompt(prompt) + offered_tokens(functions) + said
    return Turned(called.text.strip(), called.calls, tokens, fault)


async def _asked(
    model: Model, prompt: Prompt, functions: Sequence[Function], max_tokens: int, timeout_seconds: float
) -> Called:
    if not functions:
        completion = await model.complete(_in_words(prompt, ()), max_tokens=max_tokens, timeout_seconds=timeout_seconds)
        return Called((), completion.text)
    if model in _REFUSING:
        return await _by_json(model, prompt, functions, max_tokens, timeout_seconds)
    try:
        called = await model.call(prompt, functions, max_tokens=max_tokens, timeout_seconds=timeout_seconds)
    except ModelDenied:
        raise
    except ModelRefused:
        answered = await _by_json(model, prompt, functions, max_tokens, timeout_seconds)
        _REFUSING.add(model)  # it takes the same question without functions
        return answered
    return called if called.calls else _read(called.text, strict=True) or called


async def _by_json(
    model: Model, prompt: Prompt, functions: Sequence[Function], max_tokens: int, timeout_seconds: float
) -> Called:
    told = _in_words(prompt, functions)
    completion = await model.complete(told, max_tokens=max_tokens, timeout_seconds=timeout_seconds)
    return _read(completion.text, strict=False) or Called((), completion.text)


def _in_words(prompt: Prompt, functions: Sequence[Function]) -> Prompt:
    """Return `prompt` with tools, calls and results in words."""
    offer = [to_json({"tool": each.name, "for": each.description, "arguments": each.parameters}) for each in functions]
    system = "\n".join([f"{prompt.system}\n\n{_HOW.rstrip()}", *offer]) if offer else prompt.system
    turns: list[Turn] = []
    for turn in prompt.turns:
        said = _worded(turn)
        before = turns[-1] if turns else None
        if isinstance(said, Prompted) and isinstance(before, Prompted):
            turns[-1] = Prompted(f"{before.text}\n\n{said.text}")
        else:
            turns.append(said)
    return replace(prompt, system=system, turns=tuple(turns))


def _worded(turn: Turn) -> Said | Prompted:
    match turn:
        case Said(_, calls) if calls:
            made: list[Json] = [{"tool": call.name, "arguments": dict(call.arguments)} for call in calls]
            return Said(to_json({"calls": made}))
        case Answered(_, name, text):
            return Prompted(fenced(text, "result", tool=name))
        case _:
            return turn


def _read(text: str, *, strict: bool) -> Called | None:
    """Read calls, or an answer, out of a reply that is JSON; None: it is words.

    `strict`: nobody has asked for JSON, so only what cannot be meant otherwise is a call.
    """
    if "{" not in text or (strict and not text.lstrip().startswith(("{", "```"))):
        return None
    try:
        value = read_json(text).value
    except ModelMalformed:
        return None
    if not isinstance(value, Mapping):
        return None
    listed = value.get("calls", value.get("tool_calls"))
    if isinstance(listed, list):
        calls = tuple(call for each in listed if (call := _call(each)) is not None)
        if calls:
            return Called(calls)
    if strict:
        return None
    if (single := _call(value)) is not None:
        return Called((single,))
    answer = value.get("answer")
    return Called((), answer if isinstance(answer, str) else "" if answer is None else to_json(answer))


def _call(value: Json) -> FunctionCall | None:
    if not isinstance(value, Mapping):
        return None
    inner = value.get("function")
    said: Mapping[str, Json] = inner if isinstance(inner, Mapping) else value
    name = said.get("tool", said.get("name"))
    arguments = said.get("arguments", said.get("params", {}))
    if isinstance(arguments, str):
        try:
            arguments = read_json(arguments).value
        except ModelMalformed:
            return None
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return None
    return FunctionCall(name, arguments)

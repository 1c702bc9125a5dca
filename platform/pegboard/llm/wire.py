"""What comes over the wire from an OpenAI-like endpoint, read without trust: bytes in, plain nouns out.

Not here: the connection (`llm/endpoint.py`), nor what stands inside of the model's text (`llm/reply.py`).
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from pegboard.errors import ModelCutOff, ModelFiltered, ModelMalformed
from pegboard.llm.model import Answered, Called, Completion, FunctionCall, Prompt, Prompted, Said, Turn
from pegboard.llm.reply import read_json
from pegboard.text import Json, clipped, to_json

_YES = frozenset({"yes", "是"})
_NO = frozenset({"no", "否", "不"})
_WORD = re.compile(r"[a-z]+|[是否不]")
_BLANK = "\u2581\u0120\u010a \t\r\n\"'*`._"
"""What stands around a token's word: spaces, and the marks that tokenizers write for them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The one answer of a response."""

    text: str
    finish: str
    """Why it ended: `stop`, `length`, `content_filter`; empty when not told."""
    fields: Mapping[str, Json]
    """The choice as it came."""


def read_object(body: bytes, *, where: str) -> Mapping[str, Json]:
    """Read a JSON object.

    Raises:
        ModelMalformed: it is none, as the HTML page of a proxy.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        start = clipped(body[:200].decode("utf-8", "replace"), 80)
        raise ModelMalformed(
            f"{where} answered with something that is not JSON: {start!r}.",
            hint="Does the base URL end as the endpoint wants it, often in /v1?",
        ) from error
    if not isinstance(value, dict):
        raise ModelMalformed(f"{where} answered with {type(value).__name__} where a JSON object was wanted.")
    return value


def read_choice(body: Mapping[str, Json], *, where: str, key: str = "message") -> Choice:
    """Read the first choice of a response; `key` is `message`, or `delta` in a stream.

    Raises:
        ModelMalformed: there is none.
        ModelFiltered: a filter or the model itself refused.
    """
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict):
        raise ModelMalformed(f"{where} answered without a choice{_told(body)}.")
    message = first.get(key)
    fields: Mapping[str, Json] = message if isinstance(message, dict) else {}
    finish = first.get("finish_reason")
    if finish == "content_filter":
        raise ModelFiltered(f"{where} withheld the reply: its content filter stepped in.")
    refusal = fields.get("refusal")
    if isinstance(refusal, str) and refusal:
        raise ModelFiltered(f"The model at {where} refused: {clipped(refusal, 160)}")
    return Choice(_text(fields.get("content")), finish if isinstance(finish, str) else "", first)


def read_chunk(body: Mapping[str, Json], *, where: str) -> Choice:
    """Read one piece of a stream; a piece without a choice (the tokens used, a sign of life) has no text.

    Raises:
        ModelMalformed: it is an error.
        ModelFiltered: a filter or the model itself refused.
    """
    if body.get("choices") or body.get("error"):
        return read_choice(body, where=where, key="delta")
    return Choice("", "", {})


def read_completion(body: Mapping[str, Json], *, where: str) -> Completion:
    """Read a whole reply.

    Raises:
        ModelMalformed: it is empty.
        ModelCutOff: it was cut off by its length before it said anything.
        ModelFiltered: a filter or the model itself refused.
    """
    choice = read_choice(body, where=where)
    tokens_in, tokens_out = read_usage(body)
    if not choice.text.strip():
        raise _nothing_said(choice, where)
    return Completion(choice.text, tokens_in, tokens_out, cut_off=choice.finish == "length")


def messages(prompt: Prompt) -> list[Json]:
    """Return `prompt` as the messages of a chat."""
    system: list[Json] = [{"role": "system", "content": prompt.system}] if prompt.system else []
    return [*system, {"role": "user", "content": prompt.user}, *map(_message, prompt.turns)]


def _message(turn: Turn) -> Json:
    match turn:
        case Said(text, ()):
            return {"role": "assistant", "content": text}
        case Said(text, calls):
            return {"role": "assistant", "content": text or None, "tool_calls": [*map(_said_call, calls)]}
        case Answered(id_, _, text):
            return {"role": "tool", "tool_call_id": id_, "content": text}
        case Prompted(text):
            return {"role": "user", "content": text}


def _said_call(call: FunctionCall) -> Json:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": to_json(dict(call.arguments))},
    }


def read_called(body: Mapping[str, Json], *, where: str) -> Called:
    """Read which functions a reply calls.

    Raises:
        ModelMalformed: it neither calls nor says anything, or arguments are no object.
        ModelFiltered: a filter or the model itself refused.
    """
    choice = read_choice(body, where=where)
    message = choice.fields.get("message")
    listed = message.get("tool_calls") if isinstance(message, dict) else None
    calls = tuple(_call(each, where) for each in listed if isinstance(each, dict)) if isinstance(listed, list) else ()
    if not calls and not choice.text.strip():
        raise _nothing_said(choice, where)
    return Called(calls, choice.text)


def _nothing_said(choice: Choice, where: str) -> ModelMalformed:
    if choice.finish == "length":
        hint = "A model that thinks aloud needs more tokens."
        return ModelCutOff(f"The reply of {where} was cut off before it began.", hint=hint)
    return ModelMalformed(f"The reply of {where} is empty.")


def _call(fields: Mapping[str, Json], where: str) -> FunctionCall:
    function, id_ = fields.get("function"), fields.get("id")
    name = function.get("name") if isinstance(function, dict) else None
    if not isinstance(function, dict) or not isinstance(name, str):
        raise ModelMalformed(f"{where} calls a function without a name.")
    written = function.get("arguments")
    text = written if isinstance(written, str) else to_json(written or {})
    value = read_json(text, {"type": "object"}).value if text.strip() else {}
    if not isinstance(value, dict):
        raise ModelMalformed(f"The arguments that {where} gives {name[:80]!r} are no JSON object.", raw=text)
    return FunctionCall(name, value, id_ if isinstance(id_, str) else "")


def read_usage(body: Mapping[str, Json]) -> tuple[int, int]:
    """Return the tokens read and written, 0 where they are not told."""
    usage = body.get("usage")
    fields: Mapping[str, Json] = usage if isinstance(usage, dict) else {}
    read, written = (fields.get(key) for key in ("prompt_tokens", "completion_tokens"))
    return (read if isinstance(read, int) else 0), (written if isinstance(written, int) else 0)


def read_probability(body: Mapping[str, Json], *, where: str) -> float:
    """Return p(Yes) / (p(Yes) + p(No)) of the reply's first word; of a word without probabilities, 1 or 0.

    Raises:
        ModelMalformed: neither of them is there.
        ModelFiltered: a filter or the model itself refused.
    """
    choice = read_choice(body, where=where)
    for alternatives in _alternatives(choice.fields):
        yes = sum(math.exp(logprob) for word, logprob in alternatives if word in _YES)
        no = sum(math.exp(logprob) for word, logprob in alternatives if word in _NO)
        if yes + no > 0:
            return yes / (yes + no)
    word = next((word for word in _WORD.findall(choice.text.lower()) if word in _YES | _NO), None)
    if word is None:
        raise ModelMalformed(f"{where} was asked for yes or no and answered {clipped(choice.text, 60)!r}.")
    return 1.0 if word in _YES else 0.0


def read_models(body: Mapping[str, Json]) -> list[str]:
    """Return the names that an endpoint lists, in its order."""
    rows = body.get("data")
    names = [row.get("id") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [name for name in names if isinstance(name, str) and name]


def read_complaint(body: bytes) -> str:
    """Return what the body of an error says, short; empty when it says nothing."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return clipped(body[:400].decode("utf-8", "replace"), 200)
    for key in ("error", "message", "detail"):
        if isinstance(value, dict) and value.get(key):
            value = value[key]
    return clipped(value if isinstance(value, str) else to_json(value), 300)


def _told(body: Mapping[str, Json]) -> str:
    """Quote the error that some endpoints send with status 200."""
    error = body.get("error")
    return f": {clipped(to_json(error), 160)}" if error else ""


def _text(content: Json) -> str:
    """Join the text of a message; some endpoints send it in parts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _alternatives(choice: Mapping[str, Json]) -> list[list[tuple[str, float]]]:
    """Return (word, log-probability) of the alternatives of each token."""
    logprobs = choice.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(content, list):
        return []
    tops = [position.get("top_logprobs") for position in content if isinstance(position, dict)]
    lists = [top for top in tops if isinstance(top, list)]
    return [[_alternative(one) for one in top if isinstance(one, dict)] for top in lists]


def _alternative(fields: dict[str, Json]) -> tuple[str, float]:
    token, logprob = fields.get("token"), fields.get("logprob")
    word = token.strip(_BLANK).lower() if isinstance(token, str) else ""
    is_number = isinstance(logprob, int | float) and not isinstance(logprob, bool)
    return word, min(cast(float, logprob), 0.0) if is_number else -math.inf

"""What an agent came to, as a result: its answer, or what it had gathered, and why there is no more. Pure."""

from collections.abc import Sequence

from pegboard.catalog.contract import Result
from pegboard.errors import CallFailed
from pegboard.handlers.agent.loop import Reached
from pegboard.text import Json

_UNFINISHED = {"en": "This is not finished: {reason}", "zh": "以下内容尚未完成：{reason}"}
_SO_FAR = {"en": "What was found until then:", "zh": "目前已找到："}


def result_of(name: str, reached: Reached, language: str) -> Result:
    """Return the result of the agent `name`; without an answer, the partial one, whose `data` says why.

    Raises:
        CallFailed: it has neither said nor found anything; with the reason.
    """
    ending, found = reached.ending, reached.found
    if ending.bound == "answered":
        return found.cited(reached.text)
    texts = [text for _, text in found.texts if text]
    if not texts and not reached.text:
        raise CallFailed(f"Agent {name!r} came to nothing. {ending.reason}", hint=_hint(ending.bound))
    result = found.cited(_told(ending.reason, [*filter(None, [reached.text]), *texts], language))
    data: dict[str, Json] = {
        "text": result.text,
        "ended": ending.bound,
        "reason": ending.reason,
        "iterations": reached.turns,
        "tokens": reached.tokens,
        "calls": found.made,
    }
    return Result(
        result.text,
        items=result.items,
        evidence=result.evidence,
        data=data,
        status="ok" if texts else "not_found",
        files=result.files,
    )


def _told(reason: str, texts: Sequence[str], language: str) -> str:
    spoken = language if language in _UNFINISHED else "en"
    said = _UNFINISHED[spoken].format(reason=reason)
    return "\n\n".join([said, _SO_FAR[spoken], *texts])


def _hint(bound: str) -> str:
    return {
        "iterations": "Raise `max_iterations`, or give it tools that take fewer steps.",
        "tokens": "Raise `max_tokens`.",
        "time": "Raise `timeout`, or the time of its call or its run.",
        "context": "Raise `max_context_tokens`, or give it less material.",
    }.get(bound, "")

"""`Seen`: what a model sees of a result, and where the rest is."""

from dataclasses import dataclass

import anyio.to_thread

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.schema.faults import faults
from pegboard.catalog.tool import Tool
from pegboard.config.sizes import shown_size
from pegboard.errors import CallFailed
from pegboard.llm.tokens import estimated
from pegboard.run.limits.call import limit_reached
from pegboard.run.results.compact import compact, head, reference
from pegboard.text import Json, to_json

TOKENS = 2_000
"""What a model sees of one result, estimated."""
_NOTE_TOKENS = 150
"""Kept for saying what was left out."""
_MOST_BYTES = 4
"""Of one token."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a model sees of a result."""

    text: str
    """UTF-8, compact; what was left out is said at its end."""
    data: Json = None
    """The result for machines as far as it is seen; it fits the tool's output schema, or is a reference and nothing
    else: `{"result_ref": …, "bytes": …}`."""
    ref: str = ""
    """Where the whole is kept; empty: this is the whole, or there was no room."""
    bytes: int = 0
    """How many the whole has; 0: this is the whole."""

    @property
    def is_whole(self) -> bool:
        """Nothing was left out."""
        return not self.bytes


def whole(result: Result, tokens: int = TOKENS) -> Seen | None:
    """Return what a model sees of a result that is small enough; None where something has to be left out."""
    text = _text(result)
    if len(text) > tokens and estimated(text) > tokens:
        return None
    return Seen(text, result.data)


async def cut(tool: Tool, result: Result, context: Context, tokens: int = TOKENS) -> Seen:
    """Keep a result that is too large for a model, and return what it sees of it.

    Raises:
        LimitReached: it is larger than the tool's `max_result`.
    """
    is_text = result.data is None or isinstance(result.data, str)
    content = await anyio.to_thread.run_sync(lambda: _text(result).encode())
    if len(content) > tool.limits.max_result_bytes:
        why = f"its result has {len(content):,} bytes, and {shown_size(tool.limits.max_result_bytes)} are allowed"
        raise limit_reached(tool, "call.max_result", why, is_retryable=False, was_called=True)
    media_type = "text/plain" if is_text else "application/json"
    try:
        ref = (await context.keep(content, name=tool.name, media_type=media_type)).ref
        where = f"the whole is {ref}"
    except CallFailed as error:
        ref, where = "", f"the whole is not kept: {error}"
    return await anyio.to_thread.run_sync(_shortened, tool, result, content, ref, where, tokens)


def _text(result: Result) -> str:
    """Return the result in the one form that a model is shown: data as JSON, else the words."""
    text = result.text if result.data is None or result.data == result.text else to_json(result.data)
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text


def _shortened(tool: Tool, result: Result, content: bytes, ref: str, where: str, tokens: int) -> Seen:
    room = max(tokens - _NOTE_TOKENS, 1)
    is_text = result.data is None or isinstance(result.data, str)
    shorter = None if is_text else compact(result.data, room)
    if shorter is None:
        shown = head(content[: room * _MOST_BYTES].decode("utf-8", "ignore"), room)
        begun = len(shown.encode())
        said = f"{begun:,} of {len(content):,} bytes are here; {where}{_how(ref, begun)}"
        return Seen(f"{shown}\n[cut: {said}]", _referred(ref, len(content)), ref, len(content))
    said = f"{shorter.left_out}; {len(content):,} bytes in all; {where}{_how(ref, 0)}"
    fits = tool.output is None or not faults(shorter.value, tool.output)
    data = shorter.value if fits else _referred(ref, len(content))
    return Seen(f"{shorter.text}\n[cut: {said}]", data, ref, len(content))


def _how(ref: str, offset: int) -> str:
    return f", read on with result_part(ref, offset={offset})" if ref else ""


def _referred(ref: str, size: int) -> Json:
    return dict(reference(ref, size))

"""`compose`: a result -> the answer, written by a model from the evidence, or extractive without one.

Every word leaves as an `AnswerPiece` when it is certain; the pieces put together are the answer's text.
"""

from collections.abc import Sequence
from dataclasses import replace

from pegboard.answer.answer import Answer
from pegboard.answer.citations import CitationFilter, cited, says_something
from pegboard.answer.pieces import pieces
from pegboard.answer.prompt import prompt
from pegboard.catalog.contract import Result
from pegboard.errors import ModelError
from pegboard.events import AnswerPiece, Degraded, Emit, Noticed
from pegboard.llm.model import Model
from pegboard.llm.usage import answered_by
from pegboard.llm.wrapper import Flow, pieces_of

MAX_TEXT_BYTES = 64 << 10
"""What a handler says beyond that is left out: every protocol repeats the text, and nobody reads so much."""
_MAX_TOKENS = 700


async def compose(  # noqa: PLR0913 (each is known to the caller only)
    question: str,
    language: str,
    result: Result,
    *,
    model: Model | None,
    emit: Emit,
    previous: Sequence[str] = (),
    timeout_seconds: float = 60.0,
) -> Answer:
    """Put `result` into words.

    A model writes only where there is evidence and the handler left it a task. If it fails, before the first
    word or midway, that is said, and the extractive text follows. `timeout_seconds` is how long the model may
    take in all.
    """
    if model is None or not result.task or not result.evidence:
        return _extractive(result, emit)
    writer = _Writer(result, emit)
    try:
        flow = Flow(prompt(question, language, result, previous), _MAX_TOKENS)
        async with pieces_of(model, flow, timeout_seconds) as pieces_written:
            async for piece in pieces_written:
                writer.write(piece)
        writer.finish()
    except ModelError as error:
        return _instead(result, emit, writer, language, f"The answer was not written by model {model.name!r}: {error}")
    if not writer.text.strip():
        return _instead(result, emit, writer, language, f"Model {model.name!r} gave an empty answer.")
    return _answer(result, writer.text, answered_by(model.name))


class _Writer:
    """Emits what a model writes, without citations of what does not exist, and keeps it."""

    def __init__(self, result: Result, emit: Emit) -> None:
        self.text = ""
        self._before = ""
        """What came before the first word."""
        self._emit = emit
        self._filter = CitationFilter(result.evidence)

    def write(self, piece: str) -> None:
        self._say(self._filter.feed(piece))

    def finish(self) -> None:
        self._say(self._filter.finish())

    def _say(self, text: str) -> None:
        if not self.text:
            self._before += text
            text = self._before.lstrip() if says_something(self._before) else ""
        if text:
            self.text += text
            self._emit(AnswerPiece(text))


def _extractive(result: Result, emit: Emit) -> Answer:
    text, notices = _extracted(result, emit)
    return replace(_answer(result, text, "none"), notices=notices)


def _extracted(result: Result, emit: Emit) -> tuple[str, tuple[str, ...]]:
    """Say the text of `result` as far as it is sent; return it, and what the client should know."""
    text = _beginning(result.text)
    for piece in pieces(text):
        emit(AnswerPiece(piece))
    if text is result.text:
        return text, ()
    notice = f"The answer was cut at {MAX_TEXT_BYTES >> 10} KiB: the tool gave {len(result.text):,} characters."
    emit(Noticed(notice))
    return text, (notice,)


def _beginning(text: str) -> str:
    """Return `text` itself where it is short enough, else its beginning."""
    beginning = text[: MAX_TEXT_BYTES + 1].encode("utf-8", "replace")
    if len(beginning) <= MAX_TEXT_BYTES:
        return text
    return beginning[: MAX_TEXT_BYTES - 3].decode("utf-8", "ignore") + "…"


def _instead(result: Result, emit: Emit, writer: _Writer, language: str, reason: str) -> Answer:
    """Say why the model's answer is missing or broken off, and give the extractive text."""
    emit(Degraded(reason))
    begun = writer.text
    if begun:
        broken_off = _BROKEN_OFF["zh" if language == "zh" else "en"]
        emit(AnswerPiece(broken_off))
        begun += broken_off
    text, notices = _extracted(result, emit)
    return replace(_answer(result, begun + text, "none", degraded=reason), notices=notices)


_BROKEN_OFF = {
    "en": " …\n\n(The model broke off here. This is what the sources say:)\n",
    "zh": "……\n\n（模型的回答在此中断。以下是原文内容：）\n",
}


def _answer(result: Result, text: str, model: str, *, degraded: str = "") -> Answer:
    return Answer(
        text=text,
        results=result.items,
        files=result.files,
        citations=cited(text, result.evidence),
        model=model,
        status=result.status,
        degraded=degraded,
    )

"""An answer as a chat completion, whole or in chunks.

After the answer's own words comes what it rests on, a line each with its number, and what the asker should know. The
JSON of `platform ask --json` goes along as `pegboard`, which other clients pass over.
"""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from pegboard.catalog.contract import Question
from pegboard.edges.failure import unexpected
from pegboard.edges.served import Served
from pegboard.edges.sources import notes, sources
from pegboard.edges.web.chat.errors import chat_error
from pegboard.errors import PegboardError
from pegboard.events import AnswerPiece, Event
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Completion:
    """What all parts of one completion have in common."""

    model: str
    id: str = field(default_factory=lambda: f"chatcmpl-{uuid.uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))

    def whole(self, answer: Mapping[str, Json]) -> dict[str, Json]:
        """Return the completion of an answer."""
        content = f"{answer.get('answer') or ''}{''.join(closing(answer))}"
        message: Json = {"role": "assistant", "content": content, "refusal": None}
        choice: Json = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return self._said("chat.completion", [choice], usage=usage_of(answer), pegboard=dict(answer))

    def chunk(self, delta: Mapping[str, Json], finish_reason: str | None = None, **more: Json) -> dict[str, Json]:
        """Return the next piece."""
        choice: Json = {"index": 0, "delta": dict(delta), "logprobs": None, "finish_reason": finish_reason}
        return self._said("chat.completion.chunk", [choice], **more)

    def used(self, answer: Mapping[str, Json]) -> dict[str, Json]:
        """Return the last piece, which says what was used."""
        return self._said("chat.completion.chunk", [], usage=usage_of(answer))

    def _said(self, kind: str, choices: list[Json], **more: Json) -> dict[str, Json]:
        return {
            "id": self.id, "object": kind, "created": self.created, "model": self.model, "choices": choices, **more,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class ChatExchange:
    """A question on its way to a completion in chunks; fulfils `response.Telling`."""

    served: Served
    question: Question
    tells_usage: bool = False

    async def run(self, send: Callable[[dict[str, Json]], None]) -> PegboardError | None:
        """Ask, and `send` each chunk as it comes; an error is sent as one, and returned."""
        completion = Completion(self.question.site)
        pieces: list[str] = []

        def emit(event: Event) -> None:
            if isinstance(event, AnswerPiece):
                pieces.append(event.text)
                send(completion.chunk({"content": event.text}))

        send(completion.chunk({"role": "assistant", "content": ""}))
        try:
            answer = (await self.served.ask(self.question, emit=emit)).to_json()
        except PegboardError as error:
            send(chat_error(error))
            return error
        except Exception as error:  # noqa: BLE001 (the edge: nothing gets past it but cancellation)
            told = unexpected(error)
            send(chat_error(told))
            return told
        for text in ([] if pieces else [str(answer.get("answer") or "")]) + [*closing(answer)]:
            send(completion.chunk({"content": text}))
        send(completion.chunk({}, "stop", pegboard=dict(answer)))
        if self.tells_usage:
            send(completion.used(answer))
        return None


def usage_of(answer: Mapping[str, Json]) -> dict[str, Json]:
    """Return the tokens that all models took together for an answer; none where no model was asked."""
    told = answer.get("usage")
    usage: Mapping[str, Json] = told if isinstance(told, Mapping) else {}
    read, written = (count if isinstance(count := usage.get(key), int) else 0 for key in ("tokens_in", "tokens_out"))
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def closing(answer: Mapping[str, Json]) -> Iterator[str]:
    """Yield what comes after an answer's words: what it rests on, and what is to be known."""
    for text in filter(None, (sources(answer), *notes(answer))):
        yield f"\n\n{text}"

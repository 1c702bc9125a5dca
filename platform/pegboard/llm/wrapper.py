"""`Wrapper`: a model around a model. Each of its kinds adds one idea in one file.

Whatever a model can be asked reaches a wrapper as one noun, `Request` or `Flow`, so it says what it does once: in
`ask` for what is answered whole, in `flow` for what is streamed. In which order they stand is said in
`llm/connection.py`.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Generic, Literal, TypeVar

from pegboard.llm.model import Called, Completion, Function, Model, Prompt, names_late
from pegboard.text import Json, to_json

Reply = TypeVar("Reply")


@dataclass(frozen=True)
class Request(Generic[Reply]):
    """Something that a model is asked and answers whole."""

    kind: Literal["complete", "call", "probability"]
    prompt: Prompt
    send: Callable[[Model, float], Awaitable[Reply]] = field(repr=False)
    """Ask this by the method of the seam that it came by."""
    max_tokens: int = 0
    form: Json = None
    """What shapes the reply: a schema, or the functions on offer."""

    @cached_property
    def key(self) -> bytes:
        """What is the same of two requests that ask the same."""
        prompt = self.prompt
        turns: list[Json] = [[type(turn).__name__, asdict(turn)] for turn in prompt.turns]
        told: list[Json] = [
            self.kind,
            prompt.system,
            prompt.user,
            turns,
            prompt.temperature,
            self.max_tokens,
            self.form,
        ]
        return sha256(to_json(told).encode("utf-8", "surrogatepass")).digest()

    async def to(self, model: Model, seconds: float) -> Reply:
        """Ask this of `model`, within so many seconds; a wrapper gets the request as it is."""
        return await (model.ask(self, seconds) if isinstance(model, Wrapper) else self.send(model, seconds))


@dataclass(frozen=True, slots=True)
class Flow:
    """Something that a model is asked and answers piece by piece."""

    prompt: Prompt
    max_tokens: int
    schema: Mapping[str, Json] | None = None

    def of(self, model: Model, timeout_seconds: float) -> AsyncIterator[str]:
        """Ask this of a model; what comes is closed by `pieces_of`."""
        return model.stream(
            self.prompt, schema=self.schema, max_tokens=self.max_tokens, timeout_seconds=timeout_seconds
        )


class Wrapper:
    """A model that passes everything on to another."""

    def __init__(self, inner: Model) -> None:
        self.inner = inner

    # What a kind of wrapper says

    async def ask(self, request: Request[Reply], timeout_seconds: float) -> Reply:
        """Answer `request`; within that, wrappers do what they are there for."""
        return await request.to(self.inner, timeout_seconds)

    async def flow(self, flow: Flow, timeout_seconds: float) -> AsyncGenerator[str]:
        """Answer `flow`, piece by piece."""
        async with pieces_of(self.inner, flow, timeout_seconds) as pieces:
            async for piece in pieces:
                yield piece

    # The seam

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def scoring(self) -> str:
        return self.inner.scoring

    async def resolve(self, *, timeout_seconds: float = 10.0) -> str:
        """Return the model's name, asking its endpoint where it is not known yet."""
        return await resolved(self.inner, timeout_seconds)

    async def complete(
        self,
        prompt: Prompt,
        *,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 512,
        timeout_seconds: float = 30.0,
    ) -> Completion:
        """Answer `prompt`; see `Model`."""

        async def send(model: Model, seconds: float) -> Completion:
            return await model.complete(prompt, schema=schema, max_tokens=max_tokens, timeout_seconds=seconds)

        form = None if schema is None else dict(schema)
        return await self.ask(Request("complete", prompt, send, max_tokens, form), timeout_seconds)

    async def call(
        self,
        prompt: Prompt,
        functions: Sequence[Function],
        *,
        max_tokens: int = 512,
        timeout_seconds: float = 30.0,
    ) -> Called:
        """Answer `prompt` by calls of `functions`, or by none; see `Model`."""

        async def send(model: Model, seconds: float) -> Called:
            return await model.call(prompt, functions, max_tokens=max_tokens, timeout_seconds=seconds)

        form: list[Json] = [[each.name, each.description, dict(each.parameters)] for each in functions]
        return await self.ask(Request("call", prompt, send, max_tokens, form), timeout_seconds)

    async def probability_of_yes(self, prompt: Prompt, *, timeout_seconds: float = 30.0) -> float:
        """Return p(Yes) of the first token that answers `prompt`; see `Model`."""

        async def send(model: Model, seconds: float) -> float:
            return await model.probability_of_yes(prompt, timeout_seconds=seconds)

        return await self.ask(Request("probability", prompt, send), timeout_seconds)

    def stream(
        self,
        prompt: Prompt,
        *,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 1024,
        timeout_seconds: float = 60.0,
    ) -> AsyncIterator[str]:
        """Yield the answer to `prompt` in pieces; see `Model`."""
        return self.flow(Flow(prompt, max_tokens, schema), timeout_seconds)


def pieces_of(model: Model, flow: Flow, timeout_seconds: float) -> "aclosing[AsyncGenerator[str]]":
    """Return the pieces of a streamed answer, to be left by `async with`: the request ends there."""
    return aclosing(_closable(flow.of(model, timeout_seconds)))


def _closable(pieces: AsyncIterator[str]) -> AsyncGenerator[str]:
    return pieces if isinstance(pieces, AsyncGenerator) else _generated(pieces)


async def _generated(pieces: AsyncIterator[str]) -> AsyncGenerator[str]:
    async for piece in pieces:
        yield piece


async def resolved(model: Model, timeout_seconds: float) -> str:
    """Return the name of `model`, which may have to ask its endpoint for it."""
    return await model.resolve(timeout_seconds=timeout_seconds) if names_late(model) else model.name

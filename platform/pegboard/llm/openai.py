"""`OpenAIModel`: a model behind an endpoint with OpenAI's chat API.

Not here: the connection with its limits and errors (`llm/endpoint.py`), nor what bodies mean (`llm/wire.py`).
"""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from types import TracebackType
from typing import Literal

import anyio

from pegboard.errors import ModelDenied, ModelMalformed, ModelRefused, ModelUnreachable
from pegboard.llm import wire
from pegboard.llm.dialect import Dialect, Format, dialect_for
from pegboard.llm.endpoint import STALL_SECONDS, Endpoint
from pegboard.llm.model import Called, Completion, Function, Prompt
from pegboard.llm.restore import restored
from pegboard.llm.streamed import StreamCleaner
from pegboard.llm.tokens import estimated, estimated_prompt
from pegboard.llm.usage import count_tokens, note_answer
from pegboard.text import Json, named, to_json

SMALL_BILLIONS = 9.0
"""Models of so many billion parameters or fewer are not asked for a number: they say 85 to almost all."""
_BILLIONS = re.compile(r"(?<![\w.])(?:(\d+)x)?(\d+(?:\.\d+)?)b(?![a-z0-9])", re.IGNORECASE)

CHARACTERS_PER_TOKEN = 16
"""No language has more on the average; a streamed answer that is longer than its tokens allow is cut there."""

Parameters = Callable[[Dialect], dict[str, Json]]

_NAME_IT = "Name one in OPENAI_MODEL, or as `model` of the profile"


class OpenAIModel:
    """A model that any OpenAI-like endpoint serves; an async context manager that closes its connections."""

    def __init__(
        self,
        *,
        name: str = "",
        base_url: str = "",
        api_key: str = "",
        scoring: str = "auto",
        reply: Literal["auto"] | Format = "auto",
        stall_seconds: float = STALL_SECONDS,
    ) -> None:
        self._name = name
        self._scoring = scoring
        self._dialect = replace(dialect_for(reply), schemas="subset" if "gemini" in name.lower() else "strict")
        self._naming = anyio.Lock()
        self._endpoint = Endpoint(base_url=base_url, api_key=api_key, stall_seconds=stall_seconds)

    async def __aenter__(self) -> "OpenAIModel":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections; whoever asks again opens new ones."""
        await self._endpoint.aclose()

    @property
    def name(self) -> str:
        """The model's name; the endpoint's place while an unnamed model is not resolved."""
        return self._name or f"the model at {self._endpoint.where}"

    @property
    def scoring(self) -> str:
        """As set; on `auto`, `yes_no` where the name says that the model is small, else `number`."""
        if self._scoring != "auto":
            return self._scoring
        return "yes_no" if is_small(self._name) else "number"

    @property
    def is_repeatable(self) -> bool:
        """It is asked for the likeliest reply, so that the same question gets the same again."""
        return self._dialect.temperature

    async def resolve(self, *, timeout_seconds: float = 10.0) -> str:
        """Return the model's name; without one, take the only one that the endpoint lists.

        Raises:
            ModelDenied: it lists several, or none.
            ModelError: it does not answer.
        """
        if self._name:
            return self._name
        async with self._naming:
            if not self._name:
                listed = await self._endpoint.models(timeout_seconds=timeout_seconds)
                self._name = _the_only(wire.read_models(listed), self._endpoint.where)
        return self._name

    async def complete(
        self,
        prompt: Prompt,
        *,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 512,
        timeout_seconds: float = 30.0,
    ) -> Completion:
        """Answer `prompt`; a schema is asked for in words, and by the endpoint's own means if it has some."""
        asked = prompt if schema is None else asking_for_json(prompt, schema)

        def parameters(dialect: Dialect) -> dict[str, Json]:
            return {
                **_messages(asked),
                **dialect.sampling(max_tokens, asked.temperature),
                **dialect.reply_format(schema),
            }

        body = await self._ask(asked, parameters, timeout_seconds)
        return wire.read_completion(body, where=self._endpoint.where)

    async def call(
        self,
        prompt: Prompt,
        functions: Sequence[Function],
        *,
        max_tokens: int = 512,
        timeout_seconds: float = 30.0,
    ) -> Called:
        """Answer `prompt` by calls of `functions`, or by none."""

        def parameters(dialect: Dialect) -> dict[str, Json]:
            offered: list[Json] = [dialect.offer(function) for function in functions]
            sampling = dialect.sampling(max_tokens, prompt.temperature)
            return {**_messages(prompt), **sampling, "tools": offered, "tool_choice": "auto"}

        body = await self._ask(prompt, parameters, timeout_seconds)
        return _restored(wire.read_called(body, where=self._endpoint.where), functions)

    async def probability_of_yes(self, prompt: Prompt, *, timeout_seconds: float = 30.0) -> float:
        """Return the probability of yes; of an endpoint without log-probabilities the word itself, 1 or 0."""

        def parameters(dialect: Dialect) -> dict[str, Json]:
            return {**_messages(prompt), **dialect.sampling(3), **dialect.logprobs()}

        body = await self._ask(prompt, parameters, timeout_seconds)
        return wire.read_probability(body, where=self._endpoint.where)

    async def stream(
        self,
        prompt: Prompt,
        *,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 1024,
        timeout_seconds: float = 60.0,
    ) -> AsyncIterator[str]:
        """Yield the answer in pieces, without what the model thinks aloud; with `schema`, asked for in its form.

        Raises:
            ModelError: also in the middle, when the answer breaks off or nothing comes any more.
        """
        asked = prompt if schema is None else asking_for_json(prompt, schema)
        name = await self.resolve(timeout_seconds=timeout_seconds)
        has_begun = False
        while not has_begun:
            dialect = self._dialect
            sampling = dialect.sampling(max_tokens, asked.temperature)
            body = {"model": name, **_messages(asked), **dialect.streamed(), **sampling}
            body |= dialect.reply_format(schema)
            try:
                async with (
                    aclosing(self._pieces(asked, body, max_tokens, timeout_seconds)) as pieces,
                    aclosing(_cleaned(pieces)) as cleaned,
                ):
                    async for words in cleaned:
                        has_begun = True
                        note_answer(name)
                        yield words
            except ModelRefused as refusal:
                if has_begun or not self._learns(refusal, dialect, body):
                    raise
            else:
                if not has_begun:
                    raise ModelMalformed(f"The reply of {self._endpoint.where} is empty.")

    async def _pieces(
        self, prompt: Prompt, body: Mapping[str, Json], max_tokens: int, timeout_seconds: float
    ) -> AsyncGenerator[str]:
        """Yield the pieces as they come; after more than `max_tokens` can hold, the rest is not read."""
        where = self._endpoint.where
        tally = _Tally(prompt)
        is_whole = False
        left = max_tokens * CHARACTERS_PER_TOKEN
        try:
            async with aclosing(self._endpoint.chat_events(body, timeout_seconds=timeout_seconds)) as events:
                async for data in events:
                    if data == "[DONE]":
                        return
                    read = wire.read_object(data.encode(), where=where)
                    choice = wire.read_chunk(read, where=where)
                    tally.hear(read, choice.text)
                    if choice.text:
                        yield choice.text[:left]
                    left -= len(choice.text)
                    if left <= 0:
                        return
                    is_whole = is_whole or bool(choice.finish)
        finally:
            tally.count()
        if not is_whole:
            raise ModelUnreachable(f"The answer of {where} broke off.")

    async def _ask(self, prompt: Prompt, parameters: Parameters, timeout_seconds: float) -> Mapping[str, Json]:
        """Send a request in the dialect that the endpoint is known to take, and learn from a refusal."""
        ends_at = anyio.current_time() + timeout_seconds
        name = await self.resolve(timeout_seconds=timeout_seconds)
        while True:
            dialect = self._dialect
            body: dict[str, Json] = {"model": name, **parameters(dialect)}
            try:
                left = max(0.0, ends_at - anyio.current_time())
                answer = await self._endpoint.chat(body, timeout_seconds=left)
            except ModelRefused as refusal:
                if not self._learns(refusal, dialect, body):
                    raise
            else:
                read, written = wire.read_usage(answer)
                count_tokens(read or estimated_prompt(prompt), written)
                note_answer(name)
                return answer

    def _learns(self, refusal: ModelRefused, dialect: Dialect, sent: Mapping[str, Json]) -> bool:
        """Tell whether it is worth asking again, in another dialect."""
        if self._dialect != dialect:
            return True
        other = dialect.after(refusal.message, sent)
        if other is None:
            return False
        self._dialect = other
        return True


class _Tally:
    """The tokens of a streamed answer: what the endpoint tells at its end, else an estimate of what has come."""

    def __init__(self, prompt: Prompt) -> None:
        self._prompt = prompt
        self._told = (0, 0)
        self._written = 0

    def hear(self, chunk: Mapping[str, Json], text: str) -> None:
        told = wire.read_usage(chunk)
        self._told = told if any(told) else self._told
        self._written += estimated(text)

    def count(self) -> None:
        if any(self._told):
            count_tokens(*self._told)
        elif self._written:
            count_tokens(estimated_prompt(self._prompt), self._written)


async def _cleaned(pieces: AsyncIterator[str]) -> AsyncGenerator[str]:
    cleaner = StreamCleaner()
    async for piece in pieces:
        if words := cleaner.feed(piece):
            yield words
    if words := cleaner.finish():
        yield words


def is_small(name: str) -> bool:
    """Tell whether a name says 9 billion parameters or fewer, as `llama-3.2-3b` and `qwen2.5:7B` do."""
    sizes = [float(times or 1) * float(billions) for times, billions in _BILLIONS.findall(name)]
    return bool(sizes) and max(sizes) <= SMALL_BILLIONS


def asking_for_json(prompt: Prompt, schema: Mapping[str, Json]) -> Prompt:
    """Return `prompt` with the wish for JSON in its fixed part, so that the question stays last."""
    wish = f"Reply with one JSON object and nothing else. It fits this JSON Schema:\n{to_json(dict(schema))}"
    return replace(prompt, system=f"{prompt.system}\n\n{wish}".strip())


def _restored(called: Called, functions: Sequence[Function]) -> Called:
    """Return the calls with their arguments as the functions' own schemas mean them."""
    parameters = {function.name: function.parameters for function in functions}
    calls = []
    for call in called.calls:
        arguments = restored(dict(call.arguments), parameters.get(call.name, {}))
        calls.append(replace(call, arguments=arguments) if isinstance(arguments, dict) else call)
    return replace(called, calls=tuple(calls))


def _messages(prompt: Prompt) -> dict[str, Json]:
    return {"messages": wire.messages(prompt)}


def _the_only(names: list[str], where: str) -> str:
    if len(names) == 1:
        return names[0]
    if not names:
        raise ModelDenied(f"{where} lists no model.", hint=f"{_NAME_IT}.")
    raise ModelDenied(f"{where} lists {len(names)} models.", hint=f"{_NAME_IT}: {named(names)}.")

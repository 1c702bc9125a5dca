"""`ScriptedModel`: the twin of a model, for tests and for trying without one.

It answers by what it is given: a text, an error to raise, or a function of the prompt (a coroutine function
may wait for an event first). It records every prompt and how many requests are open.
"""

import inspect
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from pegboard.errors import ModelError
from pegboard.llm.model import Called, Completion, Function, FunctionCall, Prompt
from pegboard.llm.reply import read_json
from pegboard.llm.score import read_score
from pegboard.llm.usage import count_call, note_answer
from pegboard.text import Json

Saying: TypeAlias = str | ModelError
Rule: TypeAlias = Saying | Callable[[Prompt], Saying] | Callable[[Prompt], Awaitable[Saying]]
"""What a scripted model says: the same always, or by the prompt."""


_CALL = re.compile(r"([\w-]{1,64})\s*(\{.*\})")


def _arguments(text: str) -> dict[str, Json]:
    value = read_json(text).value
    return value if isinstance(value, dict) else {}


class ScriptedModel:
    """A model that says what it is told."""

    def __init__(self, rule: Rule, *, name: str = "scripted", scoring: str = "number") -> None:
        self.name = name
        self.scoring = scoring
        self.prompts: list[Prompt] = []
        """Every prompt that was asked, in order."""
        self.schemas: list[Mapping[str, Json] | None] = []
        """The schema beside each prompt."""
        self.offered: list[tuple[Function, ...]] = []
        """The functions of each prompt that offered some."""
        self.open_requests = 0
        """How many requests have begun and not ended."""
        self.cancelled_requests = 0
        self._rule = rule

    async def complete(
        self,
        prompt: Prompt,
        *,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 512,
        timeout_seconds: float = 30.0,
    ) -> Completion:
        """Say what the rule says."""
        return Completion(await self._say(prompt, schema))

    async def call(
        self,
        prompt: Prompt,
        functions: Sequence[Function],
        *,
        max_tokens: int = 512,
        timeout_seconds: float = 30.0,
    ) -> Called:
        """Say what the rule says: `name {"argument": …}` is a call, one a line; anything else is said."""
        self.offered.append(tuple(functions))
        lines = (await self._say(prompt, None)).splitlines()
        called = [match for line in lines if (match := _CALL.fullmatch(line.strip()))]
        calls = [FunctionCall(match[1], _arguments(match[2])) for match in called]
        return Called(tuple(calls), "" if calls else "\n".join(lines))

    async def probability_of_yes(self, prompt: Prompt, *, timeout_seconds: float = 30.0) -> float:
        """Return 1 for `yes`, 0 for `no`, and a score of 0 to 100 as its hundredth."""
        said = await self._say(prompt, None)
        words = {"yes": 1.0, "no": 0.0}
        return words[said.lower()] if said.lower() in words else read_score(said).score / 100

    async def stream(
        self,
        prompt: Prompt,
        *,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 1024,
        timeout_seconds: float = 60.0,
    ) -> AsyncIterator[str]:
        """Say what the rule says, word by word."""
        for word in re.findall(r"\s*\S+\s*\Z|\s*\S+|\s+\Z", await self._say(prompt, schema)):
            yield word

    async def _say(self, prompt: Prompt, schema: Mapping[str, Json] | None) -> str:
        self.prompts.append(prompt)
        self.schemas.append(schema)
        count_call()
        with self._open_request():
            said = self._rule(prompt) if callable(self._rule) else self._rule
            saying = await said if inspect.isawaitable(said) else said
        if isinstance(saying, ModelError):
            raise saying
        note_answer(self.name)
        return saying

    @contextmanager
    def _open_request(self) -> Iterator[None]:
        self.open_requests += 1
        has_ended = False
        try:
            yield
            has_ended = True
        finally:
            self.open_requests -= 1
            self.cancelled_requests += not has_ended

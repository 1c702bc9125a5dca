"""The seam to a language model: `Model`, and the nouns that cross it.

Not here: how a provider is spoken to (`llm/openai.py`), nor how a reply is read (`llm/reply.py`).
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeAlias, TypeGuard, runtime_checkable

from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model has answered."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cut_off: bool = False
    """The reply ended because `max_tokens` was reached."""


@dataclass(frozen=True, slots=True)
class Function:
    """What a model may call, as native function calling has it."""

    name: str
    """1 to 64 of `A-Z a-z 0-9 _ -`."""
    description: str
    parameters: Mapping[str, Json]
    """JSON Schema of an object."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """What a model wants to be called."""

    name: str
    """As the model wrote it: it may be none of those that were offered."""
    arguments: Mapping[str, Json]
    """Read with all defences, and unchecked."""
    id: str = ""
    """The provider's name of the call, which its result must carry; may be empty."""


@dataclass(frozen=True, slots=True)
class Called:
    """What a model answered to an offer of functions."""

    calls: tuple[FunctionCall, ...]
    """Empty: it calls none."""
    text: str = ""
    """What it says besides, or instead."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the model has said so far: a turn of its own."""

    text: str
    calls: tuple[FunctionCall, ...] = ()
    """What it wanted to be called; each is answered by an `Answered` of its id."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a call that the model has made."""

    id: str
    """Of the call."""
    name: str
    """Of the function."""
    text: str


@dataclass(frozen=True, slots=True)
class Prompted:
    """What whoever talks with the model has said since."""

    text: str


Turn: TypeAlias = Said | Answered | Prompted


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked."""

    system: str
    """What it shall do; the same for many questions, so that providers can cache it."""
    user: str
    """What it shall do it to; the question comes last."""
    turns: tuple[Turn, ...] = ()
    """What has followed, in its order; empty: it is asked for the first time."""
    temperature: float = 0.0
    """How freely it may be answered, 0 to 2; 0: as is likeliest. An endpoint that takes none is asked without."""


class Model(Protocol):
    """A language model.

    Every method raises a `ModelError` when there is no reply; cancelling ends the request for real.
    """

    @property
    def name(self) -> str:
        """The model's name, as answers report it."""
        ...

    @property
    def scoring(self) -> str:
        """How it is asked to score: `number` (0 to 100), or `yes_no` (one token and its probability)."""
        ...

    async def complete(
        self,
        prompt: Prompt,
        *,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 512,
        timeout_seconds: float = 30.0,
    ) -> Completion:
        """Answer `prompt`; with `schema`, as one JSON document that should fit it (the caller checks)."""
        ...

    async def call(
        self,
        prompt: Prompt,
        functions: Sequence[Function],
        *,
        max_tokens: int = 512,
        timeout_seconds: float = 30.0,
    ) -> Called:
        """Answer `prompt` by calls of `functions`, or by none.

        Raises:
            ModelRefused: also where the endpoint knows no functions.
        """
        ...

    async def probability_of_yes(self, prompt: Prompt, *, timeout_seconds: float = 30.0) -> float:
        """Return p(Yes) / (p(Yes) + p(No)), 0 to 1, of the first token that answers `prompt`."""
        ...

    def stream(
        self,
        prompt: Prompt,
        *,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 1024,
        timeout_seconds: float = 60.0,
    ) -> AsyncIterator[str]:
        """Yield the answer to `prompt` in pieces as they are written; with `schema`, those of one JSON document."""
        ...


@runtime_checkable
class LateNamed(Protocol):
    """A model that may learn its name, and so how it is asked to score, from its endpoint."""

    async def resolve(self, *, timeout_seconds: float = 10.0) -> str:
        """Return the name, asking the endpoint where it is not known yet; raises a `ModelError`."""
        ...


def names_late(model: Model) -> TypeGuard[LateNamed]:
    """Tell whether `model` is a `LateNamed`."""
    return _names_late(type(model))


@cache
def _names_late(kind: type[Model]) -> bool:
    """Look once a class: it takes as long as all else that a candidate's call needs before it is sent."""
    return issubclass(kind, LateNamed)

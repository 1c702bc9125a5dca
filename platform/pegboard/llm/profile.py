"""`Profile`: which model, where, and within what limits; two that are equal are the same connection."""

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from pegboard.llm.dialect import Format

Scoring: TypeAlias = Literal["auto", "number", "yes_no"]


class Key(Protocol):
    """A key that is shown to its endpoint alone."""

    def reveal(self) -> str:
        """Return the key itself."""
        ...


@dataclass(frozen=True, slots=True)
class NoKey:
    """The key of an endpoint that wants none."""

    def reveal(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Profile:
    """A model as its owner declared it."""

    name: str
    model: str = ""
    """The provider's name of it; empty: the only one that the endpoint lists."""
    base_url: str = ""
    """Empty: the provider's own."""
    key: Key = NoKey()
    scoring: Scoring = "auto"
    reply: Literal["auto"] | Format = "auto"
    timeout_seconds: float = 30.0
    retries: int = 2
    max_parallel: int = 8
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    cache_seconds: float | None = None
    """How long an identical answer is used again; None: never."""
    fallback: str = ""
    """The profile that is asked instead; empty: none."""

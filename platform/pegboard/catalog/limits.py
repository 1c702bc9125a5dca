"""`Limits`: how a tool is called, with everything that its block `call` inherits.

Not here: who gives each of them (`toolsets/calls`), nor what they do (`run/limits`).
"""

from dataclasses import dataclass
from typing import Literal

from pegboard.config.duration import shown_seconds
from pegboard.config.sizes import shown_size
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Breaking:
    """When a tool that keeps failing is not called for a while."""

    failures: int = 5
    """In a row."""
    rest_seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one tool; a limit that is None is none."""

    timeout_seconds: float = 10.0
    """Of one call, with its repetitions and its wait for a place."""
    network_timeout_seconds: float = 5.0
    """Of one connection, or one silence of the service."""
    retries: int = 0
    """0 for a tool that may not be tried again, whatever is declared for many."""
    idempotent: bool = False
    rate: str | None = None
    """As documents have it: `10/s`."""
    max_parallel: int | None = None
    queue: int = 100
    """Calls that may wait for `rate` and `max_parallel`."""
    cache_seconds: float | None = None
    """None for a tool that is not read-only, whatever is declared for many."""
    breaker: Breaking | None = None
    per_request: int | None = None
    approval: Literal["never", "always"] = "never"
    redact: tuple[str, ...] = ()
    """Names of arguments that are shown nowhere."""
    max_arguments_bytes: int = 256 << 10
    max_result_bytes: int = 4 << 20
    fallback: str = ""
    """Name of a tool of the same site, or empty."""
    output_policy: Literal["reject", "warn", "repair"] = "reject"
    """What becomes of a result that the tool's output schema refuses."""
    on_unknown: Literal["again", "fail"] = "again"
    """What becomes of a call of a run whose process ended before its result was written down."""

    @property
    def is_kept(self) -> bool:
        """Some of it holds from one call to the next."""
        return bool(self.rate or self.max_parallel or self.cache_seconds or self.breaker)

    def to_json(self) -> dict[str, Json]:
        """Return it as documents have the block `call`."""
        breaker: Json = None
        if self.breaker is not None:
            breaker = {"failures": self.breaker.failures, "rest": shown_seconds(self.breaker.rest_seconds)}
        return {
            "timeout": shown_seconds(self.timeout_seconds),
            "network_timeout": shown_seconds(self.network_timeout_seconds),
            "retries": self.retries,
            "idempotent": self.idempotent,
            "rate": self.rate,
            "max_parallel": self.max_parallel,
            "queue": self.queue,
            "cache": None if self.cache_seconds is None else shown_seconds(self.cache_seconds),
            "breaker": breaker,
            "per_request": self.per_request,
            "approval": self.approval,
            "redact": list(self.redact),
            "max_arguments": shown_size(self.max_arguments_bytes),
            "max_result": shown_size(self.max_result_bytes),
            "fallback": self.fallback,
            "output_policy": self.output_policy,
            "on_unknown": self.on_unknown,
        }


UNLIMITED = Limits()
"""Of a tool for which nothing is declared."""

"""How a tool is called: the block `call`, of a tool and of whatever gives it to many tools."""

from typing import Annotated, Literal

from pydantic import Field

from pegboard.config.declaration import Declaration
from pegboard.config.duration import Seconds
from pegboard.config.rate import Rate
from pegboard.config.sizes import Bytes


class BreakerDeclaration(Declaration):
    """When a tool that keeps failing is not called for a while."""

    failures: Annotated[int, Field(ge=1, le=1000)] = 5
    """Failures in a row that open it: of the service, of the handler itself, or for want of time."""
    rest: Seconds = 30.0
    """How long nobody calls then; afterwards one call finds out whether all may."""


class CallDeclaration(Declaration):
    """How a tool is called. A field that is not given is inherited: tool, site, source, type, document."""

    timeout: Seconds = 10.0
    """How long one call may take, with its repetitions and its wait for a place."""
    network_timeout: Seconds = 5.0
    """How long one connection, or one silence of the service, may take."""
    retries: Annotated[int, Field(ge=0, le=10)] = 0
    """How often a call is tried again after a failure that may pass; the tool must be read_only, or idempotent."""
    idempotent: bool = False
    """Calling it twice does no more than calling it once: it may be tried again."""
    rate: Rate | None = None
    """Calls that may begin in a second, a minute or an hour; further ones wait. Without it, no limit."""
    max_parallel: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Calls that may run at once; further ones wait. Without it, no limit."""
    queue: Annotated[int, Field(ge=0, le=100_000)] = 100
    """Calls that may wait for `rate` and `max_parallel`; further ones are refused at once."""
    cache: Seconds | None = None
    """How long the result of a call is used again for the same arguments; the tool must be read_only."""
    breaker: BreakerDeclaration | None = None
    """When it is not called for a while; without it, it always is."""
    per_request: Annotated[int, Field(ge=1)] | None = None
    """Calls of this tool in one request; without it, no limit."""
    approval: Literal["never", "always"] = "never"
    """Whether somebody has to approve each call."""
    redact: list[Annotated[str, Field(min_length=1)]] = Field(default_factory=list)
    """Arguments that are shown nowhere: not in events, logs, traces and errors."""
    max_arguments: Bytes = 256 << 10
    """The largest arguments, as JSON."""
    max_result: Bytes = 4 << 20
    """The largest result; no more of it is read."""
    fallback: str = ""
    """The tool of the same site that is called instead where this one fails; empty for none."""
    output_policy: Literal["reject", "warn", "repair"] = "reject"
    """What becomes of a result that `output` refuses."""
    on_unknown: Literal["again", "fail"] = "again"
    """What becomes of a call of a run that was under way when its process ended, and may have done its work or not."""

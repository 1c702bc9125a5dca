"""All errors that a caller may catch, each with its HTTP status and its exit code.

PegboardError
├── UsageError                 400, 2    the request is wrong: say what was wanted
│   ├── UnknownSite            404, 2
│   ├── UnknownTool            404, 2
│   ├── UnknownResult          404, 2    nothing is kept under this reference
│   └── InvalidArguments       400, 2    arguments that do not fit a tool's schema
├── InvalidDeclarations        500, 3    the configuration cannot be served; holds every problem
├── CallFailed                 502, 1    the tool that was asked for could not do its work
│   ├── CallRefused            403, 1    a rule of the server, the site or the tool forbids the call
│   ├── LimitReached           429, 1    a declared limit is reached
│   └── UpstreamFailed         502, 1    the service behind the tool did not do what was asked
│       └── UpstreamTimedOut   504, 1    nor answer in time
├── EvaluationFailed           500, 5    fewer questions than wanted took the right tool
├── Unreachable                503, 4    a service that is needed does not answer
│   └── DeadlineExceeded       504, 4
└── ModelError                 502, 4    a model endpoint; never ends a request that the embedded scorer can take over
    ├── ModelRefused           the endpoint does not take the request (4xx)
    │   └── ModelDenied        nor would it take any other: wrong key, address or name of the model
    ├── ModelFiltered          a content filter, or the model itself, declines to answer
    ├── ModelThrottled         429, a quota, or a limit of our own
    ├── ModelUnreachable       no connection, 5xx, a connection that broke
    │   └── ModelTimedOut      504, no reply in time
    ├── ModelMalformed         the reply cannot be read
    │   └── ModelCutOff        it ended because it was too long, before it said anything
    └── BudgetSpent            the request has asked models as much as it may
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, TypeAlias

Blamed: TypeAlias = Literal["caller", "tool", "upstream", "limit"]


@dataclass(frozen=True, slots=True)
class Failure:
    """Who made a call fail, and what can be done about it."""

    who: Blamed
    """`caller`: mend the arguments, or ask for leave; `tool`: its author must; `upstream`: the service behind it;
    `limit`: a limit that is declared."""
    is_retryable: bool = False
    """The same call may succeed later."""
    retry_after_seconds: float | None = None
    """When; None: nobody knows."""
    limit: str = ""
    """The limit that was reached, as documents name it: `call.rate`; empty where it was none."""
    declared_at: str = ""
    """Where that limit is declared, file, line and column; empty where it is the default."""
    correlation_id: str = ""
    """By which the server's log names this failure."""


class PegboardError(Exception):
    """What every error of this package is."""

    status: ClassVar[int] = 500
    """HTTP status of a response that carries this error."""
    exit_code: ClassVar[int] = 1
    """Exit code of a command that ends with this error."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        """What is wrong, in one sentence that names the thing."""
        self.hint = hint
        """What to do next; empty where the message says it already."""
        self.failure: Failure | None = None
        """Of a call of a tool: who made it fail."""

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UsageError(PegboardError):
    """The request itself is wrong."""

    status = 400
    exit_code = 2


class UnknownSite(UsageError):
    """A site that no document declares."""

    status = 404


class UnknownTool(UsageError):
    """A tool that the site does not have."""

    status = 404


class UnknownResult(UsageError):
    """A reference that nothing is kept under, or not any more."""

    status = 404


class Wrong(NamedTuple):
    """One thing that is wrong with arguments."""

    pointer: str
    """Where, as a JSON pointer (RFC 6901); of what is missing, where it should be."""
    message: str


class InvalidArguments(UsageError):
    """Arguments that the tool's schema refuses."""

    def __init__(
        self, message: str, *, hint: str = "", missing: Sequence[str] = (), faults: Sequence[Wrong] = ()
    ) -> None:
        super().__init__(message, hint=hint)
        self.faults = tuple(faults)
        """Everything that is wrong, each with its place."""
        self.missing = tuple(missing)
        """Names of required arguments that are not there."""


class InvalidDeclarations(PegboardError):
    """A configuration with errors; nothing of it is served."""

    exit_code = 3

    def __init__(self, message: str, *, hint: str = "", problems: Sequence[object] = ()) -> None:
        super().__init__(message, hint=hint)
        self.problems = tuple(problems)
        """Every `config.problems.Problem` that was found, in the order of files and lines."""


class CallFailed(PegboardError):
    """The tool that was asked for could not do its work."""

    status = 502


class CallRefused(CallFailed):
    """The call may not be made: a rule of the server, the site or the tool forbids it."""

    status = 403


class LimitReached(CallFailed):
    """A limit that is declared keeps the call from being made, or ended it."""

    status = 429

    def __init__(self, message: str, *, hint: str = "", retry_after_seconds: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after_seconds = retry_after_seconds
        """When the same call may be made; None: nobody knows."""


class UpstreamFailed(CallFailed):
    """The service behind a tool did not do what was asked."""

    def __init__(
        self, message: str, *, hint: str = "", is_retryable: bool = False, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.is_retryable = is_retryable
        """The same call may succeed later: nobody was there, or the service says so itself."""
        self.retry_after_seconds = retry_after_seconds
        """When the service wants to be asked again; None: it did not say."""


class UpstreamTimedOut(UpstreamFailed):
    """It did not answer in time."""

    status = 504


class EvaluationFailed(PegboardError):
    """Fewer questions took the right tool than are enough."""

    exit_code = 5


class Unreachable(PegboardError):
    """A service that is needed does not answer."""

    status = 503
    exit_code = 4


class DeadlineExceeded(Unreachable):
    """Time ran out."""

    status = 504


class ModelError(PegboardError):
    """A model endpoint did not give what was asked."""

    status = 502
    exit_code = 4

    def __init__(self, message: str, *, hint: str = "", retry_after_seconds: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after_seconds = retry_after_seconds
        """When the endpoint wants to be asked again; None: it did not say."""


class ModelRefused(ModelError):
    """The endpoint does not take the request."""


class ModelDenied(ModelRefused):
    """The endpoint takes no request of ours: the key, the address or the name of the model is wrong."""


class ModelFiltered(ModelError):
    """A content filter, or the model itself, declines to answer this."""


class ModelThrottled(ModelError):
    """The endpoint limits its callers, a quota is used up, or a limit of our own is reached."""


class ModelUnreachable(ModelError):
    """No connection, an error of the endpoint's own, or a connection that broke."""


class ModelTimedOut(ModelUnreachable):
    """No reply in time."""

    status = 504


class ModelMalformed(ModelError):
    """The reply is not what was asked for and cannot be mended."""

    def __init__(self, message: str, *, hint: str = "", raw: str = "") -> None:
        super().__init__(message, hint=hint)
        self.raw = raw
        """The text that could not be read, for the trace; empty where there was none."""


class ModelCutOff(ModelMalformed):
    """The reply reached its greatest length before it said anything."""


class BudgetSpent(ModelError):
    """The request has asked models as much as it may."""

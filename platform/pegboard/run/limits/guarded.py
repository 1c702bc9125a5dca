"""`Guarded`: a tool that keeps failing is not called for a while.

What counts as a failure is told of the service or the handler, after all tries: no answer in time, a failure that may
pass, an error inside of the handler. Refusals and reasoned failures show that the tool works; a limit of our own, the
end of a request and a call that was cancelled say nothing.
"""

from pegboard.catalog.contract import Result
from pegboard.errors import DeadlineExceeded, LimitReached, PegboardError, UpstreamFailed
from pegboard.pacing.breaker import Breaker
from pegboard.run.limits.call import Attempt, Broken, Call, limit_reached


class Guarded:
    """An attempt behind a breaker."""

    def __init__(self, inner: Attempt, breaker: Breaker) -> None:
        self._inner = inner
        self._breaker = breaker

    async def __call__(self, call: Call) -> Result:
        finds_out = self._breaker.is_open
        if remaining := self._breaker.enter():
            why = "it has failed several times in a row"
            raise limit_reached(call.tool, "call.breaker", why, retry_after_seconds=remaining)
        started = self._breaker.now()
        is_judged = False
        try:
            result = await self._inner(call)
            self._breaker.succeeded()
            is_judged = True
        except PegboardError as error:
            is_judged = self._judge(error, started)
            raise
        finally:
            if finds_out and not is_judged:
                self._breaker.left()
        return result

    def _judge(self, error: PegboardError, started: float) -> bool:
        """Note what `error` says of the tool; tell whether it says anything."""
        match error:
            case LimitReached():
                return False
            case DeadlineExceeded() if error.failure is not None and error.failure.limit != "call.timeout":
                return False
            case DeadlineExceeded() | Broken():
                self._breaker.failed(started)
            case UpstreamFailed() if error.is_retryable:
                self._breaker.failed(started)
            case _:
                self._breaker.succeeded()
        return True

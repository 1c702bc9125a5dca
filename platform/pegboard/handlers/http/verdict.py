"""What the status of a reply says: who has failed, and whether the same call may succeed later. Pure.

| status | who | again? |
|---|---|---|
| 400, 404, 409, 410, 413, 414, 416, 422 | the caller: these arguments | no |
| 401, 403, 407, and other 4xx | the tool: its declaration or its secret | no |
| 408, 425, 429, 5xx but 501 and 505 | the service | yes, when `Retry-After` says |
| 3xx, 1xx, 501, 505 | the service | no |
"""

from pegboard.errors import CallFailed, InvalidArguments, UpstreamFailed
from pegboard.llm.retry_after import retry_after_seconds
from pegboard.net.exchange import Response
from pegboard.text import clipped, sentence

_OF_ARGUMENTS = frozenset({400, 404, 409, 410, 413, 414, 416, 422})
_OF_SECRETS = frozenset({401, 403, 407})
_PASSING = frozenset({408, 425, 429})
_LASTING = frozenset({501, 505})
_LONGEST_SAID = 300


def judge(response: Response, said: str = "") -> None:
    """Return where the service says that it has done what was asked; `said` is what it says besides.

    Raises:
        InvalidArguments: it does not take the arguments.
        CallFailed: it does not take the tool.
        UpstreamFailed: it cannot do it.
    """
    status = response.status
    if 200 <= status < 300:
        return
    more = f" It says: {sentence(clipped(said, _LONGEST_SAID))}" if said else ""
    if status in _OF_ARGUMENTS:
        knows = "has nothing of that kind" if status in {404, 410} else "does not take these arguments"
        raise InvalidArguments(f"The service {knows} (status {status}).{more}")
    if status in _OF_SECRETS:
        raise CallFailed(f"The service does not let this tool in (status {status}).{more}", hint="Look at its `auth`.")
    if status in _PASSING or (status >= 500 and status not in _LASTING):
        what = "is asked too often" if status == 429 else "cannot answer now"
        raise UpstreamFailed(
            f"The service {what} (status {status}).{more}",
            is_retryable=True,
            retry_after_seconds=retry_after_seconds(dict(response.headers)),
        )
    if 400 <= status < 500:
        raise CallFailed(f"The service does not take this request (status {status}).{more}")
    hint = "Declare `redirects` to have them followed." if 300 <= status < 400 else ""
    raise UpstreamFailed(f"The service answered with status {status}, which is no result.{more}", hint=hint)


def failed(said: str, *, is_retryable: bool) -> UpstreamFailed:
    """Return the failure of a reply that tells of one whatever its status."""
    told = f": {sentence(clipped(said, _LONGEST_SAID))}" if said else "."
    return UpstreamFailed(f"The service says that it failed{told}", is_retryable=is_retryable)

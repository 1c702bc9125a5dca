"""What a call of each fault has to end in, and a way to see it; the tests and `benchmarks.faults` share them."""

from collections.abc import Mapping
from dataclasses import dataclass

from pegboard.errors import CallFailed, CallRefused, InvalidArguments, PegboardError, UpstreamFailed, UpstreamTimedOut


@dataclass(frozen=True)
class Ending:
    """How a call ends."""

    kind: type[PegboardError] | None
    """None: with a result."""
    says: str = ""
    """A part of its message."""
    is_retryable: bool = False
    retry_after_seconds: float | None = None


_SILENT = Ending(UpstreamTimedOut, "Nothing came from 127.0.0.1", is_retryable=True)
_SLOW = Ending(UpstreamTimedOut, "did not answer within", is_retryable=True)
_BROKE = Ending(UpstreamFailed, "broke off, or speaks no HTTP", is_retryable=True)
_LARGE = Ending(UpstreamFailed, "larger than")
_NO_JSON = Ending(UpstreamFailed, "no JSON that can be read")

OUTCOMES: Mapping[str, Ending] = {
    "hangs_before_headers": _SILENT,
    "hangs_in_headers": _SILENT,
    "hangs_after_headers": _SILENT,
    "drips": _SLOW,
    "drips_headers": _SLOW,
    "closes_at_once": _BROKE,
    "closes_in_headers": _BROKE,
    "closes_in_body": _BROKE,
    "closes_in_chunks": _BROKE,
    "sends_two_gigabytes": _LARGE,
    "sends_without_end": _LARGE,
    "length_too_long": _BROKE,
    "length_too_short": _NO_JSON,
    "two_lengths": _BROKE,
    "wrong_charset": Ending(UpstreamFailed, "not in utf-8"),
    "unknown_charset": Ending(UpstreamFailed, "'klingon'"),
    "wrong_type": Ending(UpstreamFailed, "not in utf-8"),
    "html": Ending(UpstreamFailed, "It calls itself 'text/html'"),
    "redirects_to_metadata": Ending(CallRefused, "its log says why"),
    "redirects_to_private": Ending(CallRefused, "its log says why"),
    "redirects_for_ever": Ending(UpstreamFailed, "redirects more than 3 times"),
    "redirects_nowhere": Ending(UpstreamFailed, "it says not where to"),
    "redirects_to_a_file": Ending(UpstreamFailed, "does not begin with http://"),
    "too_many": Ending(UpstreamFailed, "status 429", is_retryable=True, retry_after_seconds=7),
    "too_many_for_ever": Ending(UpstreamFailed, "status 429", is_retryable=True),
    "broken": Ending(UpstreamFailed, "cannot answer now (status 500)", is_retryable=True),
    "overloaded": Ending(UpstreamFailed, "status 503", is_retryable=True, retry_after_seconds=0),
    "unauthorised": Ending(CallFailed, "does not let this tool in"),
    "unknown": Ending(InvalidArguments, "nothing of that kind"),
    "refuses_arguments": Ending(InvalidArguments, "city is unknown"),
    "empty": Ending(UpstreamFailed, "answered with nothing"),
    "no_content": Ending(None, "Nothing was found."),
    "half_json": _NO_JSON,
    "not_a_number": Ending(UpstreamFailed, "NaN is no number"),
    "deep_json": Ending(UpstreamFailed, "nested too deep"),
    "gzip_bomb": _LARGE,
    "bad_gzip": Ending(UpstreamFailed, "cannot be decompressed"),
    "half_gzip": Ending(UpstreamFailed, "ends in the middle"),
    "unasked_encoding": Ending(UpstreamFailed, "not asked for"),
    "header_flood": _BROKE,
    "continues_only": _SILENT,
    "continues_for_ever": _SLOW,
    "no_http": _BROKE,
    "switches_protocol": _BROKE,
}
"""By the name of the fault."""


def ending_of(error: PegboardError) -> Ending:
    """Return how a call ended that raised `error`."""
    return Ending(
        type(error), error.message, getattr(error, "is_retryable", False), getattr(error, "retry_after_seconds", None)
    )

"""How long to wait before something is tried again.

Waits are drawn evenly from 0 to a bound that doubles ("full jitter", M. Brooker, Exponential Backoff And Jitter,
2015), and never shorter than what the other side asks for (`Retry-After`).
"""

FIRST_SECONDS = 0.5
LONGEST_SECONDS = 8.0


def wait_seconds(failures: int, retry_after_seconds: float | None, drawn: float) -> float:
    """Return how long to wait after so many failures before this one; `drawn` is from 0 to 1."""
    jitter = drawn * min(LONGEST_SECONDS, FIRST_SECONDS * 2.0**failures)
    return jitter + (retry_after_seconds or 0.0)

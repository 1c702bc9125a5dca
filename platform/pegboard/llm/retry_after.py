"""When an endpoint wants to be asked again: its `Retry-After` (RFC 9110, 10.2.3), or `retry-after-ms`."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after_seconds(headers: Mapping[str, str], *, today: datetime | None = None) -> float | None:
    """Return how long to wait; None where the headers do not say it. A date is counted from `today`, else from now."""
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    written = headers.get("retry-after")
    seconds = _number(written)
    return seconds if written is None or seconds is not None else _until(written, today or datetime.now(UTC))


def _number(written: str | None) -> float | None:
    try:
        number = float(written or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _until(written: str, today: datetime) -> float | None:
    try:
        date = parsedate_to_datetime(written)
    except (ValueError, TypeError, OverflowError):
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - today).total_seconds())

"""What a service answered, as a result or as the error that it is."""

import base64
import json
from collections.abc import Mapping
from dataclasses import replace

from pegboard.catalog.contract import Result
from pegboard.errors import CallFailed, InvalidArguments, LimitReached, PegboardError, UpstreamFailed
from pegboard.handlers.openapi.parse import is_json
from pegboard.handlers.openapi.plain import plain
from pegboard.llm.retry_after import retry_after_seconds
from pegboard.net.charsets import charset_in, codec_of
from pegboard.net.exchange import Request, Response
from pegboard.net.secrets import masked, masked_text
from pegboard.text import Json, clipped, to_json

_LONGEST_MESSAGE = 400
_TELLING = ("message", "detail", "error_description", "description", "title", "error", "reason", "msg", "errors")
"""Where services say what is wrong, the most telling first."""
_TEXTS = ("text/", "application/xml", "application/yaml", "application/x-yaml", "application/javascript")


def result_of(response: Response, request: Request, *, place: str, wanted: str = "") -> Result:
    """Return what the service gave; `wanted` says what to do when it does not let us in.

    Raises:
        InvalidArguments: it takes the call, and not these arguments.
        CallFailed: it refuses the call.
        UpstreamFailed: it could not do it.
        LimitReached: its answer is too long.
    """
    if not 200 <= response.status < 300:
        raise _error(response, request, place, wanted)
    result = _given(response, place)
    return replace(result, text=masked_text(result.text, request.secrets), data=masked(result.data, request.secrets))


def _given(response: Response, place: str) -> Result:
    if response.is_cut_off:
        hint = "Ask for less: most services take a limit or a page."
        raise LimitReached(f"The answer of {place} is longer than {len(response.body):,} bytes.", hint=hint)
    if not response.body.strip():
        return Result(f"Done (HTTP {response.status}).")
    kind = response.header("content-type")
    if is_json(kind) or not kind:
        return _json(response, place)
    if kind.lower().startswith(_TEXTS) or "+xml" in kind.lower():
        text = _text(response)
        return Result(text, data=text)
    size = len(response.body)
    told: dict[str, Json] = {"content_type": kind, "bytes": size, "base64": base64.b64encode(response.body).decode()}
    return Result(f"A file of {size:,} bytes, {kind}.", data=told)


def _json(response: Response, place: str) -> Result:
    try:
        data: Json = json.loads(response.body)
    except (ValueError, RecursionError) as error:
        if not response.header("content-type"):
            text = _text(response)
            return Result(text, data=text)
        raise UpstreamFailed(f"{place} says that it answers in JSON, and does not.") from error
    return Result(data if isinstance(data, str) else to_json(data), data=data)


def _text(response: Response) -> str:
    try:
        return response.body.decode(codec_of(charset_in(response.header("content-type"))), "replace")
    except (LookupError, UnicodeError):
        return response.body.decode("utf-8", "replace")


def _error(response: Response, request: Request, place: str, wanted: str) -> PegboardError:
    status = response.status
    said = masked_text(_said(response), request.secrets)
    message = f"{place} answered {status}" + (f": {said}" if said else ".")
    if status in (401, 403):
        return CallFailed(message, hint=wanted)
    if status in (408, 425, 429) or status >= 500:
        is_retryable = status not in (501, 505)
        wait = retry_after_seconds(dict(response.headers))
        return UpstreamFailed(message, is_retryable=is_retryable, retry_after_seconds=wait)
    if 300 <= status < 400:
        return UpstreamFailed(message, hint="It redirects, which is not followed: mend base_url.")
    return InvalidArguments(message) if status in (400, 404, 409, 410, 422) else CallFailed(message)


def _said(response: Response) -> str:
    """Return the service's own words."""
    if is_json(response.header("content-type")):
        try:
            told = _telling(json.loads(response.body), 0)
        except (ValueError, RecursionError):
            told = ""
        if told:
            return clipped(plain(told), _LONGEST_MESSAGE)
    if response.header("content-type").lower().startswith("text/html"):
        return ""
    return clipped(plain(_text(response)), _LONGEST_MESSAGE)


def _telling(value: Json, depth: int) -> str:
    if isinstance(value, str):
        return value
    if depth > 3:
        return ""
    if isinstance(value, list):
        return "; ".join(filter(None, (_telling(each, depth + 1) for each in value[:3])))
    if isinstance(value, Mapping):
        found = (_telling(value[key], depth + 1) for key in _TELLING if key in value)
        return next(filter(None, found), "")
    return ""

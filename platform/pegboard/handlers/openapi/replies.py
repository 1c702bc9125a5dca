"""What a service answered, as a result or as the error that it is."""

import base64
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NoReturn

from pegboard.catalog.contract import Result
from pegboard.errors import CallFailed, InvalidArguments, LimitReached, PegboardError, UpstreamFailed
from pegboard.handlers.openapi.parse import is_json
from pegboard.handlers.openapi.plain import begun, plain
from pegboard.handlers.openapi.reading import is_shallow
from pegboard.llm.retry_after import retry_after_seconds
from pegboard.net.charsets import charset_in, codec_of
from pegboard.net.exchange import Request, Response
from pegboard.net.secrets import masked, masked_text
from pegboard.text import Json, clipped, to_json

_LONGEST_MESSAGE = 400
_DEEPEST = 200
"""Levels of a reply; results have to be passed on within others."""
_OF_ARGUMENTS = frozenset({400, 404, 409, 410, 413, 414, 416, 422})
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
        data: Json = json.loads(response.body, parse_constant=_refuse, parse_float=_number)
    except RecursionError as error:
        raise UpstreamFailed(f"The answer of {place} is nested too deeply.") from error
    except ValueError as error:
        if not response.header("content-type"):
            text = _text(response)
            return Result(text, data=text)
        raise UpstreamFailed(f"{place} says that it answers in JSON, and does not.") from error
    if not is_shallow(data, _DEEPEST):
        raise UpstreamFailed(f"The answer of {place} is nested too deeply: more than {_DEEPEST} levels.")
    return Result(data if isinstance(data, str) else to_json(data), data=data)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


def _number(written: str) -> float | None:
    """Return a number; null for one that is too large, as in what models say."""
    number = float(written)
    return number if math.isfinite(number) else None


def _text(response: Response) -> str:
    try:
        return response.body.decode(codec_of(charset_in(response.header("content-type"))), "replace")
    except (LookupError, UnicodeError):
        return response.body.decode("utf-8", "replace")


def _error(response: Response, request: Request, place: str, wanted: str) -> PegboardError:
    status = response.status
    said = clipped(_said(response, request), _LONGEST_MESSAGE)
    message = f"{place} answered {status}" + (f": {said}" if said else ".")
    if status in (401, 403):
        return CallFailed(message, hint=wanted)
    if status in (408, 425, 429) or status >= 500:
        is_retryable = status not in (501, 505)
        wait = retry_after_seconds(dict(response.headers))
        return UpstreamFailed(message, is_retryable=is_retryable, retry_after_seconds=wait)
    if 300 <= status < 400:
        return UpstreamFailed(message, hint="It redirects, which is not followed: mend base_url.")
    return InvalidArguments(message) if status in _OF_ARGUMENTS else CallFailed(message)


def _said(response: Response, request: Request) -> str:
    """Return the service's own words, or the beginning of very many; secrets go before anything is cut."""
    if is_json(response.header("content-type")):
        try:
            told = _telling(json.loads(response.body), 0)
        except (ValueError, RecursionError):
            told = ""
        if told:
            return _shown(told, request)
    if response.header("content-type").lower().startswith("text/html"):
        return ""
    return _shown(_text(response), request)


def _shown(text: str, request: Request) -> str:
    seen = plain(begun(masked_text(text, request.secrets), _LONGEST_MESSAGE))
    return masked_text(seen, request.secrets)  # once more: what nobody sees may have stood within one


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

"""Errors as RFC 9457 problem documents."""

import math
import re
from http import HTTPStatus

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from pegboard.edges.failure import error_json, failure_of, unexpected
from pegboard.edges.web.json_response import JsonResponse
from pegboard.errors import InvalidArguments, PegboardError, UsageError
from pegboard.text import Json


class MethodRefused(UsageError):
    """A tool with side effects was asked for by GET."""

    status = 405


class OriginRefused(UsageError):
    """A page of another site asks."""

    status = 403


class HostRefused(UsageError):
    """The Host header names nobody that this server answers for."""

    status = 421


class TokenRefused(UsageError):
    """A request to `/admin` without the token."""

    status = 401


class BodyTooLarge(UsageError):
    """The body is larger than any question."""

    status = 413


class BodyTooSlow(UsageError):
    """The body does not come to its end."""

    status = 408


class BodyRefused(UsageError):
    """The body is of a kind that is not read here."""

    status = 415


def problem(error: PegboardError) -> dict[str, Json]:
    """Return `error` as a problem document."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__)
    shown: dict[str, Json] = {
        "type": f"urn:pegboard:problem:{words.lower().replace(' ', '-')}",
        "title": words.capitalize(),
        "status": error.status,
        "detail": error.message,
    }
    if error.hint:
        shown["hint"] = error.hint
    if isinstance(error, InvalidArguments) and error.missing:
        shown["missing"] = list(error.missing)
    return shown


class ProblemResponse(JsonResponse):
    """A problem document as a response; `more` are members of its own."""

    media_type = "application/problem+json"

    def __init__(self, error: PegboardError, headers: dict[str, str] | None = None, **more: Json) -> None:
        told = {**problem(error), "error": error_json(error), **more}
        super().__init__(told, status_code=error.status, headers=headers)


_HEADERS: dict[type[PegboardError], dict[str, str]] = {
    MethodRefused: {"Allow": "POST"},
    TokenRefused: {"WWW-Authenticate": "Bearer"},
}
"""Headers that a status demands."""


async def _known(request: Request, error: Exception) -> Response:
    assert isinstance(error, PegboardError)
    headers = next((headers for kind, headers in _HEADERS.items() if isinstance(error, kind)), None)
    return ProblemResponse(error, {**(headers or {}), **_retry_after(error)})


def _retry_after(error: PegboardError) -> dict[str, str]:
    after = failure_of(error).retry_after_seconds
    return {} if after is None else {"Retry-After": str(math.ceil(after))}


async def _of_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    title = HTTPStatus(error.status_code).phrase
    hint = "GET /docs lists what there is." if error.status_code in (404, 405) else ""
    detail = f"{request.method} {request.url.path}: {title}."
    told: dict[str, Json] = {"type": "about:blank", "title": title, "status": error.status_code, "detail": detail}
    told |= {"hint": hint} if hint else {}
    told["error"] = error_json(UsageError(detail, hint=hint), code=title.lower().replace(" ", "_"))
    headers = dict(error.headers or {})
    return JsonResponse(told, error.status_code, headers, ProblemResponse.media_type)


async def _unknown(request: Request, error: Exception) -> Response:
    return ProblemResponse(unexpected(error))


def install(app: FastAPI) -> None:
    """Make every error of `app` a problem document."""
    app.add_exception_handler(PegboardError, _known)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(Exception, _unknown)

"""A running server of the same configuration: find it, and let it do the work."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import anyio
import httpx2

from pegboard.edges.envelope import answer_of
from pegboard.edges.failure import restored
from pegboard.edges.record import read_record
from pegboard.errors import CallFailed, DeadlineExceeded, PegboardError, Unreachable, UsageError
from pegboard.text import Json, to_json

if TYPE_CHECKING:
    from pegboard.app import Settings
    from pegboard.edges.cli.inquiry import Inquiry, Listener

_FIND_SECONDS = 1.0
_MAX_HEALTH_BYTES = 16 << 10
_SPARE_SECONDS = 5.0
"""How much longer than the server's own deadline is waited for its answer."""


async def running_server(settings: "Settings", digest_of: Callable[["Settings"], str]) -> str | None:
    """Return the URL of the server that serves these documents with this model, None if there is none.

    A server with another model answers otherwise: it is passed over. Who names no model takes the server's. The
    documents are read for their digest only where a server answers.
    """
    record = read_record(settings.data)
    if record is None:
        return None
    health = await _health(record.url)
    if not health or health.get("digest") != digest_of(settings):
        return None
    same = health.get("config") == str(settings.config.resolve())
    wanted = settings.model.name if settings.model else ""
    return record.url if same and wanted in ("", health.get("model")) else None


async def _health(url: str) -> dict[str, Json]:
    """Return what the server at `url` says of itself; nothing of one that is away, or of whoever has its port now."""
    held = b""
    try:
        with anyio.fail_after(_FIND_SECONDS):
            async with _client(url, _FIND_SECONDS) as client, client.stream("GET", "/healthz") as response:
                async for part in response.aiter_raw():
                    held += part
                    if len(held) > _MAX_HEALTH_BYTES:
                        return {}
        value = json.loads(held)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


async def route(url: str, inquiry: "Inquiry", *, seconds: float) -> dict[str, Json]:
    """Return the decision of the server at `url`."""
    try:
        async with _client(url, seconds + _SPARE_SECONDS) as client:
            response = await client.post("/route", content=_body(inquiry), headers=_JSON)
    except httpx2.HTTPError as error:
        raise _lost(url, error) from error
    _refuse_problem(response.status_code, response.content)
    return object_of(response.content, url)


async def ask(url: str, inquiry: "Inquiry", listener: "Listener", *, seconds: float) -> dict[str, Json]:
    """Return the answer of the server at `url`; `listener` hears it come."""
    answer: dict[str, Json] = {}
    try:
        async with (
            _client(url, seconds + _SPARE_SECONDS) as client,
            client.stream("POST", "/ask", content=_body(inquiry), headers=_JSON) as response,
        ):
            if response.status_code != httpx2.codes.OK:
                _refuse_problem(response.status_code, await response.aread())
            async for line in response.aiter_lines():
                if line.startswith("data:"):
                    answer |= _heard(object_of(line.removeprefix("data:"), url), listener)
    except httpx2.HTTPError as error:
        raise _lost(url, error) from error
    if not answer:
        raise Unreachable(f"The server at {url} ended before its answer.", hint="Try again with --no-server.")
    return answer


_JSON = {"Content-Type": "application/json"}


def _body(inquiry: "Inquiry") -> bytes:
    asked = {
        "query": inquiry.text,
        "site": inquiry.site,
        "tool": inquiry.tools,
        "prev": inquiry.previous,
        "mode": inquiry.mode,
        "strategy": inquiry.strategy,
    }
    return to_json(asked).encode()


def _client(url: str, seconds: float) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=url, timeout=seconds, trust_env=False)


def object_of(text: str | bytes, url: str) -> dict[str, Json]:
    """Return the JSON object that the server at `url` has answered with.

    Raises:
        Unreachable: it is none.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        hint = "Try again with --no-server."
        raise Unreachable(f"The server at {url} answered with what is no JSON object.", hint=hint)
    return value


def _heard(message: Mapping[str, Json], listener: "Listener") -> dict[str, Json]:
    """Pass `message` on; return the answer if it is the one that holds it."""
    match message.get("message_type"):
        case "answer_piece":
            listener.piece(str(message.get("text", "")))
        case "notice":
            listener.notice(str(message.get("content", "")))
        case "nlws":
            return answer_of(message)
        case "error":
            raise restored(error_of(message.get("problem")), message.get("error"))
    return {}


def _refuse_problem(status: int, body: bytes) -> None:
    if status == httpx2.codes.OK:
        return
    try:
        problem = json.loads(body)
        raise restored(error_of(problem), problem.get("error") if isinstance(problem, dict) else None)
    except (ValueError, RecursionError) as error:
        raise Unreachable(f"The server answered with status {status}.") from error


def error_of(problem: object) -> PegboardError:
    """Return the error that a problem document tells of, with the exit code that it would have had here."""
    held = problem if isinstance(problem, dict) else {}
    message = str(held.get("detail") or "The server could not answer.")
    hint = str(held.get("hint") or "")
    status = held.get("status")
    if isinstance(status, int) and status < 500:
        return UsageError(message, hint=hint)
    match status:
        case 502:
            return CallFailed(message, hint=hint)
        case 503:
            return Unreachable(message, hint=hint)
        case 504:
            return DeadlineExceeded(message, hint=hint)
        case _:
            return PegboardError(message, hint=hint)


def _lost(url: str, error: Exception) -> PegboardError:
    kind = DeadlineExceeded if isinstance(error, httpx2.TimeoutException) else Unreachable
    reason = str(error) or type(error).__name__
    return kind(f"The server at {url} was lost: {reason}.", hint="Try again with --no-server.")

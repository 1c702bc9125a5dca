"""What stands in front of every route: Host, Origin, body size, and headers for the browser.

The server answers on loopback without a login, so a page of any site in the visitor's browser could reach it.
The Host check stops DNS rebinding; the Origin check stops other sites' pages. Neither is a login.
"""

import functools
import ipaddress
import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pegboard.edges.served import Served
from pegboard.edges.web.pinned import served_by
from pegboard.edges.web.problems import BodyTooLarge, BodyTooSlow, HostRefused, OriginRefused, ProblemResponse
from pegboard.errors import PegboardError, UsageError
from pegboard.hosts import HostPatterns

if TYPE_CHECKING:
    from pegboard.app import Settings

BODY_BYTES = 1 << 20
"""A larger body is refused."""

BODY_SECONDS = 30.0
"""A body that takes longer to come is not waited for: who sends it byte by byte would hold a place for ever."""

_CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "*, Authorization",
    "Access-Control-Max-Age": "600",
}


class Guard:
    """ASGI middleware that refuses what may not come in."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            served = served_by(scope)
            _check_host(headers, served)
            origin = _foreign_origin(headers, served.settings)
            _check_length(headers)
        except PegboardError as error:
            await ProblemResponse(error)(scope, receive, _with_headers(send, None))
            return
        guarded = _with_headers(send, origin)
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await Response(status_code=204, headers=_PREFLIGHT)(scope, receive, guarded)
            return
        await self._app(scope, _limited(receive), guarded)


def _check_host(headers: Headers, served: Served) -> None:
    names = headers.getlist("host")
    host = host_name(names[0]) if len(names) == 1 else ""
    if not host or not _answers_for(host, served):
        shown = names[0][:120] if names else ""
        raise HostRefused(
            f"This server does not answer for the host {shown!r}.",
            hint="Give it to a site as a domain, or list it under allowed_hosts in pegboard.toml.",
        )


def _answers_for(host: str, served: Served) -> bool:
    settings = served.settings
    if is_loopback_name(host) or host == settings.host.strip("[]").lower():
        return True
    if _is_any_address(settings.host) and _is_address(host):
        return True  # a rebinding page has a name, never a bare address
    if served.catalog.site_of_host(host) is not None:
        return True
    return _patterns(settings.allowed_hosts).owner(host) is not None


@functools.lru_cache(maxsize=8)
def _patterns(allowed_hosts: tuple[str, ...]) -> HostPatterns:
    return HostPatterns((pattern, pattern) for pattern in allowed_hosts)


def _foreign_origin(headers: Headers, settings: "Settings") -> str | None:
    """Return the allowed origin that is not our own, None when the request comes from no other page."""
    if "origin" not in headers:
        if "cross-site" in headers.getlist("sec-fetch-site") and headers.getlist("sec-fetch-mode") != ["navigate"]:
            raise OriginRefused("A page of another site may not load this.", hint=_ORIGIN_HINT)
        return None
    foreign = foreign_origins(headers)
    allowed = {each.rstrip("/").lower() for each in settings.allowed_origins}
    for origin in foreign:
        if origin.lower() not in allowed and "*" not in allowed:
            raise OriginRefused(f"Pages of the origin {origin[:120]!r} may not ask here.", hint=_ORIGIN_HINT)
    return foreign[0] if foreign else None


_ORIGIN_HINT = "List the page's origin under allowed_origins in pegboard.toml."


_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{0,5}))?", re.IGNORECASE | re.ASCII)
"""RFC 9110, section 7.2, without what no host of ours has: zones of addresses, escapes."""


def host_name(header: str) -> str:
    """Return the name in a Host header, lower-case and without port and brackets; empty if it is none."""
    found = _HOST.fullmatch(header.strip())
    if found is None or int(found[3] or 0) > 65535:
        return ""
    if found[1]:
        return found[1].lower() if _is_address(found[1]) else ""
    return found[2].lower().removesuffix(".")


def foreign_origins(headers: Headers) -> list[str]:
    """Return the origins of pages that are not our own; a browser sends one, who forges may send more."""
    host = headers.get("host", "")
    return [origin for origin in headers.getlist("origin") if not is_same_origin(origin, host)]


def is_loopback_name(host: str) -> bool:
    """Tell whether `host` can only mean this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def is_same_origin(origin: str, host: str) -> bool:
    """Tell whether `origin` is a page of the server asked as `host` (a proxy may have ended TLS)."""
    scheme, _, rest = origin.partition("://")
    if scheme.lower() not in ("http", "https"):
        return False
    port = ":443" if scheme.lower() == "https" else ":80"
    return rest.lower().removesuffix(port) == host.lower().removesuffix(port)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_any_address(host: str) -> bool:
    return _is_address(host) and ipaddress.ip_address(host).is_unspecified


def _check_length(headers: Headers) -> None:
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        raise UsageError(f"Content-Length is {length[:40]!r}.", hint="It must be a number.")
    if int(length[:20]) > BODY_BYTES:
        raise _too_large()


def _too_large() -> BodyTooLarge:
    return BodyTooLarge(f"The body has more than {BODY_BYTES:,} bytes.", hint="A question needs far less.")


def _limited(receive: Receive, *, seconds: float = BODY_SECONDS) -> Receive:
    """Count the bytes that come in, for those who do not say how many there will be, and the time that they take."""
    seen, is_whole = 0, False
    ends = anyio.current_time() + seconds

    async def counting() -> Message:
        nonlocal seen, is_whole
        with anyio.CancelScope(deadline=math.inf if is_whole else ends):
            message = await receive()
            seen += len(message.get("body", b""))
            is_whole = is_whole or not message.get("more_body", False)
            if seen > BODY_BYTES:
                raise _too_large()
            return message
        raise BodyTooSlow(f"The body did not come within {seconds:g} seconds.", hint="Send it at once.")

    return counting


def _with_headers(send: Send, origin: str | None) -> Send:
    async def adding(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _safety_headers(origin):
                headers.setdefault(name, value)
            headers.add_vary_header("Origin")
        await send(message)

    return adding


def _safety_headers(origin: str | None) -> Iterator[tuple[str, str]]:
    yield "Content-Security-Policy", _CONTENT_POLICY
    yield "X-Content-Type-Options", "nosniff"
    yield "Referrer-Policy", "no-referrer"
    yield "Cross-Origin-Resource-Policy", "same-origin" if origin is None else "cross-origin"
    if origin is not None:
        yield "Access-Control-Allow-Origin", origin

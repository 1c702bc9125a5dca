"""`Client`: sends requests and reads replies, no further than they may be long and no longer than they may take."""

import ssl
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import anyio
import httpcore2

import pegboard
from pegboard.errors import UpstreamFailed, UpstreamTimedOut
from pegboard.net.connect import Guarded, refuse
from pegboard.net.exchange import Request, Response
from pegboard.net.policy import Policy
from pegboard.net.redirect import REDIRECTS, followed
from pegboard.net.target import Target, target_of
from pegboard.net.unpack import ACCEPTED, Damaged, Unpacked

MAX_BYTES = 4 << 20
"""Of one reply."""
NETWORK_SECONDS = 5.0
"""How long nothing may happen on a connection."""
_CONNECTIONS = 100
_IDLE_CONNECTIONS = 20
_IDLE_SECONDS = 30.0

POLICY = Policy()
"""Where no setting allows more."""


class Client:
    """An open client; made by `client`. Safe to use from several tasks."""

    def __init__(self, declared: httpcore2.AsyncConnectionPool, foreign: httpcore2.AsyncConnectionPool) -> None:
        self._declared = declared
        self._foreign = foreign

    async def send(
        self,
        request: Request,
        *,
        timeout_seconds: float,
        max_bytes: int = MAX_BYTES,
        network_timeout_seconds: float = NETWORK_SECONDS,
        redirects: int = 0,
    ) -> Response:
        """Send `request` and read its reply, at most `max_bytes` of it; any status is a reply.

        All together takes at most `timeout_seconds`, and waits `network_timeout_seconds` for a connection and for each
        piece. So many `redirects` are followed, each judged anew; one more is a reply like others where none are
        wanted, else a failure.

        Raises:
            UpstreamFailed: there is no reply.
            UpstreamTimedOut: nor is there one in time.
            CallRefused: the address is none that may be asked.
        """
        host = _target(request).host
        with anyio.move_on_after(timeout_seconds) as scope:
            for left in range(redirects, -1, -1):
                response = await self._exchanged(request, max_bytes, min(network_timeout_seconds, timeout_seconds))
                if not redirects or response.status not in REDIRECTS:
                    return response
                if left:
                    request = _next(host, request, response)
            raise UpstreamFailed(f"{host} redirects more than {redirects} times.")
        assert scope.cancelled_caught
        raise UpstreamTimedOut(f"{host} did not answer within {timeout_seconds:g} s.", is_retryable=True)

    async def _exchanged(self, request: Request, max_bytes: int, seconds: float) -> Response:
        target = _target(request)
        try:
            return await self._exchange(request, target, max_bytes, seconds)
        except httpcore2.TimeoutException as error:
            message = f"Nothing came from {target.host} for {seconds:g} s."
            raise UpstreamTimedOut(message, is_retryable=True) from error
        except httpcore2.ConnectError as error:
            why = "its certificate is none that is trusted" if _is_untrusted(error) else "there is no connection"
            is_retryable = not _is_untrusted(error)
            raise UpstreamFailed(f"{target.host} cannot be reached: {why}.", is_retryable=is_retryable) from error
        except (httpcore2.NetworkError, httpcore2.RemoteProtocolError) as error:
            message = f"{target.host} broke off, or speaks no HTTP that can be understood."
            raise UpstreamFailed(message, is_retryable=True) from error
        except httpcore2.LocalProtocolError:  # its text quotes what may be a secret
            raise UpstreamFailed(f"The request to {target.host} cannot be sent as HTTP.") from None
        except Damaged as error:
            raise UpstreamFailed(f"The reply of {target.host} cannot be read: {error}.") from error

    async def _exchange(self, request: Request, target: Target, max_bytes: int, seconds: float) -> Response:
        pool = self._foreign if request.is_foreign else self._declared
        async with pool.stream(
            request.method,
            httpcore2.URL(scheme=target.scheme, host=target.host, port=target.port, target=target.path),
            headers=_headers(request, target),
            content=request.body,
            extensions={"timeout": dict.fromkeys(("connect", "read", "write", "pool"), seconds)},
        ) as reply:
            headers = tuple((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in reply.headers)
            body = await _read(reply, headers, max_bytes, is_empty=request.method == "HEAD")
        return Response(reply.status, headers, bytes(body[:max_bytes]), request.url, is_cut_off=len(body) > max_bytes)


async def _read(
    reply: httpcore2.Response, headers: tuple[tuple[str, str], ...], max_bytes: int, *, is_empty: bool
) -> bytearray:
    """Return the body, or a little more than `max_bytes` of it."""
    body = bytearray()
    if is_empty:
        return body
    encoding = next((value for name, value in headers if name == "content-encoding"), "")
    unpacked, has_come = Unpacked(encoding), False
    async with aclosing(reply.aiter_stream()) as stream:
        async for data in stream:
            has_come = has_come or bool(data)
            for piece in unpacked.feed(data):
                body += piece
                if len(body) > max_bytes:
                    return body
    if has_come:
        unpacked.finish()
    return body


def _headers(request: Request, target: Target) -> list[tuple[bytes, bytes]]:
    given = {name.lower() for name, _ in request.headers}
    ours = (
        ("Host", target.authority),
        ("Accept-Encoding", ACCEPTED),
        ("User-Agent", f"pegboard/{pegboard.__version__}"),
    )
    headers = [(name, value) for name, value in ours if name.lower() not in given]
    try:
        return [(name.encode("ascii"), value.encode("latin-1")) for name, value in (*headers, *request.headers)]
    except UnicodeEncodeError:
        raise httpcore2.LocalProtocolError("a header is not latin-1") from None


def _target(request: Request) -> Target:
    """Return where `request` goes.

    Raises:
        CallRefused: nowhere that may be asked.
    """
    try:
        return target_of(request.url)
    except ValueError as error:
        refuse("An address", str(error))


def _next(host: str, request: Request, response: Response) -> Request:
    try:
        return followed(request, response)
    except ValueError as error:
        raise UpstreamFailed(f"{host} redirects, and {error}.") from error


def _is_untrusted(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


@asynccontextmanager
async def client(policy: Policy = POLICY, *, trust: ssl.SSLContext | None = None) -> AsyncIterator[Client]:
    """Open a client that reaches what `policy` allows; `trust` says whose certificates are believed."""
    context = trust or httpcore2.default_ssl_context()

    def pool(*, is_foreign: bool) -> httpcore2.AsyncConnectionPool:
        return httpcore2.AsyncConnectionPool(
            ssl_context=context,
            max_connections=_CONNECTIONS,
            max_keepalive_connections=_IDLE_CONNECTIONS,
            keepalive_expiry=_IDLE_SECONDS,
            network_backend=Guarded(policy, is_foreign=is_foreign),
        )

    async with pool(is_foreign=False) as declared, pool(is_foreign=True) as foreign:
        yield Client(declared, foreign)

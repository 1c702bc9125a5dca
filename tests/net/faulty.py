"""A loopback server that goes wrong in every way that services do, one way for each path; it counts what is open.

`/echo` and what a test adds to `routes` answer properly; they are what requests are checked with, byte for byte.
"""

import gzip
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache

import anyio
from anyio.abc import SocketAttribute, SocketStream

from pegboard.text import to_json

_PIECE = 64 << 10


@dataclass
class Asked:
    """A request as it came."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        """Return a header by its name in small letters; None where there is none."""
        return next((value for key, value in self.headers if key.lower() == name), None)


@dataclass
class Wire:
    """The connection that a request came on."""

    stream: SocketStream
    asked: Asked
    pace_seconds: float
    """Between two bytes of what drips."""
    stays: bool = False
    """The connection may be used again."""

    async def send(self, data: bytes) -> None:
        await self.stream.send(data)

    async def reply(self, body: object = b"", status: int = 200, kind: str = "application/json", **more: str) -> None:
        """Answer properly."""
        data = body if isinstance(body, bytes) else to_json(body).encode()
        headers = {
            "content-type": kind,
            "content-length": str(len(data)),
            **{k.replace("_", "-"): v for k, v in more.items()},
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.stays = True
        await self.send(
            f"HTTP/1.1 {status} Said\r\n{lines}\r\n".encode() + (b"" if self.asked.method == "HEAD" else data)
        )

    async def begin(self, *headers: str, status: str = "200 OK") -> None:
        """Send the head of an answer."""
        await self.send("\r\n".join((f"HTTP/1.1 {status}", *headers, "", "")).encode())

    async def until_left(self) -> None:
        """Wait until the client has gone."""
        while True:
            try:
                await self.stream.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                return


Behaviour = Callable[[Wire], Awaitable[None]]


@dataclass
class Faulty:
    """The server, as tests see it."""

    url: str = ""
    pace_seconds: float = 0.05
    routes: dict[str, Behaviour] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    open_requests: int = 0
    _changed: anyio.Event = field(default_factory=anyio.Event)

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until `is_so` says yes; it is asked whenever what is open has changed."""
        while not is_so():
            await self._changed.wait()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    async def serve(self, stream: SocketStream) -> None:
        self.connections += 1
        try:
            async with stream:
                while (asked := await _read(stream)) is not None and await self._answered(stream, asked):
                    pass
        except (anyio.BrokenResourceError, anyio.EndOfStream, anyio.ClosedResourceError):
            pass
        finally:
            self.connections -= 1
            self._tell()

    async def _answered(self, stream: SocketStream, asked: Asked) -> bool:
        self.asked.append(asked)
        del self.asked[:-50]
        wire = Wire(stream, asked, self.pace_seconds)
        path = asked.target.partition("?")[0]
        self.open_requests += 1
        self._tell()
        try:
            await (self.routes.get(path) or FAULTS.get(path.removeprefix("/")) or echo)(wire)
        finally:
            self.open_requests -= 1
            self._tell()
        return wire.stays


async def _read(stream: SocketStream) -> Asked | None:
    data = b""
    while b"\r\n\r\n" not in data:
        data += await stream.receive()
        if not data[:1].isupper():  # a greeting of TLS
            await stream.send(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            return None
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    asked = Asked(method, target, headers, body)
    while len(asked.body) < int(asked.header("content-length") or 0):
        asked.body += await stream.receive()
    return asked


async def echo(wire: Wire) -> None:
    """Say what was asked."""
    asked = wire.asked
    told = {
        "method": asked.method,
        "target": asked.target,
        "headers": dict(asked.headers),
        "body": asked.body.decode("utf-8", "replace"),
    }
    await wire.reply(told)


async def hangs_before_headers(wire: Wire) -> None:
    await wire.until_left()


async def hangs_in_headers(wire: Wire) -> None:
    await wire.send(b"HTTP/1.1 200 OK\r\ncontent-ty")
    await wire.until_left()


async def hangs_after_headers(wire: Wire) -> None:
    await wire.begin("content-length: 10")
    await wire.until_left()


async def drips(wire: Wire) -> None:
    await wire.begin("content-type: application/json", "content-length: 100000")
    await _drip(wire, b"[")


async def drips_headers(wire: Wire) -> None:
    await wire.send(b"HTTP/1.1 200 OK\r\nx: ")
    await _drip(wire, b"a")


async def _drip(wire: Wire, byte: bytes) -> None:
    while True:
        await wire.send(byte)
        await anyio.sleep(wire.pace_seconds)


async def closes_at_once(wire: Wire) -> None:
    pass


async def closes_in_headers(wire: Wire) -> None:
    await wire.send(b"HTTP/1.1 200 OK\r\ncontent-type: app")


async def closes_in_body(wire: Wire) -> None:
    await wire.begin("content-type: application/json", "content-length: 100")
    await wire.send(b'{"a":')


async def closes_in_chunks(wire: Wire) -> None:
    await wire.begin("content-type: application/json", "transfer-encoding: chunked")
    await wire.send(b"5\r\n[1,2,\r\n")


async def sends_two_gigabytes(wire: Wire) -> None:
    await wire.begin("content-type: application/json", f"content-length: {2 << 30}")
    await _flood(wire)


async def sends_without_end(wire: Wire) -> None:
    await wire.begin("content-type: text/plain", "transfer-encoding: chunked")
    while True:
        await wire.send(b"10000\r\n" + b" " * _PIECE + b"\r\n")


async def _flood(wire: Wire) -> None:
    for _ in range((2 << 30) // _PIECE):
        await wire.send(b" " * _PIECE)


async def length_too_long(wire: Wire) -> None:
    await wire.begin("content-type: application/json", "content-length: 50")
    await wire.send(b"[1,2,3]")


async def length_too_short(wire: Wire) -> None:
    await wire.begin("content-type: application/json", "content-length: 3", "connection: close")
    await wire.send(b"[1,2,3]")


async def two_lengths(wire: Wire) -> None:
    await wire.begin("content-length: 3", "content-length: 7")
    await wire.send(b"[1,2,3]")


async def wrong_charset(wire: Wire) -> None:
    await wire.reply('{"city": "北京"}'.encode("gbk"), kind="application/json; charset=utf-8")


async def unknown_charset(wire: Wire) -> None:
    await wire.reply(b"{}", kind="application/json; charset=klingon")


async def wrong_type(wire: Wire) -> None:
    await wire.reply(b"\x89PNG\r\n\x1a\n", kind="application/json")


async def html(wire: Wire) -> None:
    await wire.reply(b"<!doctype html><title>Sign in</title>", kind="text/html")


async def redirects_to_metadata(wire: Wire) -> None:
    await wire.reply(status=302, location="http://169.254.169.254/latest/meta-data/")


async def redirects_to_private(wire: Wire) -> None:
    await wire.reply(status=307, location="http://10.0.0.1/")


async def redirects_for_ever(wire: Wire) -> None:
    await wire.reply(status=302, location="/redirects_for_ever")


async def redirects_nowhere(wire: Wire) -> None:
    await wire.reply(status=302)


async def redirects_to_a_file(wire: Wire) -> None:
    await wire.reply(status=302, location="file:///etc/passwd")


async def too_many(wire: Wire) -> None:
    await wire.reply({"error": "slow down"}, status=429, retry_after="7")


async def too_many_for_ever(wire: Wire) -> None:
    await wire.reply({"error": "slow down"}, status=429)


async def broken(wire: Wire) -> None:
    await wire.reply(b"Traceback: /srv/secret.py", status=500, kind="text/plain")


async def overloaded(wire: Wire) -> None:
    await wire.reply(status=503, retry_after="Mon, 01 Jan 2001 00:00:00 GMT")


async def unauthorised(wire: Wire) -> None:
    await wire.reply(status=401)


async def unknown(wire: Wire) -> None:
    await wire.reply(status=404)


async def refuses_arguments(wire: Wire) -> None:
    await wire.reply({"title": "Bad", "detail": "city is unknown"}, status=422, kind="application/problem+json")


async def empty(wire: Wire) -> None:
    await wire.reply()


async def no_content(wire: Wire) -> None:
    wire.stays = True
    await wire.begin(status="204 No Content")


async def half_json(wire: Wire) -> None:
    await wire.reply(b'{"a": [1, 2')


async def not_a_number(wire: Wire) -> None:
    await wire.reply(b'{"a": NaN}')


async def deep_json(wire: Wire) -> None:
    await wire.reply(b"[" * 100_000 + b"]" * 100_000)


async def gzip_bomb(wire: Wire) -> None:
    await wire.reply(_bomb(), content_encoding="gzip")


async def bad_gzip(wire: Wire) -> None:
    await wire.reply(b"this is no gzip", content_encoding="gzip")


async def half_gzip(wire: Wire) -> None:
    await wire.reply(gzip.compress(b"[1,2,3]")[:-9], content_encoding="gzip")


async def unasked_encoding(wire: Wire) -> None:
    await wire.reply(b"\x1b\x02\x00", content_encoding="br")


async def header_flood(wire: Wire) -> None:
    await wire.send(b"HTTP/1.1 200 OK\r\n")
    while True:
        await wire.send(b"x-flood: " + b"a" * 8000 + b"\r\n")


async def continues_only(wire: Wire) -> None:
    await wire.send(b"HTTP/1.1 100 Continue\r\n\r\n")
    await wire.until_left()


async def continues_for_ever(wire: Wire) -> None:
    while True:
        await wire.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        await anyio.sleep(wire.pace_seconds)


async def no_http(wire: Wire) -> None:
    await wire.send(b"SSH-2.0-OpenSSH_9.6\r\n")


async def switches_protocol(wire: Wire) -> None:
    await wire.begin("upgrade: websocket", "connection: upgrade", status="101 Switching Protocols")
    await wire.until_left()


@cache
def _bomb() -> bytes:
    """Return a few bytes that unpack to 64 MiB."""
    zipped = zlib.compressobj(1, wbits=zlib.MAX_WBITS | 16)
    return b"".join([*(zipped.compress(bytes(1 << 20)) for _ in range(64)), zipped.flush()])


FAULTS: Mapping[str, Behaviour] = {
    behaviour.__name__: behaviour
    for behaviour in (
        hangs_before_headers, hangs_in_headers, hangs_after_headers, drips, drips_headers,
        closes_at_once, closes_in_headers, closes_in_body, closes_in_chunks,
        sends_two_gigabytes, sends_without_end, length_too_long, length_too_short, two_lengths,
        wrong_charset, unknown_charset, wrong_type, html,
        redirects_to_metadata, redirects_to_private, redirects_for_ever, redirects_nowhere, redirects_to_a_file,
        too_many, too_many_for_ever, broken, overloaded, unauthorised, unknown, refuses_arguments,
        empty, no_content, half_json, not_a_number, deep_json,
        gzip_bomb, bad_gzip, half_gzip, unasked_encoding,
        header_flood, continues_only, continues_for_ever, no_http, switches_protocol,
    )
}  # fmt: skip
"""By the path that shows them."""


@asynccontextmanager
async def faulty(**routes: Behaviour) -> AsyncIterator[Faulty]:
    """Serve on a free port of loopback; `routes` answer at `/NAME`."""
    server = Faulty(routes={f"/{name}": behaviour for name, behaviour in routes.items()})
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as group:
        server.url = f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}"
        group.start_soon(listener.serve, server.serve)
        yield server
        group.cancel_scope.cancel()

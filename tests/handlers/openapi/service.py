"""A service on loopback that keeps every request byte for byte, and answers as it is told."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import h11
from anyio.abc import SocketAttribute, SocketStream


@dataclass(frozen=True)
class Asked:
    """A request as it came over the wire."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    """Names in lower case."""
    body: bytes

    def header(self, name: str) -> str | None:
        found = [value for key, value in self.headers if key == name]
        assert len(found) < 2, found
        return found[0] if found else None


@dataclass
class Service:
    """What is asked, and what is answered."""

    url: str = ""
    status: int = 200
    headers: list[tuple[str, str]] = field(default_factory=lambda: [("content-type", "application/json")])
    body: bytes = b"{}"
    by_target: dict[str, tuple[int, list[tuple[str, str]], bytes]] = field(default_factory=dict)
    """Other answers, by target."""
    asked: list[Asked] = field(default_factory=list)

    @property
    def last(self) -> Asked:
        return self.asked[-1]

    async def serve(self, stream: SocketStream) -> None:
        connection = h11.Connection(h11.SERVER)
        async with stream:
            while await self._one(connection, stream):
                connection.start_next_cycle()

    async def _one(self, connection: h11.Connection, stream: SocketStream) -> bool:
        request: h11.Request | None = None
        body = b""
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                try:
                    connection.receive_data(await stream.receive())
                except (anyio.EndOfStream, anyio.BrokenResourceError):
                    return False
            elif isinstance(event, h11.Request):
                request = event
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                break
            else:
                return False
        assert request is not None
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers)
        self.asked.append(Asked(request.method.decode(), request.target.decode(), headers, body))
        status, told, content = self.by_target.get(self.last.target, (self.status, self.headers, self.body))
        answered = [*told, ("content-length", str(len(content)))]
        sent = connection.send(h11.Response(status_code=status, headers=answered)) or b""
        if self.last.method != "HEAD":
            sent += connection.send(h11.Data(content)) or b""
        sent += connection.send(h11.EndOfMessage()) or b""
        await stream.send(sent)
        return connection.our_state is h11.DONE and connection.their_state is h11.DONE


@asynccontextmanager
async def service() -> AsyncIterator[Service]:
    """Open a service on a free port."""
    made = Service()
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    made.url = f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}"
    async with listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, made.serve)
        yield made
        group.cancel_scope.cancel()

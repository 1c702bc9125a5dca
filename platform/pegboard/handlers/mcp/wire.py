"""`Wire`: the two streams that a session speaks through, and how they ended; what every transport gives."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.shared.message import SessionMessage

MAX_BYTES = 4 << 20
"""Of one message of a server's."""


@dataclass(slots=True)
class Wire:
    """An open way to a server."""

    incoming: ReadStream[SessionMessage | Exception]
    outgoing: WriteStream[SessionMessage]
    ended: str = ""
    """What the server did that ended it, such as `ended`; empty while it is open."""

    def end(self, why: str) -> None:
        """Say why it has ended; the first reason counts."""
        self.ended = self.ended or why

    async def __aenter__(self) -> TransportStreams:
        """Give the streams, as the SDK takes them; who opened the wire closes it."""
        return self.incoming, self.outgoing

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


class Place(Protocol):
    """Where a server is: an address, or a program to start. Equal places are the same server."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """Texts that nobody is shown."""
        ...

    def wire(self) -> AbstractAsyncContextManager[Wire]:
        """Open a way to it.

        Raises:
            CallFailed: there is none.
        """
        ...

    def __hash__(self) -> int: ...

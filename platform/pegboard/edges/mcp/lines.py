"""`Lines`: stdin, line by line, so that waiting for the next one can be cancelled: a thread that reads could not be."""

import os
from collections.abc import AsyncIterator

import anyio
import anyio.to_thread

LINE_BYTES = 4 << 20
"""A longer line is given as a mark that is no JSON, and its rest is passed over."""
TOO_LONG = "(a message of more than 4 MiB)\n"
_READ_BYTES = 64 << 10


class Lines:
    """The lines of a file descriptor; what is no UTF-8 in them becomes a mark."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    async def __aiter__(self) -> AsyncIterator[str]:
        held = bytearray()
        is_passing = False
        while chunk := await self._read():
            *ended, rest = chunk.split(b"\n")
            for piece in ended:
                line, is_long = bytes(held) + piece, is_passing or len(held) + len(piece) > LINE_BYTES
                held.clear()
                is_passing = False
                yield TOO_LONG if is_long else line.decode("utf-8", "replace") + "\n"
            held += rest
            if len(held) > LINE_BYTES:
                held.clear()
                is_passing = True
        if held or is_passing:
            yield TOO_LONG if is_passing else held.decode("utf-8", "replace")

    async def _read(self) -> bytes:
        """Read what is there; empty at the end."""
        try:
            await anyio.wait_readable(self._fd)
        except (OSError, ValueError):  # a plain file, which cannot be waited for and never lets anybody wait
            return await anyio.to_thread.run_sync(os.read, self._fd, _READ_BYTES)
        return os.read(self._fd, _READ_BYTES)

"""`patiently`: on a terminal, say what is waited for and for how long; a model may take a minute to plan."""

import time
from collections.abc import Awaitable, Callable
from typing import TextIO, TypeVar

import anyio

from pegboard.edges.cli.output import is_terminal

_SILENT_SECONDS = 1.0
"""What takes no longer is not told."""
_CLEARED = "\r\x1b[K"

Value = TypeVar("Value")


async def patiently(doing: str, work: Callable[[], Awaitable[Value]], stream: TextIO) -> Value:
    """Return what `work` gives; anywhere but on a terminal nothing is written.

    Raises:
        Exception: what `work` raises.
    """
    if not is_terminal(stream):
        return await work()
    results: list[Value] = []
    errors: list[Exception] = []
    async with anyio.create_task_group() as group:
        group.start_soon(_tell, doing, stream)
        try:
            results.append(await work())
        except Exception as error:  # noqa: BLE001 (raised below, outside of the group that would wrap it)
            errors.append(error)
        finally:
            stream.write(_CLEARED)
            stream.flush()
        group.cancel_scope.cancel()
    if errors:
        raise errors[0]
    return results[0]


async def _tell(doing: str, stream: TextIO) -> None:
    began = time.monotonic()
    while True:
        await anyio.sleep(_SILENT_SECONDS)
        stream.write(f"{_CLEARED}  {doing} {time.monotonic() - began:.0f} s")
        stream.flush()

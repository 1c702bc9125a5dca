"""Work on a reply that is large: in a thread, so that nothing else waits for it and a cancelled call leaves at once."""

from collections.abc import Callable
from typing import TypeVar

import anyio.to_thread

T = TypeVar("T")

LARGE_BYTES = 128 << 10
"""A smaller reply is read sooner than a thread begins."""


async def aside(work: Callable[[], T], *, size: int) -> T:
    """Return what `work` on `size` bytes gives; what it raises is raised here. Who is cancelled waits for no end."""
    if size < LARGE_BYTES:
        return work()
    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)

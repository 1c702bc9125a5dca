"""Large replies are worked on beside everything else."""

import threading

import anyio
import pytest

from pegboard.net.aside import LARGE_BYTES, aside

pytestmark = pytest.mark.anyio


async def test_a_small_reply_is_read_where_it_is_and_a_large_one_in_a_thread() -> None:
    here = threading.get_ident()
    assert await aside(threading.get_ident, size=LARGE_BYTES - 1) == here
    assert await aside(threading.get_ident, size=LARGE_BYTES) != here


async def test_who_is_cancelled_leaves_at_once() -> None:
    begun, may_end = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        may_end.wait(20)

    with anyio.fail_after(10):
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: aside(work, size=LARGE_BYTES))
            await anyio.to_thread.run_sync(begun.wait)
            group.cancel_scope.cancel()
    may_end.set()


async def test_what_it_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        await aside(lambda: 1 // 0, size=LARGE_BYTES)

"""What stays open between calls, and says that it is broken."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from pegboard.run.keeping import Keeper


@dataclass
class Line:
    number: int
    is_broken: bool = False
    is_open: bool = True


async def test_what_says_that_it_is_broken_is_opened_anew_and_closed_when_nobody_uses_it() -> None:
    lines: list[Line] = []
    closed = anyio.Event()

    @asynccontextmanager
    async def opening() -> AsyncIterator[Line]:
        line = Line(len(lines))
        lines.append(line)
        yield line
        line.is_open = False
        closed.set()

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            keeper = Keeper(group)
            async with keeper.using("line", opening) as first:
                first.is_broken = True
                async with keeper.using("line", opening) as second:
                    assert (first.number, second.number) == (0, 1)
                    assert first.is_open
            await closed.wait()
            assert [line.is_open for line in lines] == [False, True]
            async with keeper.using("line", opening) as third:
                assert third is second
            group.cancel_scope.cancel()

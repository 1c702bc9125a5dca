"""What stays open between calls: opened once, closed when idle, opened anew after a failure."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest

from pegboard.run.keeping import Keeper

pytestmark = pytest.mark.anyio


class Door:
    """Something that opens and closes, and counts it."""

    def __init__(self) -> None:
        self.opened = 0
        self.closed = anyio.Event()
        self.fails = False
        self.may_open = anyio.Event()
        self.may_open.set()

    @asynccontextmanager
    async def opening(self) -> AsyncIterator[int]:
        await self.may_open.wait()
        if self.fails:
            raise ConnectionError("nobody is there")
        self.opened += 1
        try:
            yield self.opened
        finally:
            self.closed.set()


async def test_it_is_opened_once_for_all_who_ask_at_once() -> None:
    door, got = Door(), list[int]()
    door.may_open = anyio.Event()

    async def use(keeper: Keeper) -> None:
        async with keeper.using("door", door.opening) as held:
            got.append(held)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            keeper = Keeper(group)
            async with anyio.create_task_group() as users:
                for _ in range(10):
                    users.start_soon(use, keeper)
                door.may_open.set()
            assert (got, door.opened, door.closed.is_set()) == ([1] * 10, 1, False)
            group.cancel_scope.cancel()
    assert door.closed.is_set()


async def test_what_has_been_idle_is_closed_and_opened_again_when_it_is_asked_for() -> None:
    door = Door()
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            keeper = Keeper(group, idle_seconds=0)
            async with keeper.using("door", door.opening) as first:
                await anyio.lowlevel.checkpoint()
                assert not door.closed.is_set()
            await door.closed.wait()
            async with keeper.using("door", door.opening) as second:
                assert (first, second) == (1, 2)
            group.cancel_scope.cancel()


async def test_what_cannot_be_opened_fails_for_all_who_wait_and_is_tried_anew() -> None:
    door, failed = Door(), list[str]()
    door.fails, door.may_open = True, anyio.Event()

    async def use(keeper: Keeper) -> None:
        try:
            async with keeper.using("door", door.opening):
                pass
        except ConnectionError as error:
            failed.append(str(error))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            keeper = Keeper(group)
            async with anyio.create_task_group() as users:
                users.start_soon(use, keeper)
                users.start_soon(use, keeper)
                await anyio.wait_all_tasks_blocked()
                door.may_open.set()
            assert failed == ["nobody is there"] * 2
            door.fails = False
            async with keeper.using("door", door.opening) as held:
                assert held == 1
            group.cancel_scope.cancel()


async def test_what_is_dropped_stays_with_its_users_and_is_new_for_the_next() -> None:
    door = Door()
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            keeper = Keeper(group)
            async with keeper.using("door", door.opening) as first:
                keeper.drop("door")
                await anyio.wait_all_tasks_blocked()
                assert not door.closed.is_set()
                async with keeper.using("door", door.opening) as second:
                    assert (first, second, len(keeper)) == (1, 2, 1)
            await door.closed.wait()
            group.cancel_scope.cancel()


async def test_a_user_who_is_cancelled_lets_go() -> None:
    door = Door()
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            keeper = Keeper(group, idle_seconds=0)
            with anyio.CancelScope() as scope:
                async with keeper.using("door", door.opening):
                    scope.cancel()
                    await anyio.sleep_forever()
            await door.closed.wait()
            assert len(keeper) == 0

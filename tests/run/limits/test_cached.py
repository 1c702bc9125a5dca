"""Results that are used again, and calls that several wait for."""

from collections.abc import AsyncIterator
from dataclasses import replace

import anyio
import pytest
from anyio.abc import TaskGroup
from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.contract import Context, Result
from pegboard.errors import CallFailed, DeadlineExceeded
from pegboard.events import Event, Noticed
from pegboard.run.limits.cached import Cached, Store, key_of
from pegboard.run.limits.call import Call
from tests.pacing.virtual import VirtualClock
from tests.run.limits.calling import Held, Scripted, a_call
from tests.twins import a_toolset, context

pytestmark = pytest.mark.anyio


@pytest.fixture
async def group() -> AsyncIterator[TaskGroup]:
    async with anyio.create_task_group() as group:
        yield group
        group.cancel_scope.cancel()


async def test_equal_arguments_get_the_same_result_while_it_is_good(group: TaskGroup) -> None:
    clock, attempt = VirtualClock(), Scripted()
    cached = Cached(attempt, Store(60, clock=clock), group)
    first = await cached(a_call(a=1, b=[2]))
    assert await cached(a_call(b=[2], a=1)) == first
    assert attempt.calls == 1
    clock.time = 60
    assert (await cached(a_call(a=1, b=[2]))).data == {"call": 2}


@pytest.mark.parametrize("other", [{"a": 2}, {"a": "1"}, {"a": True}, {"a": 1.5}, {}, {"a": 1, "b": None}])
async def test_other_arguments_get_another(group: TaskGroup, other: dict[str, object]) -> None:
    attempt = Scripted()
    cached = Cached(attempt, Store(60), group)
    await cached(a_call(a=1))
    await cached(a_call(**other))  # type: ignore[arg-type]
    assert attempt.calls == 2


async def test_another_site_and_another_language_get_another(group: TaskGroup) -> None:
    attempt = Scripted()
    cached = Cached(attempt, Store(60), group)
    call = a_call(a=1)
    for asked in (context(), replace(context(), toolset=a_toolset(site="there")), replace(context(), language="zh")):
        await cached(replace(call, context=asked))
    assert attempt.calls == 3


async def test_an_error_is_not_kept(group: TaskGroup) -> None:
    attempt = Scripted([CallFailed("No.")])
    cached = Cached(attempt, Store(60), group)
    with pytest.raises(CallFailed):
        await cached(a_call())
    assert (await cached(a_call())).text == "done"


async def test_who_changes_its_data_changes_nobody_elses(group: TaskGroup) -> None:
    cached = Cached(Scripted(), Store(60), group)
    for _ in range(3):
        result = await cached(a_call())
        assert result.data == {"call": 1}
        assert isinstance(result.data, dict)
        result.data["call"] = "changed"


async def test_calls_at_once_are_one_and_who_leaves_takes_it_from_nobody(group: TaskGroup) -> None:
    held = Held()
    store = Store(60)
    cached = Cached(held, store, group)
    results: list[Result] = []
    scopes = [anyio.CancelScope() for _ in range(4)]

    async def one(scope: anyio.CancelScope) -> None:
        with scope:
            results.append(await cached(a_call()))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as callers:
            for scope in scopes:
                callers.start_soon(one, scope)
            await anyio.wait_all_tasks_blocked()
            scopes[0].cancel()
            await anyio.wait_all_tasks_blocked()
            assert (held.calls, held.running) == (1, 1)
            held.gate.set()
    assert [result.data for result in results] == [[1], [1], [1]]
    assert store.flights == {}


async def test_when_all_have_left_the_call_has_ended(group: TaskGroup) -> None:
    held, store = Held(), Store(60)
    cached = Cached(held, store, group)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as callers:
            for _ in range(3):
                callers.start_soon(cached, a_call())
            await anyio.wait_all_tasks_blocked()
            callers.cancel_scope.cancel()
    assert (held.calls, held.running, store.flights, len(store)) == (1, 0, {}, 0)


async def test_who_has_more_time_than_the_one_who_began_calls_again(group: TaskGroup) -> None:
    ends: list[object] = []

    async def attempt(call: Call) -> Result:
        with anyio.move_on_after(call.seconds_left):
            await gate.wait()
            return Result(text="done")
        raise DeadlineExceeded("Late.")

    async def one(call: Call) -> None:
        try:
            ends.append((await cached(call)).text)
        except DeadlineExceeded:
            ends.append("late")
            gate.set()

    gate = anyio.Event()
    cached = Cached(attempt, Store(60), group)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as callers:
            callers.start_soon(one, a_call(ends_at=anyio.current_time() + 0.02))
            await anyio.wait_all_tasks_blocked()
            callers.start_soon(one, a_call())
    assert ends == ["late", "done"]


async def test_who_has_left_hears_no_more_of_the_call(group: TaskGroup) -> None:
    gate, begun, heard = anyio.Event(), anyio.Event(), list[Event]()

    async def attempt(call: Call) -> Result:
        given: Context = call.given
        given.emit(Noticed("before"))
        begun.set()
        await gate.wait()
        given.emit(Noticed("after"))
        return Result(text="done")

    cached = Cached(attempt, Store(60), group)
    scope = anyio.CancelScope()

    async def leader() -> None:
        with scope:
            await cached(replace(a_call(), emit=heard.append))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as callers:
            callers.start_soon(leader)
            await begun.wait()
            callers.start_soon(cached, a_call())
            await anyio.wait_all_tasks_blocked()
            scope.cancel()
            await anyio.wait_all_tasks_blocked()
            gate.set()
    assert heard == [Noticed("before")]


@given(
    st.integers(1, 5), st.integers(10, 200), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 150)), max_size=60)
)
def test_no_more_is_kept_than_may_be(most: int, most_bytes: int, puts: list[tuple[int, int]]) -> None:
    store = Store(60, most=most, most_bytes=most_bytes, clock=VirtualClock())
    for number, size in puts:
        store.put(key_of("s", "en", {"n": number}), Result(text="x" * size))
        assert len(store) <= most
        assert store.bytes <= most_bytes
    assert store.bytes >= 0

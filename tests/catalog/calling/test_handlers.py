"""Python handlers of every form: what they give, how they stream, what becomes of them when nobody waits."""

import datetime
import math
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.to_thread
import pytest

from pegboard.catalog.calling import pieces, threads
from pegboard.catalog.calling.handlers import call_function
from pegboard.catalog.calling.pieces import Pieces
from pegboard.catalog.calling.threads import Job, LetGo, Threads
from pegboard.catalog.calling.values import NoJson, as_json, as_result
from pegboard.catalog.contract import Context, Handler, Result
from pegboard.catalog.loading.handler import runner, signature_of
from pegboard.errors import LimitReached
from pegboard.events import CallPiece, Event, Noticed
from pegboard.text import Json
from tests.twins import context

SECONDS = 20


async def called(
    handler: Callable[..., Any] | type[Handler], events: list[Event] | None = None, **given: Json
) -> Result:
    """Call a handler as a tool does."""
    with anyio.fail_after(SECONDS):
        heard = events if events is not None else []
        return await runner(handler, signature_of(handler))(context(emit=heard.append), given)


# What streams


def counting(upto: int) -> Iterator[str]:
    for number in range(upto):
        yield f"{number} "


async def counting_slowly(upto: int) -> AsyncIterator[str]:
    for number in range(upto):
        await anyio.lowlevel.checkpoint()
        yield f"{number} "


@pytest.mark.parametrize("handler", [counting, counting_slowly])
async def test_each_text_of_a_generator_is_told_and_all_of_them_are_the_result(handler: Callable[..., object]) -> None:
    events: list[Event] = []
    assert await called(handler, events, upto=3) == Result(text="0 1 2 ", data="0 1 2 ")
    assert events == [CallPiece("0 "), CallPiece("1 "), CallPiece("2 ")]


def returning() -> Iterator[str]:
    yield "half of it"
    return Result(text="all of it", data={"n": 1})  # type: ignore[return-value]


async def ending_in_a_result() -> AsyncIterator[object]:
    yield "words"
    yield Result(text="", data={"n": 1})


async def ending_in_data() -> AsyncIterator[object]:
    yield "words"
    yield {"n": 1}


async def test_what_a_generator_returns_is_the_result() -> None:
    assert await called(returning) == Result(text="all of it", data={"n": 1})


async def test_a_last_result_without_words_has_those_that_were_streamed() -> None:
    assert await called(ending_in_a_result) == Result(text="words", data={"n": 1})
    ended = await called(ending_in_data)
    assert (ended.text, ended.data) == ("words", {"n": 1})


class Streaming(Handler):
    async def call(self, context: Context, arguments: Mapping[str, Json]) -> AsyncIterator[str]:  # type: ignore[override]
        yield "a"
        yield "b"


class Blocking(Handler):
    def call(self, context: Context, arguments: Mapping[str, Json]) -> str:  # type: ignore[override]
        return threading.current_thread().name


async def test_a_class_may_stream_and_one_that_blocks_works_in_a_thread() -> None:
    assert (await called(Streaming)).text == "ab"
    assert (await called(Blocking)).text != threading.current_thread().name


def makes_a_coroutine() -> Awaitable[str]:
    async def later() -> str:
        return threading.current_thread().name

    return later()


async def test_a_coroutine_that_a_plain_function_returns_runs_on_the_loop() -> None:
    assert (await called(makes_a_coroutine)).text == threading.current_thread().name


async def test_a_generator_begins_and_ends_in_one_thread() -> None:
    seen: list[int] = []

    def noting() -> Iterator[str]:
        try:
            for _ in range(3):
                seen.append(threading.get_ident())
                yield "."
        finally:
            seen.append(threading.get_ident())

    await called(noting)
    assert len(set(seen)) == 1
    assert seen[0] != threading.get_ident()


async def test_a_generator_without_end_is_read_no_further_than_the_cap() -> None:
    closed = threading.Event()

    def endless() -> Iterator[str]:
        try:
            while True:
                yield "x" * 100_000
        finally:
            closed.set()

    result = await called(endless)
    assert len(result.text) == pieces.LONGEST_TEXT + 1
    assert result.text.endswith("x…")
    assert closed.is_set()


def test_pieces_are_told_up_to_the_cap_and_never_beyond() -> None:
    told: list[str] = []
    taken = Pieces(told.append, longest=5)
    assert [taken.take(piece) for piece in ("abc", "", "def")] == [True, True, False]
    assert taken.result().text == "".join(told) == "abcde…"


async def test_what_a_thread_emits_is_told_on_the_loop() -> None:
    here = threading.get_ident()
    heard: list[int] = []

    def emitting(context: Context) -> None:
        context.emit(Noticed(context.site))

    with anyio.fail_after(SECONDS):
        told = context(emit=lambda event: heard.append(threading.get_ident()))
        await call_function(emitting, "context", True, told, {})
    assert heard == [here]


# Values


@dataclass(frozen=True)
class Opening:
    day: datetime.date
    hours: tuple[int, int]


def test_values_of_python_become_json() -> None:
    assert as_result(Opening(datetime.date(2026, 3, 1), (8, 18))).data == {"day": "2026-03-01", "hours": [8, 18]}
    assert as_json({"a": math.nan, "b": {1}}) == {"a": None, "b": [1]}


@pytest.mark.parametrize("value", [object(), b"\xff", lambda: 0, {"a": [object()]}])
def test_what_json_cannot_say_is_no_result(value: object) -> None:
    with pytest.raises(NoJson):
        as_result(value)


def test_a_value_that_holds_itself_or_is_too_deep_is_no_result() -> None:
    itself: list[object] = []
    itself.append(itself)
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for value in (itself, deep):
        with pytest.raises(NoJson):
            as_result(value)


# Nobody waits


@dataclass
class Hanging:
    """A function that blocks until it is let go on."""

    def __post_init__(self) -> None:
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.ended = threading.Event()

    def work(self, job: Job[None]) -> None:
        self.begun.set()
        self.go_on.wait(SECONDS)
        self.ended.set()


async def cancelled_in(pool: Threads, hanging: Hanging) -> None:
    """Begin a call in `pool` and cancel it while it hangs."""
    async with anyio.create_task_group() as group:
        group.start_soon(pool.call, hanging.work)
        await anyio.to_thread.run_sync(hanging.begun.wait, SECONDS)
        group.cancel_scope.cancel()


async def until(pool: Threads, abandoned: int) -> None:
    while pool.abandoned != abandoned:
        await anyio.lowlevel.checkpoint()


async def test_a_cancelled_function_frees_its_place_and_is_counted_until_it_ends() -> None:
    pool, hanging = Threads(at_once=1), Hanging()
    with anyio.fail_after(SECONDS):
        await cancelled_in(pool, hanging)
        assert (pool.running, pool.abandoned, pool.abandoned_ever) == (1, 1, 1)
        assert await pool.call(lambda job: "the place is free") == "the place is free"
        hanging.go_on.set()
        await until(pool, 0)
    assert (pool.running, pool.abandoned_ever) == (0, 1)


async def test_where_too_many_go_on_no_more_are_begun() -> None:
    pool, hanging = Threads(most_abandoned=2), [Hanging(), Hanging()]
    with anyio.fail_after(SECONDS):
        for each in hanging:
            await cancelled_in(pool, each)
        with pytest.raises(LimitReached, match="2 calls go on in their threads"):
            await pool.call(lambda job: None)
        hanging[0].go_on.set()
        await until(pool, 1)
        assert await pool.call(lambda job: "again") == "again"
        hanging[1].go_on.set()


async def test_a_function_that_is_cancelled_before_its_turn_never_runs() -> None:
    pool, hanging, ran = Threads(at_once=1), Hanging(), threading.Event()
    with anyio.fail_after(SECONDS):
        async with anyio.create_task_group() as first:
            first.start_soon(pool.call, hanging.work)
            await anyio.to_thread.run_sync(hanging.begun.wait, SECONDS)
            with anyio.move_on_after(0.01) as scope:
                await pool.call(lambda job: ran.set())
            assert scope.cancelled_caught
            hanging.go_on.set()
        assert (pool.running, pool.abandoned) == (0, 0)
    assert not ran.is_set()


async def test_a_generator_in_a_thread_stops_at_its_next_piece_when_nobody_waits() -> None:
    begun, go_on, closed = threading.Event(), threading.Event(), threading.Event()

    def stream() -> Iterator[str]:
        try:
            yield "first"
            begun.set()
            go_on.wait(SECONDS)
            yield "second"
        finally:
            closed.set()

    events: list[Event] = []
    with anyio.fail_after(SECONDS):
        async with anyio.create_task_group() as group:
            group.start_soon(called, stream, events)
            await anyio.to_thread.run_sync(begun.wait, SECONDS)
            group.cancel_scope.cancel()
        go_on.set()
        await anyio.to_thread.run_sync(closed.wait, SECONDS)
    assert events == [CallPiece("first")]


async def test_a_cancelled_async_generator_is_closed_at_once() -> None:
    waiting, closed = anyio.Event(), anyio.Event()

    async def stream() -> AsyncIterator[str]:
        try:
            yield "first"
            waiting.set()
            await anyio.sleep_forever()
        finally:
            closed.set()

    with anyio.fail_after(SECONDS):
        async with anyio.create_task_group() as group:
            group.start_soon(called, stream)
            await waiting.wait()
            group.cancel_scope.cancel()
    assert closed.is_set()


def test_a_job_that_was_let_go_begins_no_work() -> None:
    job: Job[None] = Job(threads.Threads(), lambda job: None)
    job.let_go()
    with pytest.raises(LetGo):
        job.run()

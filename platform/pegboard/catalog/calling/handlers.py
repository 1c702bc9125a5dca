"""One form for every handler of Python's: functions, coroutines, generators of both kinds, and classes.

What blocks works in a thread. A generator is one call, in one thread: what it opened there it closes there.
"""

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import aclosing, closing
from functools import partial
from typing import Any, cast

from pegboard.catalog.calling.pieces import Pieces
from pegboard.catalog.calling.threads import THREADS, Job
from pegboard.catalog.calling.values import as_result
from pegboard.catalog.contract import Context, Handler, Result
from pegboard.events import CallPiece, Emit, Event
from pegboard.text import Json


async def call_class(handler: type[Handler], blocks: bool, context: Context, arguments: Mapping[str, Json]) -> Result:
    """Make an instance of `handler` and call it."""
    return await _called(lambda within: handler().call(within, arguments), context, blocks=blocks)


async def call_function(
    handler: Callable[..., Any], parameter: str, blocks: bool, context: Context, arguments: Mapping[str, Json]
) -> Result:
    """Call `handler` with its arguments by name; the context goes to `parameter`, if that is named."""
    return await _called(
        lambda within: handler(**{**arguments, parameter: within} if parameter else arguments), context, blocks=blocks
    )


async def call_kind(kind: Handler, context: Context, arguments: Mapping[str, Json]) -> Result:
    """Call a kind that was made when its tool was."""
    return await _given(kind.call(context, arguments), context.emit)


def blocks(function: Callable[..., Any]) -> bool:
    """Tell whether a call of `function` does its work before it returns, and so must not be made on the event loop."""
    return not (inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function))


async def _called(work: Callable[[Context], object], context: Context, *, blocks: bool) -> Result:
    if blocks:
        return await _given(await THREADS.call(partial(_in_thread, work, context)), context.emit)
    return await _given(work(context), context.emit)


async def _given(value: object, emit: Emit) -> Result:
    """Return the result of what a call has given: wait for what is to be awaited, read what streams."""
    if inspect.isawaitable(value):
        value = await cast("Awaitable[object]", value)
    if isinstance(value, AsyncGenerator):
        pieces = Pieces(lambda text: emit(CallPiece(text)))
        async with aclosing(value):
            async for piece in value:
                if not pieces.take(piece):
                    break
        return pieces.result()
    if isinstance(value, Generator):
        return await THREADS.call(partial(_drained, value, emit))
    return as_result(value)


def _in_thread(work: Callable[[Context], object], context: Context, job: Job[object]) -> object:
    value = work(cast("Context", _InThread(context, job)))
    if isinstance(value, Generator):
        return _drained(value, context.emit, job)
    is_unfinished = inspect.isawaitable(value) or isinstance(value, AsyncGenerator)
    return value if is_unfinished else as_result(value)


def _drained(generator: Generator[object, None, object], emit: Emit, job: Job[Any]) -> Result:
    """Read a generator to its end, in its thread."""
    pieces = Pieces(lambda text: job.tell(emit, CallPiece(text)))
    with closing(generator):
        while True:
            try:
                piece = next(generator)
            except StopIteration as end:
                return pieces.result(end.value)
            if not pieces.take(piece):
                return pieces.result()


class _InThread:
    """The context of a call that works in a thread: what it emits is told on the event loop."""

    def __init__(self, context: Context, job: Job[object]) -> None:
        self._context = context
        self._job = job

    def __getattr__(self, name: str) -> object:
        return getattr(self._context, name)

    def emit(self, event: Event) -> None:
        self._job.tell(self._context.emit, event)

"""The process that a handler runs in by itself: reads calls from its stdin, and writes what comes of them.

What a handler prints goes to stderr, which is the server's own. It ends when its stdin does.
"""

import os
import sys
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, BinaryIO, cast

import anyio

from pegboard.catalog.calling.wire import Asked, line, read, result_json
from pegboard.catalog.contract import Context, Result
from pegboard.catalog.loading.handler import runner, signature_of
from pegboard.catalog.loading.resolve import resolve
from pegboard.errors import PegboardError
from pegboard.events import CallPiece, Event
from pegboard.text import Json


class _InProcess:
    """The context of a call in a process of its own."""

    def __init__(self, asked: Asked, tell: Callable[[Mapping[str, Json]], None]) -> None:
        self.question = asked.question
        self.site = asked.site
        self.language = asked.language
        self._tell = tell

    def emit(self, event: Event) -> None:
        if isinstance(event, CallPiece):
            self._tell({"piece": event.text})

    def __getattr__(self, name: str) -> object:
        raise AttributeError(f"A handler with `isolate: process` has no context.{name}: only question, site, language.")


def main() -> None:
    """Serve calls until there are no more."""
    calls, replies = _streams()

    number: Json = 0

    def tell(message: Mapping[str, Json]) -> None:
        replies.write(line({**message, "number": number}))
        replies.flush()

    first = read(calls.readline())
    number = first["number"]
    handler = resolve(first["handler"], first["prefixes"])
    run = runner(handler, signature_of(handler))
    tell({"ready": True})
    for text in iter(calls.readline, b""):
        asked = read(text)
        number = asked["number"]
        context = _InProcess(Asked(asked["question"], asked["site"], asked["language"]), tell)
        tell(_outcome(partial(run, cast("Context", context), asked["arguments"])))


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Return where calls come from and replies go to; nothing else reads or writes there from now on."""
    calls, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (it stays open)
    return calls, replies


def _outcome(run: Callable[[], Any]) -> dict[str, Json]:
    try:
        result: Result = anyio.run(run)
        return {"result": result_json(result)}
    except PegboardError as error:
        return {"failed": {"message": error.message, "hint": error.hint}}
    except (Exception, SystemExit):  # noqa: BLE001 (a handler is anybody's code)
        return {"failed": {"trace": traceback.format_exc()}}

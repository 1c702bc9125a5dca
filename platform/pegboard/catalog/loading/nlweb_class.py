"""NLWeb's contract for handlers, so that a class written for NLWeb runs unchanged.

    class Pairings:
        def __init__(self, params, handler): ...
        async def do(self):
            await self.handler.send_message({"message_type": "result", "content": [...]})

`Handler` is what such a class gets as `handler`; what it sends becomes a `Result` (`messages`). Not here: which
classes may be loaded (`resolve`).
"""

import logging
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, NoReturn, Protocol

import anyio.lowlevel

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.loading.messages import Message, plain, result_of
from pegboard.catalog.tool import Run
from pegboard.text import Json

_log = logging.getLogger(__name__)

TURNS = 10
"""How often the tasks that a class left behind get a turn before the call is over."""


class _Instance(Protocol):
    async def do(self) -> object: ...


Class = Callable[[dict[str, Json], "NlwebHandler"], _Instance]
"""A class of NLWeb's contract."""


def runner(handler: Class, path: str) -> Run:
    """Return a `Run` for a class of NLWeb's contract."""
    return partial(_run, handler, path)


async def _run(handler: Class, path: str, context: Context, arguments: Mapping[str, Json]) -> Result:
    """Make an instance, let it work, and put together what it sent; its exceptions are the tool's failure.

    A message counts from the moment `send_message` is called, so that none is lost that was handed to a task. A
    task that the class leaves behind gets a few turns of the event loop; what it sends after them is dropped.
    """
    seen = NlwebHandler(path, context)
    try:
        await handler(dict(arguments), seen).do()
        for _ in range(TURNS):
            await anyio.lowlevel.checkpoint()
        return result_of(path, context.site, seen._messages, seen.final_ranked_answers)
    finally:
        seen._is_open = False


class NlwebHandler:
    """What a class of NLWeb's contract sees of the request; it may change what it likes, nobody else sees that."""

    def __init__(self, path: str, context: Context) -> None:
        self._path = path
        self._messages: list[Message] = []
        self._is_open = True
        self.query = context.question
        self.decontextualized_query = context.question
        self.prev_queries = list(context.previous)
        self.site = context.site
        self.item_type = context.type
        self.query_params: dict[str, Any] = {
            "query": context.question,
            "site": context.site,
            "prev": list(context.previous),
        }
        self.query_done = False
        """Set by a class that has answered; a call ends with it anyway."""
        self.final_ranked_answers: list[Any] = []
        """Items that a class leaves here are shown after those that it sent."""

    def send_message(self, message: Mapping[str, Any]) -> Coroutine[Any, Any, None]:
        """Take a message; it counts from this call on, whether or not the result is awaited in time.

        Raises:
            TypeError: it is no mapping, or holds what JSON cannot say.
        """
        if not isinstance(message, Mapping):
            raise TypeError(f"{self._path} sent {type(message).__name__!r}; a message is a dict with 'message_type'")
        if self._is_open:
            self._messages.append(plain(message))
        else:
            kind = message.get("message_type")
            _log.warning("%s sent a message of type %r after its call had ended: it is dropped", self._path, kind)
        return _sent()

    def __getattr__(self, name: str) -> NoReturn:
        known = ", ".join(sorted(key for key in (*vars(self), "send_message") if not key.startswith("_")))
        message = f"{self._path} asks for handler.{name}, which NLWeb's contract does not have here; there is {known}"
        raise AttributeError(message, name=name, obj=self)


async def _sent() -> None:
    """Stand for a message that was taken already: a coroutine, because tasks are made of it."""

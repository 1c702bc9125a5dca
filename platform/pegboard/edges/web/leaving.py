"""A client that leaves ends its work."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from starlette.types import Receive

Value = TypeVar("Value")


class ClientLeft(Exception):
    """There is nobody to answer any more."""


async def wait_until_left(receive: Receive) -> None:
    """Return when the client has closed the connection; the request's body has been read before."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def unless_left(receive: Receive, work: Callable[[], Awaitable[Value]]) -> Value:
    """Return what `work` gives, cancelling it when the client leaves.

    Raises:
        ClientLeft: it left before the work was done.
    """
    results: list[Value] = []
    errors: list[Exception] = []

    async def cancel_when_left() -> None:
        await wait_until_left(receive)
        group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(cancel_when_left)
        try:
            results.append(await work())
        except Exception as error:  # noqa: BLE001 (raised below, outside of the group that would wrap it)
            errors.append(error)
        group.cancel_scope.cancel()
    if errors:
        raise errors[0]
    if not results:
        raise ClientLeft
    return results[0]

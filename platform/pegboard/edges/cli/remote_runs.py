"""Runs that a running server of the same configuration drives; the command only listens."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx2

from pegboard.edges.cli.driving import Order
from pegboard.edges.cli.remote import error_of, object_of
from pegboard.edges.failure import restored
from pegboard.errors import DeadlineExceeded, PegboardError, Unreachable
from pegboard.text import Json, to_json

_SPARE_SECONDS = 5.0
_SILENT_SECONDS = 60.0
"""How long a stream may say nothing; the server says something every 15 seconds."""
_JSON = {"Content-Type": "application/json"}


class There:
    """Runs of a server; fulfils `Drives`."""

    def __init__(self, client: httpx2.AsyncClient, url: str) -> None:
        self._client = client
        self._url = url

    async def plan(self, order: Order) -> dict[str, Json]:
        return await self._asked("POST", "/plan", _question(order))

    async def begin(self, order: Order) -> dict[str, Json]:
        body: dict[str, Json] = {
            **_question(order),
            "inputs": dict(order.inputs),
            "max_parallel": order.max_parallel,
        }
        body |= {} if order.deadline_seconds is None else {"deadline_seconds": order.deadline_seconds}
        return await self._asked("POST", "/runs", body | ({} if order.plan is None else {"plan": order.plan}))

    async def events(self, run: str, *, after: int = 0) -> AsyncIterator[Mapping[str, Json]]:
        async for event in self._streamed(f"/runs/{run}/events?after={after}", run):
            yield event

    async def answer(self, run: str) -> AsyncIterator[Mapping[str, Json]]:
        async for event in self._streamed(f"/runs/{run}/answer", run):
            yield event

    async def view(self, run: str) -> dict[str, Json]:
        return await self._asked("GET", f"/runs/{run}")

    async def approve(self, run: str, node: str) -> None:
        await self._asked("POST", f"/runs/{run}/nodes/{node}/approve", {})

    async def cancel(self, run: str) -> None:
        await self._asked("DELETE", f"/runs/{run}")

    async def _asked(self, method: str, path: str, body: Mapping[str, Json] | None = None) -> dict[str, Json]:
        content = None if body is None else to_json(dict(body)).encode()
        try:
            response = await self._client.request(method, path, content=content, headers=_JSON if content else None)
        except httpx2.HTTPError as error:
            raise _lost(self._url, error) from error
        if response.is_error:
            raise _problem(response.content, response.status_code)
        return object_of(response.content, self._url)

    async def _streamed(self, path: str, run: str) -> AsyncIterator[Mapping[str, Json]]:
        """Yield the events of a stream, which ends with the work that it tells of."""
        kind = ""
        try:
            async with self._client.stream("GET", path, timeout=_SILENT_SECONDS) as response:
                if response.is_error:
                    raise _problem(await response.aread(), response.status_code)
                async for line in response.aiter_lines():
                    if line.startswith("event:"):
                        kind = line.removeprefix("event:").strip()
                    elif line.startswith("data:"):
                        if kind == "error":
                            raise _problem(line.removeprefix("data:").encode(), 0)
                        yield object_of(line.removeprefix("data:"), self._url)
        except httpx2.HTTPError as error:
            lost = _lost(self._url, error)
            lost.hint = f"The run is kept: platform runs show {run}; a server that starts drives it on."
            raise lost from error


@asynccontextmanager
async def runs_at(url: str, *, seconds: float) -> AsyncIterator[There]:
    """Connect to the server at `url`, whose requests may take so many seconds."""
    async with httpx2.AsyncClient(base_url=url, timeout=seconds + _SPARE_SECONDS, trust_env=False) as client:
        yield There(client, url)


def _question(order: Order) -> dict[str, Json]:
    told: dict[str, Json] = {"question": order.question} if order.question else {}
    told |= {"site": order.site} if order.site else {}
    return told | ({"tools": list(order.tools)} if order.tools else {})


def _problem(body: bytes, status: int) -> PegboardError:
    """Return the error that a problem document tells of."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return Unreachable(f"The server answered with status {status}.")
    return restored(error_of(told), told.get("error") if isinstance(told, dict) else None)


def _lost(url: str, error: Exception) -> PegboardError:
    kind = DeadlineExceeded if isinstance(error, httpx2.TimeoutException) else Unreachable
    return kind(f"The server at {url} was lost: {str(error) or type(error).__name__}.", hint="Try --no-server.")

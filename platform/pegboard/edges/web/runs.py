"""`/runs`: plans that are run whoever listens; their events can be heard from any number on."""

from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated

import anyio
from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pegboard.edges.running import Followed
from pegboard.edges.web.guard import host_name
from pegboard.edges.web.json_response import JsonResponse
from pegboard.edges.web.leaving import wait_until_left
from pegboard.edges.web.parameters import read_json_object
from pegboard.edges.web.pinned import Now
from pegboard.edges.web.problems import BodyRefused
from pegboard.edges.web.response import KEEP_ALIVE_SECONDS
from pegboard.errors import UsageError
from pegboard.events import RunEvent
from pegboard.text import Json, did_you_mean, to_json

_KEYS = ("plan", "site", "inputs", "question", "max_parallel", "deadline_seconds")


def router() -> APIRouter:
    """Return the routes of runs."""
    routes = APIRouter(prefix="/runs", tags=["runs"])

    @routes.post("", status_code=202)
    async def start(request: Request, served: Now) -> Response:
        """Begin a run of a `plan`; it goes on when the client has left. Answers with its id at once."""
        body = await _object(request)
        named = body.get("site")
        site = served.site_for(named if isinstance(named, str) else None, host_name(request.headers.get("host", "")))
        run = await served.runs.start(
            site,
            body.get("plan"),
            inputs=_inputs(body),
            question=str(body.get("question", "")),
            max_parallel=int(_number(body, "max_parallel", 8)),
            deadline_seconds=_number(body, "deadline_seconds", 0) or None,
        )
        return JsonResponse({"run": run}, status_code=202, headers={"Location": f"/runs/{run}"})

    @routes.get("")
    async def runs(served: Now, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Response:
        """List the runs, the latest first."""
        return _now([view.to_json() for view in await served.runs.runs(limit=limit)])

    @routes.get("/{run}")
    async def show(run: str, served: Now) -> Response:
        """Say how a run and each of its nodes stand."""
        return _now((await served.runs.show(run)).to_json())

    @routes.get("/{run}/events")
    async def events(
        run: str, served: Now, after: int = 0, last_event_id: Annotated[str | None, Header()] = None
    ) -> Response:
        """Stream the events of a run as they come, after `Last-Event-ID` (or `after`), until it has ended."""
        await served.runs.show(run)
        return RunStream(served.runs, run, _number_of(last_event_id, after))

    @routes.delete("/{run}", status_code=202)
    async def cancel(run: str, served: Now) -> Response:
        """End a run: nothing more starts, and what works is cancelled."""
        await served.runs.cancel(run, "it was cancelled by a client")
        return JsonResponse({"run": run}, status_code=202)

    @routes.post("/{run}/nodes/{node}/approve", status_code=202)
    async def approve(run: str, node: str, request: Request, served: Now) -> Response:
        """Let a node go on that waits for an approval; `{"granted": false}` lets it fail."""
        body = await _object(request) if await request.body() else {}
        granted = body.get("granted", True)
        if not isinstance(granted, bool) or set(body) - {"granted"}:
            raise UsageError("An approval is an object with `granted`, true or false.")
        await served.runs.approve(run, node, granted)
        return JsonResponse({"run": run, "node": node, "granted": granted}, status_code=202)

    return routes


class RunStream(Response):
    """The events of a run as server-sent events; a client that leaves ends the stream, and not the run."""

    media_type = "text/event-stream"

    def __init__(self, runs: Followed, run: str, after: int) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._runs = runs
        self._run = run
        self._after = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        sending = anyio.Lock()

        async def write(text: str) -> None:
            async with sending:
                await send({"type": "http.response.body", "body": text.encode(), "more_body": True})

        async with anyio.create_task_group() as group:

            async def cancel_when_left() -> None:
                await wait_until_left(receive)
                group.cancel_scope.cancel()

            async def keep_alive() -> None:
                while True:
                    await anyio.sleep(KEEP_ALIVE_SECONDS)
                    await write(": keep-alive\n\n")

            group.start_soon(cancel_when_left)
            group.start_soon(keep_alive)
            async for text in self._texts():
                await write(text)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            group.cancel_scope.cancel()

    async def _texts(self) -> AsyncIterator[str]:
        async for event in self._runs.follow(self._run, after=self._after):
            yield f"id: {event.seq}\nevent: {event.kind}\ndata: {to_json(event_json(event))}\n\n"


def event_json(event: RunEvent) -> dict[str, Json]:
    """Return an event of a run as a client reads it."""
    return {"kind": event.kind, **asdict(event)}


async def _object(request: Request) -> dict[str, Json]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise BodyRefused("The body is no JSON.", hint="Send Content-Type: application/json.")
    body = read_json_object(await request.body())
    for key in set(body) - {*_KEYS, "granted"}:
        raise UsageError(f"A run has no key {key[:80]!r}.", hint=did_you_mean(key, _KEYS, noun="keys"))
    return body


def _inputs(body: dict[str, Json]) -> dict[str, Json]:
    inputs = body.get("inputs", {})
    if not isinstance(inputs, dict):
        raise UsageError("`inputs` is an object.")
    return inputs


def _number(body: dict[str, Json], key: str, usual: float) -> float:
    value = body.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise UsageError(f"`{key}` is a number, not {str(value)[:80]!r}.")
    return value


def _number_of(last_event_id: str | None, after: int) -> int:
    if last_event_id is None:
        return after
    if not last_event_id.isascii() or not last_event_id.isdigit():
        raise UsageError("Last-Event-ID is the number of an event.")
    return int(last_event_id)


def _now(value: Json) -> Response:
    return JsonResponse(value, headers={"Cache-Control": "no-store"})

"""`/runs`: plans that are run whoever listens; their events can be heard from any number on."""

import re
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from pegboard.edges.envelope import event_json
from pegboard.edges.running import Followed, Runs
from pegboard.edges.web.bounds import BOUNDS, bounds_in
from pegboard.edges.web.json_response import JsonResponse
from pegboard.edges.web.leaving import unless_left
from pegboard.edges.web.pinned import Now
from pegboard.edges.web.plans import (
    PICTURES,
    QUESTION,
    Columns,
    Shape,
    body_of,
    picture,
    planned,
    read_body,
    site_in,
    text_in,
    tools_in,
)
from pegboard.edges.web.streamed import Streamed, sse
from pegboard.errors import UsageError
from pegboard.events import AnswerEnded
from pegboard.text import Json, quoted

_LAST_NUMBER = 10**15 - 1
"""Of an event: no run has as many, and whatever counts them can hold it."""
_EVENT_OF_ANSWER = re.compile(r"[0-9a-f]{8}-[0-9]{1,15}")
_KEYS = ("plan", "question", "site", "tools", "inputs", *BOUNDS)
_BODY = body_of(
    {
        "plan": {"description": "Nodes, or an object of `nodes` and `races`; without one, `question` is planned."},
        **QUESTION,
        "inputs": {"type": "object", "description": "What `${inputs.NAME}` in the plan stands for."},
        **BOUNDS,
    },
    {"question": "What is 2 + 3?", "site": "kitchen"},
)
_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The answer.", "content": {"text/event-stream": {}, "application/json": {}}},
    400: {"description": "`Last-Event-ID` is none of an answer."},
    404: {"description": "There is no such run."},
    502: {"description": "No node gave anything; the problem has all the reasons."},
}


def router() -> APIRouter:
    """Return the routes of runs."""
    routes = APIRouter(prefix="/runs", tags=["runs"])
    _add_wishes(routes)
    _add_views(routes)
    return routes


def _add_wishes(routes: APIRouter) -> None:
    """Add what begins runs and changes them."""

    @routes.post("", status_code=202, openapi_extra={"requestBody": _BODY})
    async def start(request: Request, served: Now) -> Response:
        """Begin a run of a `plan`, or of one that is made for a `question` first; it goes on when the client has left.

        Answers with its id, and with the plan where that was made here: `by` whom, what was `mended`, `degraded`.
        """
        body = await read_body(request, _KEYS)
        bounds, site = bounds_in(body), site_in(body, request, served)
        made: Mapping[str, Json] | None = None
        if (plan := body.get("plan")) is None:
            made = (await planned(body, site, request, served)).to_json()
            plan = made["plan"]
        run = await served.runs.start(
            site,
            plan,
            inputs=_inputs(body),
            question=text_in(body, "question"),
            planned=made,
            tools=tools_in(body),
            **bounds,
        )
        return JsonResponse({"run": run, **(made or {})}, status_code=202, headers={"Location": f"/runs/{run}"})

    @routes.delete("/{run}", status_code=202, responses={200: {"description": "It had ended; `status` says how."}})
    async def cancel(run: str, served: Now) -> Response:
        """End a run: nothing more starts, and what works is cancelled. One that has ended stays as it is."""
        status = await served.runs.cancel(run, "it was cancelled by a client")
        return JsonResponse({"run": run, "status": status}, status_code=202 if status == "running" else 200)

    @routes.post("/{run}/approve", status_code=202)
    async def approve_only(run: str, request: Request, served: Now) -> Response:
        """Grant the only approval that a run waits for, in a run inside of it too; `{"granted": false}` denies it."""
        return await _approved(run, "", request, served)

    @routes.post("/{run}/nodes/{node}/approve", status_code=202)
    async def approve(run: str, node: str, request: Request, served: Now) -> Response:
        """Let a node go on that waits for an approval, or the only one inside of it; `{"granted": false}` denies it."""
        return await _approved(run, node, request, served)


async def _approved(run: str, node: str, request: Request, served: Now) -> Response:
    body = await read_body(request, ("granted", "changed"), of="An approval") if await request.body() else {}
    granted, changed = body.get("granted", True), body.get("changed", "refuse")
    if not isinstance(granted, bool):
        raise UsageError("An approval is an object with `granted`, true or false.")
    if changed not in ("refuse", "keep"):
        raise UsageError("`changed` of an approval is `refuse`, or `keep`: to call a tool as it was.")
    found = await served.runs.approve(run, node, granted, on_edit="keep" if changed == "keep" else "refuse")
    return JsonResponse({"run": found.run, "node": found.node, "granted": granted}, status_code=202)


def _add_views(routes: APIRouter) -> None:
    """Add what tells of runs."""

    @routes.get("")
    async def runs(served: Now, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Response:
        """List the runs, the latest first."""
        return _now([view.to_json() for view in await served.runs.runs(limit=limit)])

    @routes.get("/{run}")
    async def show(run: str, served: Now) -> Response:
        """Say how a run and each of its nodes stand; of one that has ended, its `answer` without a model too."""
        told = (await served.runs.show(run)).to_json()
        if told["status"] != "running":
            told["answer"] = await served.runs.answer(run)
        return _now(told)

    @routes.get("/{run}/plan", responses=PICTURES)
    async def plan(run: str, served: Now, format: Shape = "json", columns: Columns = 100) -> Response:
        """Give the plan of a run, as it can be run again, or as a picture of how its nodes stand."""
        view = (await served.runs.show(run)).to_json()
        return picture(await served.runs.plan(run), format, columns, view)

    @routes.get("/{run}/answer", responses=_ANSWERS)
    async def answer(
        request: Request,
        run: str,
        served: Now,
        streaming: bool = True,
        last_event_id: Annotated[str | None, Header()] = None,
    ) -> Response:
        """Wait for a run's end and stream its answer, written by the site's model where there is one.

        It is written once, whoever listens; `Last-Event-ID` goes on where a client has left off, and what another
        process has begun is told again from `question_asked`. With `streaming=false` it is one JSON object.
        """
        await served.runs.show(run)
        if last_event_id and not _EVENT_OF_ANSWER.fullmatch(last_event_id):
            raise UsageError(f"Last-Event-ID is the id of an event of an answer, not {quoted(last_event_id)}.")
        if streaming:
            return Streamed(_pieces(served.runs, run, last_event_id or ""))
        return _now(await unless_left(request.receive, partial(_whole, served.runs, run)))

    @routes.get("/{run}/events")
    async def events(
        run: str,
        served: Now,
        after: Annotated[int, Query(ge=0, le=_LAST_NUMBER)] = 0,
        last_event_id: Annotated[str | None, Header()] = None,
    ) -> Response:
        """Stream the events of a run as they come, after `Last-Event-ID` (or `after`), until it has ended."""
        await served.runs.show(run)
        return RunStream(served.runs, run, _number_of(last_event_id, after))


class RunStream(Streamed):
    """The events of a run as server-sent events; a client that leaves ends the stream, and not the run."""

    def __init__(self, runs: Followed, run: str, after: int) -> None:
        super().__init__(_events(runs, run, after))


async def _events(runs: Followed, run: str, after: int) -> AsyncIterator[str]:
    async for event in runs.follow(run, after=after):
        yield sse(str(event.seq), event.kind, event_json(event))


async def _pieces(runs: Runs, run: str, after: str) -> AsyncIterator[str]:
    async for name, event in runs.written(run, after=after):
        yield sse(name, event.kind, event_json(event))


async def _whole(runs: Runs, run: str) -> dict[str, Json]:
    """Return the answer of a run when it is whole."""
    answer: dict[str, Json] = {}
    async for _, event in runs.written(run):
        if isinstance(event, AnswerEnded):
            answer = dict(event.answer)
    return answer


def _inputs(body: dict[str, Json]) -> dict[str, Json]:
    inputs = body.get("inputs", {})
    if not isinstance(inputs, dict):
        raise UsageError("`inputs` is an object.")
    return inputs


def _number_of(last_event_id: str | None, after: int) -> int:
    if not last_event_id:
        return after
    if not re.fullmatch(r"[0-9]{1,15}", last_event_id):
        raise UsageError(f"Last-Event-ID is the number of an event, not {quoted(last_event_id)}.")
    return int(last_event_id)


def _now(value: Json) -> Response:
    return JsonResponse(value, headers={"Cache-Control": "no-store"})

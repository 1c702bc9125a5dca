"""`/ask` and `/route`: a question by HTTP."""

from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request
from starlette.responses import Response

from pegboard.catalog.contract import Question
from pegboard.edges.served import Served
from pegboard.edges.web.guard import foreign_origins, host_name
from pegboard.edges.web.json_response import JsonResponse
from pegboard.edges.web.leaving import unless_left
from pegboard.edges.web.parameters import MEANINGS, Asked, asked_from, read_json_object
from pegboard.edges.web.pinned import Now
from pegboard.edges.web.problems import BodyRefused, MethodRefused
from pegboard.edges.web.response import EventStream, Exchange, MessageArray
from pegboard.errors import UsageError
from pegboard.text import Json

_PARAMETERS: list[dict[str, Any]] = [
    {
        "name": name,
        "in": "query",
        "required": name == "query",
        "description": meaning,
        "schema": {"type": "boolean", "default": True} if name == "streaming" else {"type": "string"},
    }
    for name, meaning in MEANINGS.items()
]
_ROUTE_PARAMETERS = [
    each for each in _PARAMETERS if each["name"] in ("query", "site", "tool", "prev", "mode", "strategy")
]
_BODY = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["query"],
                "properties": {each["name"]: {"description": each["description"]} for each in _PARAMETERS},
            },
            "example": {"query": "gluten free pasta", "site": "kitchen", "streaming": False},
        }
    },
}
_FORM_FIELDS = 1000
_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"description": "NLWeb's messages.", "content": {"text/event-stream": {}, "application/json": {}}},
    400: {"description": "The request is wrong; the problem says what was wanted."},
    404: {"description": "There is no such site or tool."},
}


def router() -> APIRouter:
    """Return the routes that ask."""
    routes = APIRouter(tags=["ask"])

    @routes.get("/ask", responses=_ANSWERS, openapi_extra={"parameters": _PARAMETERS})
    async def ask(request: Request, served: Now) -> Response:
        """Answer a question, as a stream of events or as one JSON array; only tools without side effects."""
        asked = asked_from(request.query_params.multi_items(), {})
        return _response(served, request, asked, only_reading=True)

    @routes.post("/ask", responses=_ANSWERS, openapi_extra={"requestBody": _BODY})
    async def ask_by_post(request: Request, served: Now) -> Response:
        """Answer a question: the same parameters in JSON, flat or as `{"query": {"text": …, "site": …}}`."""
        asked = asked_from(request.query_params.multi_items(), await _body(request))
        return _response(served, request, asked, only_reading=False)

    @routes.get("/route", openapi_extra={"parameters": _ROUTE_PARAMETERS})
    async def route(request: Request, served: Now) -> Response:
        """Say which tool would answer a question, and why; the JSON of `platform route --json`."""
        return await _decision(served, request, asked_from(request.query_params.multi_items(), {}))

    @routes.post("/route", openapi_extra={"requestBody": _BODY})
    async def route_by_post(request: Request, served: Now) -> Response:
        """Say the same of a question that is too long for an address."""
        asked = asked_from(request.query_params.multi_items(), await _body(request))
        return await _decision(served, request, asked)

    return routes


async def _decision(served: Served, request: Request, asked: Asked) -> Response:
    question, _ = _question(served, request, asked)
    decision = await unless_left(request.receive, partial(served.route, question))
    return JsonResponse(decision.to_json())


def _response(served: Served, request: Request, asked: Asked, *, only_reading: bool) -> Response:
    question, notices = _question(served, request, asked, only_reading=only_reading)
    exchange = Exchange(served, question, asked.conversation, notices)
    return EventStream(exchange) if asked.streaming else MessageArray(exchange)


def _question(
    served: Served, request: Request, asked: Asked, *, only_reading: bool = False
) -> tuple[Question, tuple[str, ...]]:
    """Return the question that is asked, and what to tell the client about how it was read."""
    named, notices = asked.site, []
    if asked.ignored:
        notices.append(f"Ignored, because it has no effect here: {', '.join(asked.ignored)}.")
    every_site = named == "all" and named not in served.catalog.sites
    site = served.site_for(None if every_site else named, host_name(request.headers.get("host", "")))
    if every_site:
        notices.append(f"One site is asked at a time: site=all is answered by {site}.")
    runs_tools = asked.mode != "chat"
    tools = _reading_tools(served, site, asked.tools) if only_reading and runs_tools else asked.tools
    question = served.question(
        asked.query,
        site=site,
        tools=tools,
        previous=asked.previous,
        form=asked.form,
        mode=asked.mode,
        strategy=asked.strategy,
    )
    return question, tuple(notices)


def _reading_tools(served: Served, site: str, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the candidates of a GET request, which may only run tools without side effects.

    Raises:
        MethodRefused: a tool that was named has side effects, or all have.
    """
    tools = served.catalog.sites[site].tools
    writing = {tool.name for tool in tools if not tool.read_only}
    if refused := [name for name in named if name in writing]:
        raise MethodRefused(f"Tool {refused[0]!r} has side effects.", hint="Ask for it by POST.")
    if named or not writing:
        return named
    reading = tuple(tool.name for tool in tools if tool.read_only)
    if not reading:
        raise MethodRefused(f"Every tool of {site!r} has side effects.", hint="Ask by POST.")
    return reading


async def _body(request: Request) -> dict[str, Json]:
    """Read the parameters in the body of `request`: JSON, or NLWeb's form from our own pages.

    Raises:
        BodyRefused: it is neither.
    """
    body = await request.body()
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not body and kind in ("", "application/x-www-form-urlencoded"):
        return {}
    if kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json")):
        return read_json_object(body)
    if kind == "application/x-www-form-urlencoded":
        return _form(request, body)
    raise BodyRefused(f"The body is {kind[:80] or 'of no declared kind'}.", hint="Send Content-Type: application/json.")


def _form(request: Request, body: bytes) -> dict[str, Json]:
    if foreign_origins(request.headers) or "cross-site" in request.headers.getlist("sec-fetch-site"):
        raise BodyRefused("A form of another site may not ask.", hint="Send Content-Type: application/json.")
    if body.count(b"&") >= _FORM_FIELDS:
        raise UsageError(f"The form has more than {_FORM_FIELDS:,} fields.", hint="A question needs far fewer.")
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, errors="strict")
    except ValueError as error:
        raise UsageError("The form is not UTF-8.", hint="Send UTF-8, escaped with percent signs.") from error
    fields: dict[str, Json] = {}
    for name, value in pairs:
        held = fields.get(name)
        fields[name] = value if held is None else [*(held if isinstance(held, list) else [held]), value]
    return fields

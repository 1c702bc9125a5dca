"""`/v1/models` and `/v1/chat/completions`."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from pegboard.catalog.contract import Question
from pegboard.edges.served import Served
from pegboard.edges.web.chat.asked import ChatAsked, ParameterRefused, chat_asked
from pegboard.edges.web.chat.completion import ChatExchange, Completion
from pegboard.edges.web.chat.errors import ChatErrorResponse
from pegboard.edges.web.guard import host_name
from pegboard.edges.web.json_response import JsonResponse
from pegboard.edges.web.leaving import unless_left
from pegboard.edges.web.pinned import Now
from pegboard.edges.web.plans import body_of, read_any_body
from pegboard.edges.web.response import EventStream
from pegboard.errors import PegboardError, UsageError
from pegboard.text import Json

_MESSAGE = {
    "type": "object",
    "required": ["role"],
    "properties": {"role": {"type": "string"}, "content": {"type": ["string", "array", "null"]}},
}
_BODY = body_of(
    {
        "model": {"type": "string", "description": "The site; that of the domain, or the default, otherwise."},
        "messages": {"type": "array", "items": _MESSAGE, "description": "The last one is the user's: the question."},
        "stream": {"type": "boolean", "default": False},
        "stream_options": {"type": "object", "properties": {"include_usage": {"type": "boolean"}}},
    },
    {"model": "kitchen", "messages": [{"role": "user", "content": "gluten free pasta"}]},
    is_open=True,
)
_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The completion, or its chunks.", "content": {"text/event-stream": {}}},
    400: {"description": "A parameter is wrong or cannot be honoured; `error.param` names it."},
    404: {"description": "There is no such model."},
}


class _ChatRoute(APIRoute):
    """A route whose errors are those of chat completions."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def guarded(request: Request) -> Response:
            try:
                return await handle(request)
            except PegboardError as error:
                return ChatErrorResponse(error)

        return guarded


def router() -> APIRouter:
    """Return the routes of chat completions."""
    routes = APIRouter(prefix="/v1", tags=["chat completions"], route_class=_ChatRoute)

    @routes.get("/models")
    async def models(served: Now) -> Response:
        """List the sites as models, the default one first."""
        default = served.catalog.default_site()
        names = sorted(served.catalog.sites, key=lambda name: name != default)
        return JsonResponse({"object": "list", "data": [_model(name) for name in names]})

    @routes.get("/models/{model}")
    async def model(model: str, served: Now) -> Response:
        """Return one site as a model."""
        return JsonResponse(_model(served.catalog.toolset(model).site))

    @routes.post("/chat/completions", responses=_ANSWERS, openapi_extra={"requestBody": _BODY})
    async def completions(request: Request, served: Now) -> Response:
        """Answer the last message of a conversation, whole or in chunks as they come."""
        asked = chat_asked(await read_any_body(request))
        question = _question(asked, request, served)
        if asked.is_streamed:
            return EventStream(ChatExchange(served, question, asked.tells_usage), closing="data: [DONE]\n\n")
        answer = await unless_left(request.receive, partial(served.ask, question))
        return JsonResponse(Completion(question.site).whole(answer.to_json()), headers={"Cache-Control": "no-store"})

    return routes


def _model(site: str) -> dict[str, Json]:
    return {"id": site, "object": "model", "created": 0, "owned_by": "pegboard"}


def _question(asked: ChatAsked, request: Request, served: Served) -> Question:
    site = served.site_for(asked.model or None, host_name(request.headers.get("host", "")))
    try:
        return served.question(asked.question, site=site, previous=asked.previous)
    except UsageError as error:  # the site is there, so it is about the text
        raise ParameterRefused("messages", error.message, hint=error.hint) from error

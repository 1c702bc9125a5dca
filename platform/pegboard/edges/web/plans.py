"""`/plan`: what would be done for a question, and nothing of it done; and plans as pictures."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from pegboard.app import Look, draw_plan, drawn_plan
from pegboard.edges.served import Served, Shown
from pegboard.edges.standing import standings_in
from pegboard.edges.web.guard import host_name
from pegboard.edges.web.json_response import JsonResponse
from pegboard.edges.web.leaving import unless_left
from pegboard.edges.web.parameters import read_json_object
from pegboard.edges.web.pinned import Now
from pegboard.edges.web.problems import BodyRefused
from pegboard.errors import UsageError
from pegboard.text import Json, did_you_mean

Shape: TypeAlias = Annotated[
    Literal["json", "text", "mermaid", "dot"], Query(description="`text` is drawn with box characters.")
]
Columns: TypeAlias = Annotated[int, Query(ge=20, le=1000, description="How wide the picture in text may be.")]

QUESTION: dict[str, Any] = {
    "question": {"type": "string", "description": "What shall be done, in words."},
    "site": {"type": "string", "description": "The site; that of the domain, or the default, otherwise."},
    "tools": {"type": "array", "items": {"type": "string"}, "description": "The only tools that a plan may use."},
}
_KINDS = {"text": "text/plain", "mermaid": "text/vnd.mermaid", "dot": "text/vnd.graphviz"}
PICTURES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The plan.",
        "content": {kind: {} for kind in ("application/json", *_KINDS.values())},
    }
}


def body_of(properties: Mapping[str, Any], example: Mapping[str, Any], *, is_open: bool = False) -> dict[str, Any]:
    """Return what OpenAPI says of a body that is a JSON object; an open one may have other keys."""
    schema = {"type": "object", "properties": dict(properties), "additionalProperties": is_open}
    return {"required": True, "content": {"application/json": {"schema": schema, "example": dict(example)}}}


_BODY = body_of(QUESTION, {"question": "What is 2 + 3?", "site": "kitchen"})


def router() -> APIRouter:
    """Return the route that plans."""
    routes = APIRouter(tags=["runs"])

    @routes.post("/plan", responses=PICTURES, openapi_extra={"requestBody": _BODY})
    async def plan(request: Request, served: Now, format: Shape = "json", columns: Columns = 100) -> Response:
        """Plan what has to be done for a `question`, and do nothing of it: the `plan`, `by` whom, what was `mended`."""
        body = await read_body(request, tuple(QUESTION), of="A question to plan")
        told = (await planned(body, site_in(body, request, served), request, served)).to_json()
        return JsonResponse(told) if format == "json" else picture(told["plan"], format, columns)

    return routes


async def planned(body: Mapping[str, Json], site: str, request: Request, served: Served) -> Shown:
    """Return the plan that is made for the question of `body`; making it ends when the client leaves.

    Raises:
        UsageError: there is none.
    """
    if "question" not in body:
        raise UsageError("There is nothing to do.", hint="Give a `question`, or to `/runs` a `plan`.")
    question = served.question(text_in(body, "question"), site=site, tools=tools_in(body))
    return await unless_left(request.receive, partial(served.plan, question))


def picture(plan: Json, shape: str, columns: int, view: Mapping[str, Json] | None = None) -> Response:
    """Return a plan in one form; with the `view` of a run, how its nodes stand."""
    standings = None if view is None else standings_in(view)
    if shape == "json":
        return JsonResponse(plan, headers=_FRESH)
    if shape == "text":
        text = "\n".join(drawn_plan(plan, standings, look=Look(columns=columns)))
    else:
        text = draw_plan(plan, "mermaid" if shape == "mermaid" else "dot", standings)
    return Response(f"{text}\n", media_type=f"{_KINDS[shape]}; charset=utf-8", headers=_FRESH)


_FRESH = {"Cache-Control": "no-store"}


# What a body says


async def read_body(request: Request, keys: Sequence[str], *, of: str = "A run") -> dict[str, Json]:
    """Read the JSON object in the body of `request`.

    Raises:
        BodyRefused: it is no JSON.
        UsageError: it has another key than `keys`.
    """
    body = await read_any_body(request)
    for key in set(body) - {*keys}:
        raise UsageError(f"{of} has no key {key[:80]!r}.", hint=did_you_mean(key, keys, noun="keys"))
    return body


async def read_any_body(request: Request) -> dict[str, Json]:
    """Read the JSON object in the body of `request`, whatever its keys.

    Raises:
        BodyRefused: it is no JSON.
        UsageError: it is no object.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise BodyRefused(
            f"The body is {kind[:80] or 'of no declared kind'}, and not JSON.",
            hint="Send Content-Type: application/json.",
        )
    return read_json_object(await request.body(), hint="Send a JSON object; GET /docs says which.")


def site_in(body: Mapping[str, Json], request: Request, served: Served) -> str:
    """Return the site that `body` names, or else that of the request's domain, or the default."""
    return served.site_for(text_in(body, "site") or None, host_name(request.headers.get("host", "")))


def text_in(body: Mapping[str, Json], key: str) -> str:
    """Return a text of `body`; empty where there is none.

    Raises:
        UsageError: it is no text.
    """
    value = body.get(key)
    if not isinstance(value, str | None):
        raise UsageError(f"`{key}` is a text, not {str(value)[:80]!r}.")
    return value or ""


def tools_in(body: Mapping[str, Json]) -> list[str]:
    """Return the only tools that a plan may use, by `body`; none: all.

    Raises:
        UsageError: they are no list of names.
    """
    tools = body.get("tools") or []
    if not isinstance(tools, list) or not all(isinstance(name, str) for name in tools):
        raise UsageError("`tools` is a list of names.")
    return [str(name) for name in tools]

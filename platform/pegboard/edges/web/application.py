"""The ASGI application: every route, behind the guard."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Route

from pegboard import __version__
from pegboard.edges.served import Serving
from pegboard.edges.web import admin, ask, documents, health, listing, pages, plans, problems, results, runs
from pegboard.edges.web.chat import routes as chat
from pegboard.edges.web.guard import Guard
from pegboard.edges.web.leaving import ClientLeft
from pegboard.edges.web.mcp import McpEndpoint
from pegboard.edges.web.pinned import Pinned
from pegboard.errors import UsageError

_DESCRIPTION = (
    "Questions in plain language to the tools of a site. /ask speaks NLWeb, /v1 chat completions, POST /mcp MCP."
)


def web_app(serving: Serving, *, admin_token: str = "") -> FastAPI:
    """Return the application of `serving`, which stays its opener's to close; without a token there is no `/admin`."""
    app = FastAPI(title="pegboard", version=__version__, description=_DESCRIPTION, docs_url=None, redoc_url=None)
    routers = (
        ask.router(),
        listing.router(),
        results.router(),
        plans.router(),
        runs.router(),
        documents.router(),
        chat.router(),
        health.router(serving),
        pages.router(app),
    )
    for router in routers:
        app.include_router(router)
    for path in ("/mcp", "/mcp/", "/mcp/{site}"):
        app.router.routes.append(Route(path, McpEndpoint()))
    if admin_token:
        app.include_router(admin.router(serving, admin_token))
    problems.install(app)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(ClientLeft, _left)
    app.add_exception_handler(ClientDisconnect, _left)
    app.add_middleware(Guard)
    app.add_middleware(Pinned, serving=serving)  # outermost: the guard asks the catalog too
    return app


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    name = first["loc"][-1]
    return problems.ProblemResponse(UsageError(f"Parameter {name!r} cannot be read: {first['msg']}."))


async def _left(request: Request, error: Exception) -> Response:
    return Response(status_code=499)  # nobody reads it; 499 is what proxies log for a client that left

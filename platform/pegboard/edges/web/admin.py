"""`/admin`: what only whoever runs the server may do; every request needs the token that was printed at the start."""

import hmac

from fastapi import APIRouter, Request
from starlette.responses import Response

from pegboard.edges.served import Serving
from pegboard.edges.web.json_response import JsonResponse
from pegboard.edges.web.problems import TokenRefused

_SCHEME = "bearer"


def router(serving: Serving, token: str) -> APIRouter:
    """Return the routes for whoever holds `token`."""
    routes = APIRouter(prefix="/admin", tags=["admin"])

    @routes.post("/reload", responses={401: {"description": "The token is missing or wrong."}})
    async def reload(request: Request) -> Response:
        """Serve what the documents say now; if that cannot be served, say why (422) and go on as before."""
        _check(request, token)
        result = await serving.reload()
        return JsonResponse(result.to_json(), status_code=422 if result.refused else 200)

    return routes


def _check(request: Request, token: str) -> None:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != _SCHEME or not hmac.compare_digest(given.strip().encode(), token.encode()):
        raise TokenRefused(
            "This needs the admin token.",
            hint="Send it as Authorization: Bearer TOKEN; it is the setting admin_token, or else printed at the start.",
        )

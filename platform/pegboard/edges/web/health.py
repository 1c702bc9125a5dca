"""`/healthz` and `/readyz`: whether the server lives, and what it serves."""

from fastapi import APIRouter
from starlette.responses import Response

from pegboard import __version__
from pegboard.edges.served import Served
from pegboard.edges.web.json_response import JsonResponse
from pegboard.text import Json


def router(served: Served) -> APIRouter:
    """Return the routes by which others watch over the server."""
    routes = APIRouter(tags=["health"])

    @routes.get("/healthz")
    async def healthz() -> Response:
        """Say that the server lives, and which configuration it serves."""
        return _now(
            {
                "status": "ok",
                "version": __version__,
                "config": str(served.settings.config.resolve()),
                "digest": served.catalog.digest,
                "model": served.model_name,
            }
        )

    @routes.get("/readyz")
    async def readyz() -> Response:
        """Say that questions are answered: it opens its port before, and answers only from then on."""
        return _now(
            {
                "status": "ready",
                "sites": list(served.catalog.sites),
                "tools": served.catalog.tools,
                "disabled": served.catalog.disabled,
                "model": served.model_name,
            }
        )

    return routes


def _now(value: Json) -> Response:
    return JsonResponse(value, headers={"Cache-Control": "no-store"})

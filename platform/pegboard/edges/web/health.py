"""`/healthz`, `/readyz` and `/metrics`: whether the server lives, what it serves, and whether that is up to date."""

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.responses import Response

from pegboard import __version__
from pegboard.edges.served import Serving
from pegboard.edges.web.json_response import JsonResponse
from pegboard.edges.web.metrics import exposition
from pegboard.edges.web.pinned import Now
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Refused, State


def router(serving: Serving) -> APIRouter:
    """Return the routes by which others watch over the server."""
    routes = APIRouter(tags=["health"])
    metrics = exposition(lambda: serving.state, serving.threads, serving.holding)

    @routes.get("/healthz")
    async def healthz(served: Now) -> Response:
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
    async def readyz(served: Now) -> Response:
        """Say that questions are answered, from which snapshot of the configuration, and whether it is stale.

        The port is open before, but nothing is answered until the configuration is. A refused edit does not make
        the server unready: the last good snapshot goes on serving.
        """
        return _now(
            {
                "status": "ready",
                "sites": list(served.catalog.sites),
                "tools": served.catalog.tools,
                "disabled": served.catalog.disabled,
                "model": served.model_name,
                "config": state_json(serving.state),
            }
        )

    @routes.get("/metrics")
    async def metrics_() -> Response:
        """Give the server's metrics in the text format of Prometheus."""
        body, media_type = metrics()
        return Response(body, media_type=media_type, headers={"Cache-Control": "no-store"})

    return routes


def state_json(state: "State") -> dict[str, Json]:
    """Return what anyone may know of what is served; messages stay in the log, and with whoever may reload."""
    refused = state.refused
    return {
        "status": "current" if refused is None else "stale",
        "snapshot": state.snapshot,
        "since": _moment(state.since),
        "age_seconds": round(time.time() - state.since, 1),
        "reloads": state.reloads,
        "refused": None if refused is None else _refused_json(refused),
    }


def _refused_json(refused: "Refused") -> dict[str, Json]:
    errors = refused.errors
    return {
        "at": _moment(refused.at),
        "errors": len(errors),
        "first": f"{errors[0].span} {errors[0].code}" if errors else "",
    }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _now(value: Json) -> Response:
    return JsonResponse(value, headers={"Cache-Control": "no-store"})

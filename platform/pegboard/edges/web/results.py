"""`/results`: read on in what was too large to be handed around.

What a tool gave is nobody's page: it is told as JSON, or downloaded, and no browser runs it.
"""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response, StreamingResponse

from pegboard.catalog.contract import Part
from pegboard.edges.served import Served
from pegboard.edges.web.json_response import JsonResponse
from pegboard.edges.web.pinned import Now

_HARMLESS = {
    "Cache-Control": "private, no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
}


def router() -> APIRouter:
    """Return the routes that read results."""
    routes = APIRouter(tags=["results"])

    @routes.get("/results/{ref}")
    async def part(
        served: Now, ref: str, offset: Annotated[int, Query(ge=0, description="The byte to begin at.")] = 0
    ) -> Response:
        """Give a part of a result that is kept, and where the next begins; base64 of what is no text."""
        return JsonResponse((await served.result_part(ref, offset)).to_json(), headers=_HARMLESS)

    @routes.get("/results/{ref}/file")
    async def file(served: Now, ref: str) -> Response:
        """Download what is kept, whole."""
        first = await served.result_part(ref)
        headers = _HARMLESS | {
            "Content-Disposition": f'attachment; filename="{first.ref}"',
            "Content-Length": str(first.total_bytes),
        }
        return StreamingResponse(_contents(served, first), headers=headers, media_type=first.media_type)

    return routes


async def _contents(served: Served, part: Part) -> AsyncIterator[bytes]:
    yield part.content
    while part.next_offset is not None:
        part = await served.result_part(part.ref, part.next_offset)
        yield part.content

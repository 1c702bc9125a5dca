"""`/documents`: what tools have written and is kept. Its text is given as JSON or as Markdown, never as a page."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from pegboard.edges.served import Served
from pegboard.edges.web.guard import host_name
from pegboard.edges.web.json_response import JsonResponse
from pegboard.edges.web.pinned import Now

_HEADERS = {"Cache-Control": "private, no-store", "Content-Security-Policy": "sandbox; default-src 'none'"}
_MARKDOWN = "text/markdown"

Site = Annotated[str | None, Query(description="Its site; else that of the Host header's domain, else any.")]


def router() -> APIRouter:
    """Return the routes of documents."""
    routes = APIRouter(prefix="/documents", tags=["documents"])

    @routes.get("")
    async def documents(
        request: Request,
        served: Now,
        site: Site = None,
        query: Annotated[str, Query(max_length=1000, description="Words of titles.")] = "",
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    ) -> Response:
        """List documents of a site or of all, the latest first, or those with words of `query` in their titles."""
        own = _owner(served, request, site)
        found = await served.documents.list(own, query=query, limit=limit)
        return JsonResponse({"site": own, **found.to_json()}, headers=_HEADERS)

    @routes.get("/{id}")
    async def document(
        id: str,
        request: Request,
        served: Now,
        site: Site = None,
        version: Annotated[int | None, Query(ge=1, le=1 << 30, description="The latest, where none is named.")] = None,
        accept: Annotated[str, Header()] = "",
    ) -> Response:
        """Give a document: as JSON, or its text and its sources where the client accepts `text/markdown` rather."""
        found = await served.documents.read(id, site=_owner(served, request, site), version=version)
        headers = _HEADERS | {"Vary": "Accept"}
        if _prefers_markdown(accept):
            headers |= {"Content-Language": found.language, "Content-Disposition": f'inline; filename="{found.id}.md"'}
            return Response(found.markdown, headers=headers, media_type=_MARKDOWN)
        return JsonResponse(found.to_json(), headers=headers)

    @routes.delete("/{id}")
    async def remove(id: str, request: Request, served: Now, site: Site = None) -> Response:
        """Remove a document with all its versions, from its site's knowledge too."""
        removed = await served.documents.remove(id, site=_owner(served, request, site))
        told = {"removed": removed.id, "site": removed.site, "title": removed.title, "versions": removed.latest}
        return JsonResponse(told, headers=_HEADERS)

    return routes


def _owner(served: Served, request: Request, site: str | None) -> str | None:
    """Return the site whose documents are meant: the one named, or that of the domain; None: those of all.

    Raises:
        UnknownSite: no document declares it.
    """
    if site is not None:
        return served.catalog.toolset(site).site
    return served.catalog.site_of_host(host_name(request.headers.get("host", "")))


def _prefers_markdown(accept: str) -> bool:
    """Tell whether a client wants Markdown rather than JSON (RFC 9110, section 12.5.1)."""
    weights = {"text/markdown": 0.0, "application/json": 0.0}
    for part in accept.lower().split(","):
        kind, *parameters = (piece.strip() for piece in part.split(";"))
        if kind in weights:
            weights[kind] = max(weights[kind], _weight(parameters))
    return weights["text/markdown"] > weights["application/json"]


def _weight(parameters: list[str]) -> float:
    given = next((each.removeprefix("q=") for each in parameters if each.startswith("q=")), "1")
    try:
        return min(max(float(given), 0.0), 1.0)
    except ValueError:
        return 0.0

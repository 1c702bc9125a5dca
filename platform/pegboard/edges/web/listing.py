"""`/sites` and `/tools`: what can be asked."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from pegboard.edges.served import Served
from pegboard.edges.web.guard import host_name
from pegboard.edges.web.json_response import of_snapshot
from pegboard.edges.web.pinned import Now
from pegboard.text import Json


def router() -> APIRouter:
    """Return the routes that list."""
    routes = APIRouter(tags=["catalog"])

    @routes.get("/sites")
    async def sites(request: Request, served: Now) -> Response:
        """List the sites, as NLWeb does (`sites`), and what there is to know about each (`details`)."""
        details = [toolset.to_json() for toolset in served.catalog.sites.values()]
        listed: Json = {"message-type": "sites", "sites": list(served.catalog.sites), "details": list(details)}
        return of_snapshot(request, served.catalog.digest, listed)

    @routes.get("/tools")
    async def tools(
        request: Request,
        served: Now,
        site: Annotated[str | None, Query(description="Name of the site; absent as for `/ask`.")] = None,
    ) -> Response:
        """List the tools of a site, with their examples and the schema of their arguments."""
        name = served.site_for(site or None, host_name(request.headers.get("host", "")))
        return of_snapshot(request, served.catalog.digest, {"site": name, "tools": tools_json(served, name)})

    return routes


def tools_json(served: Served, name: str) -> list[Json]:
    """Return what a client may know of the tools of the site `name`."""
    return [
        {
            "name": tool.name,
            "type": tool.type,
            "description": tool.description,
            "examples": {language: list(questions) for language, questions in tool.examples.items()},
            "parameters": dict(tool.parameters),
            "output": None if tool.output is None else dict(tool.output),
            "read_only": tool.read_only,
        }
        for tool in served.catalog.sites[name].tools
    ]

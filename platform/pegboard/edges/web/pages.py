"""`/` and `/docs`: the page, its files, and the routes as a page that needs no network."""

import re
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import Response

from pegboard.errors import PegboardError

_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class UnknownPage(PegboardError):
    """A file that the page does not have."""

    status = 404


def router(app: FastAPI) -> APIRouter:
    """Return the routes for people; the listing at `/docs` is made from what `app` has."""
    routes = APIRouter(include_in_schema=False)
    held = _console_files()

    def page() -> Response:
        return _file("index.html", held["index.html"])

    def console(name: str, request: Request) -> Response:
        if name not in held:
            raise UnknownPage(f"The page has no file {name[:80]!r}.")
        return _file(name, held[name], known=request.headers.get("if-none-match"))

    for path, endpoint in (("/", page), ("/console/{name}", console), ("/docs", partial(_docs, app))):
        routes.add_api_route(path, endpoint, methods=["GET", "HEAD"], response_model=None)
    return routes


def _console_files() -> dict[str, bytes]:
    folder = files("pegboard.edges") / "console"
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if file.is_file() and file.name.endswith(tuple(_KINDS))
    }


def _file(name: str, content: bytes, *, known: str | None = None) -> Response:
    tag = f'"{sha256(content).hexdigest()[:16]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if known == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=_KINDS[f".{name.rpartition('.')[2]}"])


def _docs(app: FastAPI) -> Response:
    return Response(docs_html(app.openapi()), media_type="text/html")


def docs_html(document: Mapping[str, Any]) -> str:
    """Return the routes of an OpenAPI document as a page."""
    sections = "".join(
        _operation(method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    )
    title = escape(document["info"]["title"])
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title} · HTTP</title><link rel="icon" href="/console/icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/console/style.css"></head><body>'
        f'<header class="masthead"><a class="wordmark" href="/">{title}</a></header>'
        f'<main class="docs"><h1>HTTP</h1><p>{escape(document["info"].get("description", ""))} '
        'The same as <a href="/openapi.json">OpenAPI</a>.</p>'
        f"{sections}</main></body></html>"
    )


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<tr><th scope='row'><code>{escape(each['name'])}</code></th>"
        f"<td>{_marked(each.get('description', ''))}</td></tr>"
        for each in operation.get("parameters", [])
    )
    table = f"<table>{rows}</table>" if rows else ""
    return (
        f"<section><h2><span class='method'>{method.upper()}</span> <code>{escape(path)}</code></h2>"
        f"<p>{_marked(operation.get('description', ''))}</p>{table}</section>"
    )


def _marked(words: str) -> str:
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(words))

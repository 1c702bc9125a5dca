"""What the server says of itself."""

import httpx2
import pytest

from pegboard import __version__
from tests.edges.twin import TwinApp

pytestmark = pytest.mark.anyio


async def test_sites_are_listed_as_nlweb_does_and_in_detail(client: httpx2.AsyncClient) -> None:
    listed = (await client.get("/sites")).json()
    assert (listed["message-type"], listed["sites"]) == ("sites", ["kitchen", "shop"])
    assert listed["details"][0] == {
        "name": "kitchen",
        "description": "All about kitchen.",
        "domains": ["kitchen.example", "*.kitchen.example"],
        "types": ["Item"],
        "tools": ["search", "details"],
        "default": True,
    }


async def test_tools_are_listed_with_their_schemas(client: httpx2.AsyncClient) -> None:
    listed = (await client.get("/tools", params={"site": "shop"})).json()
    assert [(each["name"], each["read_only"]) for each in listed["tools"]] == [
        ("search", True),
        ("order", False),
    ]
    assert listed["tools"][0]["examples"] == {"en": ["please search"], "zh": ["请 search"]}


async def test_tools_of_an_unknown_site_are_a_problem(client: httpx2.AsyncClient) -> None:
    response = await client.get("/tools", params={"site": "shoop"})
    assert (response.status_code, response.json()["hint"]) == (404, "Did you mean 'shop'?")


async def test_health_names_the_configuration(app: TwinApp, client: httpx2.AsyncClient) -> None:
    assert (await client.get("/healthz")).json() == {
        "status": "ok",
        "version": __version__,
        "config": str(app.settings.config),
        "digest": "d1",
        "model": "none",
    }


async def test_readiness_counts_what_is_served(client: httpx2.AsyncClient) -> None:
    ready = (await client.get("/readyz")).json()
    assert ready.pop("config")["status"] == "current"
    assert ready == {
        "status": "ready",
        "sites": ["kitchen", "shop"],
        "tools": 4,
        "disabled": 0,
        "model": "none",
    }


async def test_an_unknown_path_is_a_problem(client: httpx2.AsyncClient) -> None:
    response = await client.get("/aks")
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["detail"] == "GET /aks: Not Found."


async def test_a_wrong_method_is_a_problem(client: httpx2.AsyncClient) -> None:
    response = await client.delete("/ask")
    assert (response.status_code, response.json()["title"]) == (405, "Method Not Allowed")


async def test_the_docs_need_no_network_and_name_every_route(client: httpx2.AsyncClient) -> None:
    page = (await client.get("/docs")).text
    paths = (await client.get("/openapi.json")).json()["paths"]
    kept = {"/results/{ref}", "/results/{ref}/file", "/documents", "/documents/{id}"}
    run = "/runs/{run}"
    given = {f"{run}/approve", f"{run}/nodes/{{node}}/approve"}
    runs = {"/plan", "/runs", run, f"{run}/events", f"{run}/plan", f"{run}/answer", *given}
    chat = {"/v1/models", "/v1/models/{model}", "/v1/chat/completions"}
    others = {"/ask", "/route", "/sites", "/tools", "/healthz", "/readyz", "/metrics"}
    assert set(paths) == {*others, *kept, *runs, *chat}
    assert all(f"<code>{path}</code>" in page for path in paths)
    assert "http://" not in page
    assert "https://" not in page


async def test_the_page_needs_no_network(client: httpx2.AsyncClient) -> None:
    page = await client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "https://" not in page.text
    for kind, name in (("text/css", "style.css"), ("text/javascript", "page.js")):
        file = await client.get(f"/console/{name}")
        assert file.headers["content-type"].startswith(kind)
        again = await client.get(f"/console/{name}", headers={"If-None-Match": file.headers["etag"]})
        assert again.status_code == 304


async def test_the_page_has_only_its_own_files(client: httpx2.AsyncClient) -> None:
    response = await client.get("/console/..%2f..%2ferrors.py")
    assert response.status_code == 404

"""Kept documents at the edges: HTTP and the command line."""

import json

import httpx2
import pytest

from pegboard.catalog.contract import Cited, Draft
from pegboard.edges.cli.command import run
from tests.edges.twin import TwinApp, TwinBackend

Output = pytest.CaptureFixture[str]
TEXT = "# 北京\n\n<script>alert(1)</script> Sun."
LISTED = f"{TEXT}\n\n## 来源\n\n- [1] A https://a.example\n"


@pytest.fixture
def id(app: TwinApp) -> str:
    """Return the id of a document of the site `kitchen`."""
    return app.store.write("kitchen", Draft("北京天气", TEXT, "zh", (Cited("https://a.example", "A"),), "r1:n2")).id


async def test_a_site_lists_its_own_documents_without_their_texts(
    app: TwinApp, client: httpx2.AsyncClient, id: str
) -> None:
    app.store.write("shop", Draft("Other", "x"))
    listed = (await client.get("/documents", params={"site": "Kitchen"})).json()
    assert (listed["site"], listed["total"]) == ("kitchen", 1)
    (only,) = listed["documents"]
    assert (only["id"], only["title"], only["url"], "text" in only) == (id, "北京天气", f"/documents/{id}", False)
    assert (await client.get("/documents", params={"site": "kitchen", "query": "北京"})).json()["total"] == 1
    assert (await client.get("/documents", params={"site": "kitchen", "query": "soup"})).json()["total"] == 0
    everybodys = (await client.get("/documents")).json()
    assert (everybodys["site"], everybodys["total"]) == (None, 2)
    of_the_domain = (await client.get("/documents", headers={"Host": "shop.example"})).json()
    assert (of_the_domain["site"], of_the_domain["total"]) == ("shop", 1)
    assert (await client.get("/documents", params={"site": "nowhere"})).status_code == 404
    assert (await client.get("/documents", params={"limit": 0})).status_code == 400


async def test_a_document_is_told_with_all_that_is_known_of_it(client: httpx2.AsyncClient, id: str) -> None:
    response = await client.get(f"/documents/{id}")
    told = response.json()
    assert {key: told[key] for key in ("id", "site", "text", "version", "language", "run", "node", "sources")} == {
        "id": id,
        "site": "kitchen",
        "text": TEXT,
        "version": 1,
        "language": "zh",
        "run": "r1",
        "node": "n2",
        "sources": [{"url": "https://a.example", "name": "A"}],
    }
    assert "no-store" in response.headers["cache-control"]


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("text/markdown", "text/markdown; charset=utf-8"),
        ("text/markdown;q=0.9, */*;q=0.1", "text/markdown; charset=utf-8"),
        ("application/json, text/markdown;q=0.5", "application/json"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "application/json"),
        ("text/markdown;q=zero", "application/json"),
    ],
)
async def test_the_text_alone_is_given_to_who_accepts_markdown_and_runs_in_no_browser(
    client: httpx2.AsyncClient, id: str, accept: str, kind: str
) -> None:
    response = await client.get(f"/documents/{id}", headers={"Accept": accept})
    assert response.headers["content-type"] == kind
    assert response.headers["content-security-policy"].startswith("sandbox")
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "Accept" in response.headers["vary"]
    assert kind == "application/json" or response.text == LISTED


async def test_an_earlier_version_is_read_by_its_number(app: TwinApp, client: httpx2.AsyncClient, id: str) -> None:
    app.store.write("kitchen", Draft("北京天气", "雨。"))
    told = (await client.get(f"/documents/{id}", params={"version": 1})).json()
    assert (told["text"], told["version"], told["latest"]) == (TEXT, 1, 2)
    assert (await client.get(f"/documents/{id}", params={"version": 3})).status_code == 404
    assert (await client.get(f"/documents/{id}", params={"version": 0})).status_code == 400


async def test_another_site_and_another_domain_do_not_reach_it(client: httpx2.AsyncClient, id: str) -> None:
    for refused in (
        await client.get(f"/documents/{id}", params={"site": "shop"}),
        await client.get(f"/documents/{id}", headers={"Host": "shop.example"}),
        await client.delete(f"/documents/{id}", params={"site": "shop"}),
        await client.delete(f"/documents/{id}", headers={"Host": "shop.example"}),
    ):
        assert (refused.status_code, refused.json()["title"]) == (404, "Unknown document")
    assert (await client.get(f"/documents/{id}", headers={"Host": "kitchen.example"})).status_code == 200
    titled = await client.get("/documents/北京天气", params={"site": "kitchen"})
    assert titled.json()["id"] == id


async def test_a_page_of_another_site_removes_nothing(client: httpx2.AsyncClient, id: str) -> None:
    refused = await client.delete(f"/documents/{id}", headers={"Origin": "https://evil.example"})
    assert refused.status_code == 403
    assert (await client.get(f"/documents/{id}")).status_code == 200


async def test_what_is_removed_is_named_and_gone(client: httpx2.AsyncClient, id: str) -> None:
    removed = await client.delete(f"/documents/{id}")
    assert removed.json() == {"removed": id, "site": "kitchen", "title": "北京天气", "versions": 1}
    assert (await client.get(f"/documents/{id}")).status_code == 404
    assert (await client.delete(f"/documents/{id}")).status_code == 404


@pytest.mark.parametrize("which", ["nothing", "%00", "..%2F..%2Fetc", "'%20OR%201=1"])
async def test_what_is_not_kept_is_a_problem(client: httpx2.AsyncClient, which: str) -> None:
    assert (await client.get(f"/documents/{which}")).status_code == 404


def test_the_command_lists_shows_and_removes(backend: TwinBackend, id: str, capsys: Output) -> None:
    backend.app.store.write("shop", Draft("Other", "x"))
    assert run(["documents", "list", "--site", "kitchen"], backend=backend) == 0
    assert capsys.readouterr().out.split("\t")[::4] == [id, "北京天气\n"]
    assert run(["documents", "list", "--json", "--limit", "1"], backend=backend) == 0
    out, err = capsys.readouterr()
    assert (json.loads(out)["total"], err) == (2, "")
    assert run(["documents", "show", id], backend=backend) == 0
    assert capsys.readouterr().out == LISTED
    assert run(["documents", "show", "北京天气", "--site", "kitchen", "--json"], backend=backend) == 0
    assert json.loads(capsys.readouterr().out)["text"] == TEXT
    assert run(["documents", "remove", id], backend=backend) == 0
    assert capsys.readouterr().out == "Removed '北京天气' of site 'kitchen', versions: 1.\n"


def test_the_command_says_that_there_is_no_such_document(backend: TwinBackend, capsys: Output) -> None:
    for command in (["show", "none"], ["remove", "none"], ["show", "none", "--site", "shop"]):
        assert run(["documents", *command], backend=backend) == 2
        out, err = capsys.readouterr()
        assert (out, "There is no document 'none'." in err) == ("", True)


def test_a_list_that_is_cut_says_how_many_more_there_are(backend: TwinBackend, capsys: Output) -> None:
    for title in ("One", "Two", "Three"):
        backend.app.store.write("shop", Draft(title, "x"))
    assert run(["documents", "list", "--limit", "1"], backend=backend) == 0
    assert capsys.readouterr().err == "2 more; --limit shows them.\n"

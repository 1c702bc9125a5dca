"""Who may come in."""

from dataclasses import replace

import anyio
import httpx2
import pytest
from starlette.types import Message

from pegboard.edges.web.guard import _limited, host_name, is_same_origin
from pegboard.edges.web.problems import BodyTooSlow
from tests.edges.twin import TwinApp

PATHS = ["/", "/ask?query=a", "/route?query=a", "/sites", "/tools", "/healthz", "/readyz", "/docs",
         "/openapi.json", "/console/style.css", "/nowhere"]  # fmt: skip


@pytest.mark.anyio
@pytest.mark.parametrize("path", PATHS)
async def test_a_foreign_host_is_misdirected_everywhere(client: httpx2.AsyncClient, path: str) -> None:
    response = await client.get(path, headers={"Host": "rebound.attacker.example"})
    assert (response.status_code, response.json()["title"]) == (421, "Host refused")


@pytest.mark.anyio
@pytest.mark.parametrize("path", PATHS)
async def test_a_foreign_page_is_refused_everywhere(client: httpx2.AsyncClient, path: str) -> None:
    response = await client.get(path, headers={"Origin": "https://attacker.example"})
    assert (response.status_code, response.json()["title"]) == (403, "Origin refused")


@pytest.mark.anyio
@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:8000", "127.0.0.1:9", "[::1]:8000", "a.localhost", "kitchen.example",
     "a.b.kitchen.example:443", "tools.internal", "localhost."],
)  # fmt: skip
async def test_known_hosts_come_in(app: TwinApp, client: httpx2.AsyncClient, host: str) -> None:
    app.settings = replace(app.settings, allowed_hosts=("tools.internal",))
    assert (await client.get("/healthz", headers={"Host": host})).status_code == 200


@pytest.mark.anyio
@pytest.mark.parametrize(
    "host",
    ["kitchen.example.attacker.example", "akitchen.example", "127.0.0.1.attacker.example", "192.168.1.9", "",
     "localhost:99999", "user@localhost", "localhost/x", "[::1", "8.8.8.8", "[::1]evil", "[::1%25lo]"],
)  # fmt: skip
async def test_other_hosts_stay_out(client: httpx2.AsyncClient, host: str) -> None:
    assert (await client.get("/healthz", headers={"Host": host})).status_code == 421


@pytest.mark.anyio
async def test_any_address_comes_in_when_bound_to_all(app: TwinApp, client: httpx2.AsyncClient) -> None:
    app.settings = replace(app.settings, host="0.0.0.0")
    statuses = [
        (await client.get("/healthz", headers={"Host": host})).status_code
        for host in ("192.168.1.9:8000", "rebound.attacker.example")
    ]
    assert statuses == [200, 421]


@pytest.mark.anyio
async def test_an_allowed_origin_is_answered_with_its_name(app: TwinApp, client: httpx2.AsyncClient) -> None:
    app.settings = replace(app.settings, allowed_origins=("https://kitchen.example",))
    response = await client.get("/ask?query=a", headers={"Origin": "https://kitchen.example"})
    assert (response.status_code, response.headers["access-control-allow-origin"]) == (
        200,
        "https://kitchen.example",
    )
    assert "Origin" in response.headers["vary"]


@pytest.mark.anyio
async def test_an_allowed_origin_may_ask_before_it_posts(app: TwinApp, client: httpx2.AsyncClient) -> None:
    app.settings = replace(app.settings, allowed_origins=("https://kitchen.example",))
    headers = {"Origin": "https://kitchen.example", "Access-Control-Request-Method": "POST"}
    response = await client.options("/ask", headers=headers)
    assert (response.status_code, response.headers["access-control-allow-headers"]) == (204, "*, Authorization")


@pytest.mark.anyio
@pytest.mark.parametrize(
    "origins",
    [
        ("http://127.0.0.1:8000", "https://attacker.example"),
        ("https://attacker.example", "http://127.0.0.1:8000"),
        ("https://kitchen.example", "https://attacker.example"),
        ("https://kitchen.example", "null"),
    ],
)
async def test_one_bad_origin_among_several_is_refused(
    app: TwinApp, client: httpx2.AsyncClient, origins: tuple[str, ...]
) -> None:
    app.settings = replace(app.settings, allowed_origins=("https://kitchen.example",))
    response = await client.get("/sites", headers=[("Origin", origin) for origin in origins])
    assert response.status_code == 403


@pytest.mark.anyio
async def test_the_own_page_may_ask(client: httpx2.AsyncClient) -> None:
    response = await client.post("/ask", json={"query": "a"}, headers={"Origin": "http://127.0.0.1:8000"})
    assert response.status_code == 200
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.anyio
async def test_a_foreign_page_cannot_load_an_answer_as_an_image(client: httpx2.AsyncClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert (await client.get("/ask?query=a", headers=headers)).status_code == 403


@pytest.mark.anyio
async def test_a_form_of_an_allowed_page_is_refused(app: TwinApp, client: httpx2.AsyncClient) -> None:
    app.settings = replace(app.settings, allowed_origins=("https://kitchen.example",))
    headers = {"Origin": "https://kitchen.example"}
    assert (await client.post("/ask", data={"query": "a"}, headers=headers)).status_code == 415


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/", "/docs", "/ask?query=a", "/nowhere"])
async def test_browsers_are_told_what_not_to_do(client: httpx2.AsyncClient, path: str) -> None:
    headers = (await client.get(path)).headers
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Kitchen.Example:80", "kitchen.example"),
        ("[::1]:1", "::1"),
        ("[::1]", "::1"),
        ("localhost.", "localhost"),
        ("a:", "a"),
        ("a b", ""),
        ("a:x", ""),
        ("a:65536", ""),
        ("", ""),
        (".", ""),
        ("[::1]evil", ""),
        ("[::1]evil:80", ""),
        ("[::1%25lo]", ""),
        ("[::1%lo]", ""),
        ("[::1", ""),
        ("::1", ""),
        ("[localhost]", ""),
        ("[]", ""),
        ("a@b", ""),
        ("a/b", ""),
        ("a%2eb", ""),
        ("a:80:80", ""),
        ("bücher.example", ""),
        ("localhost\x00", ""),
        ("localhost\\", ""),
    ],
)
def test_a_host_header_is_read(header: str, name: str) -> None:
    assert host_name(header) == name


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        ("http://localhost:8000", "localhost:8000", True),
        ("https://kitchen.example", "kitchen.example", True),
        ("https://kitchen.example", "kitchen.example:443", True),
        ("http://localhost:3000", "localhost:8000", False),
        ("null", "null", False),
        ("file://localhost", "localhost", False),
    ],
)
def test_an_origin_is_compared_with_the_host(origin: str, host: str, same: bool) -> None:
    assert is_same_origin(origin, host) is same


@pytest.mark.anyio
async def test_a_body_that_does_not_come_to_its_end_is_not_waited_for_and_a_client_that_listens_is() -> None:
    listens = anyio.Event()

    async def slow() -> Message:
        await anyio.sleep_forever()
        raise AssertionError

    async def whole() -> Message:
        if not listens.is_set():
            listens.set()
            return {"type": "http.request", "body": b"{}", "more_body": False}
        return await slow()

    with anyio.fail_after(10):
        with pytest.raises(BodyTooSlow, match=r"within 0\.01 seconds"):
            await _limited(slow, seconds=0.01)()
        receive = _limited(whole, seconds=0.01)
        assert (await receive())["body"] == b"{}"
        with anyio.move_on_after(0.1) as scope:
            await receive()
    assert scope.cancelled_caught

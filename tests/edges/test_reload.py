"""What a server says of its configuration, and how it is told to read it again."""

from collections.abc import AsyncIterator

import httpx2
import pytest

from pegboard.app.state import Refused, State
from pegboard.config.problems import Problem
from pegboard.config.span import Span
from pegboard.edges.web.application import web_app
from tests.edges.twin import TwinApp, TwinServing

pytestmark = pytest.mark.anyio

REFUSED = Refused(
    1_795_000_000.0,
    "The configuration has 1 error.",
    (
        Problem(Span("tools.xml", 2, 1), "PB106", "warning", "ignored"),
        Problem(Span("tools.d/shop.yaml", 3, 5), "PB103", "error", "must be a number, found 'hunter2'"),
    ),
)


@pytest.fixture
def serving(app: TwinApp) -> TwinServing:
    return TwinServing(app, State("0123456789abcdef", 1_790_000_000.0, reloads=3, refusals=1))


@pytest.fixture
async def client(serving: TwinServing) -> AsyncIterator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(web_app(serving, admin_token="s3cret"))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_readiness_tells_the_snapshot_its_age_and_the_refused_edit_but_no_value_of_it(
    client: httpx2.AsyncClient, serving: TwinServing
) -> None:
    config = (await client.get("/readyz")).json()["config"]
    assert config.pop("age_seconds") > 0
    current = {
        "status": "current",
        "snapshot": "0123456789abcdef",
        "since": "2026-09-21T14:13:20+00:00",
        "reloads": 3,
        "refused": None,
    }
    assert config == current
    serving.refuses = REFUSED
    await serving.reload()
    response = await client.get("/readyz")
    assert response.status_code == 200
    config = response.json()["config"]
    assert config.pop("age_seconds") > 0
    refused = {"at": "2026-11-18T11:06:40+00:00", "errors": 1, "first": "tools.d/shop.yaml:3:5 PB103"}
    assert config == {**current, "status": "stale", "refused": refused}
    assert "hunter2" not in response.text


async def test_metrics_tell_the_same(client: httpx2.AsyncClient, serving: TwinServing) -> None:
    serving.refuses = REFUSED
    await serving.reload()
    response = await client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    values = [line for line in response.text.splitlines() if not line.startswith("#")]
    assert values == [
        'pegboard_config_info{snapshot="0123456789abcdef"} 1.0',
        "pegboard_config_loaded_timestamp_seconds 1.79e+09",
        "pegboard_config_stale 1.0",
        "pegboard_config_refused_timestamp_seconds 1.795e+09",
        'pegboard_config_reloads_total{result="served"} 3.0',
        'pegboard_config_reloads_total{result="refused"} 1.0',
        "pegboard_threads_running 0.0",
        "pegboard_threads_abandoned 0.0",
        "pegboard_threads_let_go_total 0.0",
        "pegboard_loop_held_total 0.0",
        "pegboard_loop_held_seconds_total 0.0",
    ]


@pytest.mark.parametrize("headers", [{}, bearer("wrong"), bearer(""), bearer("s3cret2"), {"Authorization": "s3cret"}])
async def test_a_reload_needs_the_token(
    client: httpx2.AsyncClient, serving: TwinServing, headers: dict[str, str]
) -> None:
    response = await client.post("/admin/reload", headers=headers)
    assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
    assert response.json()["title"] == "Token refused"
    assert serving.reloads == 0


async def test_a_token_that_is_no_ascii_is_refused_too(client: httpx2.AsyncClient) -> None:
    response = await client.post("/admin/reload", headers=[(b"authorization", "Bearer 密".encode())])
    assert response.status_code == 401


async def test_a_reload_says_what_came_of_it(client: httpx2.AsyncClient, serving: TwinServing) -> None:
    response = await client.post("/admin/reload", headers=bearer("s3cret"))
    unchanged = {"status": "unchanged", "snapshot": "d1", "milliseconds": 1.0}
    assert (response.status_code, response.json()) == (200, unchanged)
    serving.refuses = REFUSED
    response = await client.post("/admin/reload", headers={"Authorization": "bearer  s3cret"})
    assert response.status_code == 422
    assert response.json() == {
        **unchanged,
        "status": "refused",
        "message": REFUSED.message,
        "problems": [problem.to_json() for problem in REFUSED.problems],
    }
    assert serving.reloads == 2


async def test_a_reload_is_no_get_and_there_is_none_without_a_token(
    client: httpx2.AsyncClient, serving: TwinServing
) -> None:
    assert (await client.get("/admin/reload", headers=bearer("s3cret"))).status_code == 405
    transport = httpx2.ASGITransport(web_app(serving))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as without:
        assert (await without.post("/admin/reload", headers=bearer(""))).status_code == 404


async def test_a_client_that_has_the_catalog_of_this_snapshot_is_told_so(client: httpx2.AsyncClient) -> None:
    for path in ("/sites", "/tools?site=shop"):
        first = await client.get(path)
        assert first.headers["x-pegboard-snapshot"] == "d1"
        again = await client.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert (await client.get(path, headers={"If-None-Match": '"other"'})).status_code == 200

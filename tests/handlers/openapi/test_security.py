"""Who asks: each scheme of a document is sent where the document says, and nowhere else."""

import base64
import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from pegboard.catalog.kind import Misdeclared
from pegboard.errors import CallFailed, CallRefused
from pegboard.text import Json
from tests.handlers.openapi.made import called, document, kind, offers, parameter
from tests.handlers.openapi.service import Asked, service
from tests.twins import context

pytestmark = pytest.mark.anyio

SCHEMES: dict[str, Any] = {
    "basic": {"type": "http", "scheme": "basic"},
    "bearer": {"type": "http", "scheme": "Bearer"},
    "header": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "query": {"type": "apiKey", "in": "query", "name": "api key"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "session"},
    "oauth": {"type": "oauth2", "flows": {}},
    "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://id.example"},
    "digest": {"type": "http", "scheme": "digest"},
}


def secured(
    *alternatives: dict[str, Any], everywhere: list[dict[str, Any]] | None = None, **told: Any
) -> dict[str, Any]:
    own = {"security": [*alternatives]} if alternatives else {}
    path = {"get": {"operationId": "x", **own, **told}}
    return document({"/x": path}, components={"securitySchemes": SCHEMES}, security=everywhere or [])


async def sent(folder: Path, held: dict[str, Any], /, **source: Any) -> Asked:
    with anyio.fail_after(10):
        async with service() as upstream:
            await called(kind(folder, held, base_url=upstream.url, **source))
            return upstream.last


def of(asked: Asked) -> dict[str, str]:
    return {key: value for key, value in asked.headers if key in ("authorization", "cookie", "x-key")}


@pytest.mark.parametrize(
    ("scheme", "headers", "target"),
    [
        ("basic", {"authorization": "Basic dTpzw6k6IHQv"}, "/x"),
        ("bearer", {"authorization": "Bearer sé: t/"}, "/x"),
        ("oauth", {"authorization": "Bearer sé: t/"}, "/x"),
        ("oidc", {"authorization": "Bearer sé: t/"}, "/x"),
        ("cookie", {"cookie": "session=s%C3%A9%3A%20t%2F"}, "/x"),
        ("query", {}, "/x?api%20key=s%C3%A9%3A%20t%2F"),
    ],
)
async def test_each_scheme(tmp_path: Path, scheme: str, headers: dict[str, str], target: str) -> None:
    secret = "sé: t/" if scheme not in ("bearer", "oauth", "oidc") else "token"
    credential = {"scheme": scheme, "value": secret, "user": "u"}
    asked = await sent(tmp_path, secured({scheme: []}), security=[credential])
    expected = {key: value.replace("sé: t/", secret) for key, value in headers.items()}
    assert (of(asked), asked.target) == (expected, target)


async def test_a_key_in_a_header(tmp_path: Path) -> None:
    asked = await sent(tmp_path, secured({"header": []}), security=[{"scheme": "header", "value": "k"}])
    assert of(asked) == {"x-key": "k"}


async def test_all_of_an_alternative_is_sent_and_nothing_of_the_others(tmp_path: Path) -> None:
    held = secured({"basic": []}, {"header": [], "cookie": []}, {"bearer": []})
    secrets = [{"scheme": name, "value": name} for name in ("header", "cookie", "bearer")]
    assert of(await sent(tmp_path, held, security=secrets)) == {"x-key": "header", "cookie": "session=cookie"}


async def test_a_secret_is_not_sent_to_an_operation_that_does_not_ask_for_it(tmp_path: Path) -> None:
    held = secured(everywhere=[{"bearer": []}])
    held["paths"]["/x"]["get"]["security"] = []
    assert of(await sent(tmp_path, held, security=[{"scheme": "bearer", "value": "t"}])) == {}


async def test_what_the_document_wants_everywhere_holds_for_each_operation(tmp_path: Path) -> None:
    held = secured(everywhere=[{"bearer": []}])
    asked = await sent(tmp_path, held, security=[{"scheme": "bearer", "value": "t"}])
    assert of(asked) == {"authorization": "Bearer t"}


async def test_auth_of_the_source_is_sent_where_no_scheme_is(tmp_path: Path) -> None:
    asked = await sent(tmp_path, secured(), auth={"header": {"name": "X-Key", "value": "k"}})
    assert of(asked) == {"x-key": "k"}


async def test_an_empty_secret_is_none(tmp_path: Path) -> None:
    held = secured({"bearer": []})
    assert of(await sent(tmp_path, held, security=[{"scheme": "bearer", "value": ""}])) == {}


async def test_a_cookie_of_a_secret_stands_with_the_others(tmp_path: Path) -> None:
    held = secured({"cookie": []}, parameters=[parameter("cookie", "a")])
    with anyio.fail_after(10):
        async with service() as upstream:
            tool = kind(tmp_path, held, base_url=upstream.url, security=[{"scheme": "cookie", "value": "s"}])
            await called(tool, a=1)
            assert of(upstream.last) == {"cookie": "a=1; session=s"}


@pytest.mark.parametrize(
    ("held", "source"),
    [
        (secured({"header": []}, parameters=[parameter("header", "x-key")]), {}),
        (secured({"query": []}, parameters=[parameter("query", "api key")]), {}),
        (secured(parameters=[parameter("query", "key")]), {"auth": {"query": {"name": "key", "value": "s"}}}),
        (secured(parameters=[parameter("header", "Version")]), {"headers": {"version": "3"}}),
    ],
)
def test_what_the_configuration_gives_is_no_argument(
    tmp_path: Path, held: dict[str, Any], source: dict[str, Any]
) -> None:
    assert kind(tmp_path, held, **source).parameters["properties"] == {}


@pytest.mark.parametrize("scheme", ["basic", "bearer", "header", "query", "cookie"])
def test_a_preview_masks_secrets(tmp_path: Path, scheme: str) -> None:
    tool = kind(tmp_path, secured({scheme: []}), security=[{"scheme": scheme, "value": "s3cr3t &/", "user": "u"}])
    shown = str(tool.preview({}))
    assert "***" in shown
    assert "s3cr3t" not in shown
    assert "czNjcjN0" not in shown


async def test_a_service_that_wants_a_secret_says_what_to_declare(tmp_path: Path) -> None:
    with anyio.fail_after(10):
        async with service() as upstream:
            upstream.status, upstream.body = 401, b'{"message": "who are you?"}'
            tool = kind(tmp_path, secured({"bearer": []}), base_url=upstream.url)
            with pytest.raises(CallFailed) as caught:
                await called(tool)
    assert caught.value.message == "GET /x answered 401: who are you?"
    assert caught.value.hint == "It asks for bearer: declare its secret under `security` of the source."


async def test_a_secret_that_a_service_repeats_reaches_nobody(tmp_path: Path) -> None:
    with anyio.fail_after(10):
        async with service() as upstream:
            upstream.status, upstream.body = 403, b'{"error": {"message": "bad token s3cr3t"}}'
            secrets = [{"scheme": "bearer", "value": "s3cr3t"}]
            tool = kind(tmp_path, secured({"bearer": []}), base_url=upstream.url, security=secrets)
            with pytest.raises(CallFailed, match=r"bad token \*\*\*"):
                await called(tool)


def test_a_secret_for_a_scheme_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(Misdeclared) as caught:
        offers(tmp_path, secured({"bearer": []}), security=[{"scheme": "baerer", "value": "t"}])
    misfit = caught.value.misfits[0]
    assert (misfit.path, misfit.hint) == (("security", 0, "scheme"), "Did you mean 'bearer'?")


def test_the_value_is_json(tmp_path: Path) -> None:
    shown: Json = kind(tmp_path, secured()).preview({})
    assert isinstance(shown, dict)


async def test_a_server_of_an_operations_own_gets_no_secret_and_has_to_be_public(tmp_path: Path) -> None:
    held = secured({"bearer": []}, servers=[{"url": "https://evil.example/x"}])
    tool = kind(tmp_path, held, security=[{"scheme": "bearer", "value": "s3cr3t"}], headers={"X-Own": "1"})
    shown = str(tool.preview({}))
    assert "https://evil.example/x" in shown
    assert "Authorization" not in shown
    assert "X-Own" not in shown


async def test_a_server_of_an_operations_own_is_not_asked_where_it_is_private(tmp_path: Path) -> None:
    with anyio.fail_after(10):
        async with service() as upstream:
            tool = kind(tmp_path, secured(servers=[{"url": upstream.url}]))
            with pytest.raises(CallRefused):
                await called(tool)
            with pytest.raises(CallRefused):
                await tool.reach(context())
            assert upstream.asked == []


async def test_a_server_of_the_same_origin_is_asked_as_the_document_says(tmp_path: Path) -> None:
    held = secured({"bearer": []}, servers=[{"url": "https://pets.example:443/v2"}])
    tool = kind(tmp_path, held, security=[{"scheme": "bearer", "value": "s3cr3t"}])
    assert "Authorization" in str(tool.preview({}))


async def test_a_secret_that_a_service_echoes_is_masked_in_every_spelling(tmp_path: Path) -> None:
    secret = "tok/en+with=signs"
    body = {"raw": secret, "coded": base64.b64encode(secret.encode()).decode(), "url": "tok%2Fen%2Bwith%3Dsigns"}
    with anyio.fail_after(10):
        async with service() as upstream:
            upstream.body = json.dumps(body).encode()
            tool = kind(
                tmp_path,
                secured({"bearer": []}),
                base_url=upstream.url,
                security=[{"scheme": "bearer", "value": secret}],
            )
            result = await called(tool)
    assert isinstance(result.data, dict)
    assert (result.data["raw"], result.data["url"]) == ("***", "***")
    assert body["coded"] not in result.text
    assert secret not in result.text

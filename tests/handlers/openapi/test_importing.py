"""What `platform import openapi` finds: at a file, at a URL, and what it refuses."""

import hashlib
import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from pegboard.catalog.kind import About, Imported
from pegboard.config.blocks.openapi import OpenapiSourceDeclaration
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.server.settings import Settings
from pegboard.errors import CallFailed, UpstreamFailed, UsageError
from pegboard.handlers.openapi import operation
from tests.handlers.openapi.made import document, parameter
from tests.handlers.openapi.service import service

pytestmark = pytest.mark.anyio

LIST: dict[str, Any] = {"operationId": "listPets", "tags": ["pet"]}
PETS = document({"/pets": {"get": LIST, "post": {"operationId": "addPet", "deprecated": True}}})


async def found(folder: Path, place: str, *, name: str = "pets", **choice: Any) -> Imported:
    told = OpenapiSourceDeclaration.model_validate({"document": "-", **choice})
    source = SourceDeclaration(name=name, openapi=told)
    settings = Settings(folder, folder, folder / ".pegboard")
    with anyio.fail_after(10):
        return await operation.imported(place, About(name, "", settings, folder, source=source))


def written(folder: Path, held: dict[str, Any]) -> str:
    (folder / "api.json").write_text(json.dumps(held))
    return str(folder / "api.json")


async def test_a_file(tmp_path: Path) -> None:
    done = await found(tmp_path, written(tmp_path, PETS))
    content = done.files["openapi/pets.json"]
    assert json.loads(content) == PETS
    assert done.source == {
        "name": "pets",
        "description": "Pets",
        "prefix": "pets_",
        "openapi": {"document": "openapi/pets.json", "sha256": hashlib.sha256(content).hexdigest()},
    }
    assert done.notices == (
        "Pets (OpenAPI 3.1.0): 1 of 2 operations are tools.",
        "Deprecated and therefore left out, unless named by --operation: 1.",
        "The service is at https://pets.example/v1.",
    )


async def test_a_choice_is_written_down(tmp_path: Path) -> None:
    done = await found(tmp_path, written(tmp_path, PETS), operations=["addPet", "list*"], tags=["pet"])
    block = done.source["openapi"]
    assert isinstance(block, dict)
    assert (block["operations"], block["tags"]) == (["addPet", "list*"], ["pet"])


@pytest.mark.parametrize("choice", [{"operations": ["listPest"]}, {"tags": ["pets"]}])
async def test_a_choice_of_what_is_not_there_is_refused_with_what_is_meant(
    tmp_path: Path, choice: dict[str, Any]
) -> None:
    with pytest.raises(UsageError) as caught:
        await found(tmp_path, written(tmp_path, PETS), **choice)
    assert caught.value.hint.startswith("Did you mean")


async def test_secrets_get_variables_and_the_simplest_alternative_is_taken(tmp_path: Path) -> None:
    schemes = {
        "basic": {"type": "http", "scheme": "basic"},
        "token": {"type": "http", "scheme": "bearer"},
        "app id": {"type": "apiKey", "in": "header", "name": "X-App"},
        "mtls": {"type": "mutualTLS"},
    }
    security: list[dict[str, Any]] = [{"basic": []}, {"token": []}, {"token": [], "app id": []}]
    paths = {"/a": {"get": {"operationId": "a", "security": security}}, "/b": {"get": {"security": [{"app id": []}]}}, "/c": {"get": {"security": [{"mtls": []}]}}}  # fmt: skip
    done = await found(tmp_path, written(tmp_path, document(paths, components={"securitySchemes": schemes})))
    block = done.source["openapi"]
    assert isinstance(block, dict)
    assert block["security"] == [
        {"scheme": "token", "value": "${PETS_TOKEN:-}"},
        {"scheme": "app id", "value": "${PETS_APP_ID_TOKEN:-}"},
    ]
    assert [note for note in done.notices if "Set" in note] == [
        "Set PETS_TOKEN for 'token': http: a token.",
        "Set PETS_APP_ID_TOKEN for 'app id': the header X-App.",
    ]
    assert "No secret alone can do what mtls asks for." in done.notices


async def test_a_variable_is_never_one_of_the_servers(tmp_path: Path) -> None:
    security: dict[str, Any] = {
        "components": {"securitySchemes": {"k": {"type": "http", "scheme": "basic"}}},
        "security": [{"k": []}],
    }
    done = await found(tmp_path, written(tmp_path, document({"/a": {"get": {}}}, **security)), name="openai")
    block = done.source["openapi"]
    assert isinstance(block, dict)
    assert block["security"] == [{"scheme": "k", "value": "${API_OPENAI_TOKEN:-}", "user": "${API_OPENAI_USER:-}"}]


async def test_a_document_that_says_no_address_gets_a_variable_for_it(tmp_path: Path) -> None:
    done = await found(tmp_path, written(tmp_path, {**PETS, "servers": [{"url": "/v3/"}]}))
    block = done.source["openapi"]
    assert isinstance(block, dict)
    assert block["base_url"] == "${PETS_URL:-http://localhost/v3}"


async def test_what_looks_like_a_variable_is_text(tmp_path: Path) -> None:
    done = await found(tmp_path, written(tmp_path, {**PETS, "info": {"title": "A ${HOME} b"}}))
    assert done.source["description"] == "A $${HOME} b"


async def test_a_url_with_its_redirects_and_a_relative_address() -> None:
    async with service() as upstream:
        body = json.dumps({**PETS, "servers": [{"url": "/v3"}]}).encode()
        upstream.by_target = {
            "/a": (302, [("location", "/docs/b?x=1")], b""),
            "/docs/b?x=1": (200, [("content-type", "application/json")], body),
        }
        done = await found(Path("/nowhere"), f"{upstream.url}/a")
        block = done.source["openapi"]
        assert isinstance(block, dict)
        assert block["base_url"] == f"{upstream.url}/v3"


async def test_a_redirect_leads_to_no_file() -> None:
    async with service() as upstream:
        upstream.status, upstream.headers = 302, [("location", "file:///etc/passwd")]
        with pytest.raises(UsageError, match="no http or https URL"):
            await found(Path("/nowhere"), f"{upstream.url}/a")


async def test_a_redirect_leads_to_no_private_address() -> None:
    async with service() as upstream, service() as inner:
        upstream.status, upstream.headers = 302, [("location", f"{inner.url}/secret")]
        with pytest.raises(CallFailed):
            await found(Path("/nowhere"), f"{upstream.url}/a")
        assert inner.asked == []


@pytest.mark.parametrize(("status", "error"), [(404, "answered 404"), (301, "again and again")])
async def test_a_service_without_it(status: int, error: str) -> None:
    async with service() as upstream:
        upstream.status, upstream.headers = status, [("location", "/a")]
        with pytest.raises(UpstreamFailed, match=error):
            await found(Path("/nowhere"), f"{upstream.url}/a")


@pytest.mark.parametrize("place", ["ftp://x/y", "file:///etc/passwd", "nothing.json", "."])
async def test_what_is_no_place(tmp_path: Path, place: str) -> None:
    with pytest.raises(UsageError):
        await found(tmp_path, place)


async def test_remote_references_are_named_and_not_fetched(tmp_path: Path) -> None:
    async with service() as upstream:
        held = document({"/a": {"get": {"parameters": [{"$ref": f"{upstream.url}/secret"}]}}})
        done = await found(tmp_path, written(tmp_path, held))
        assert upstream.asked == []
    assert f"1 references lead out of the document and are not followed: {upstream.url}/secret." in done.notices


async def test_yaml_becomes_json(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text('openapi: 3.1.0\npaths:\n  /a: {get: {responses: {200: {description: "é"}}}}\n')
    done = await found(tmp_path, str(tmp_path / "api.yaml"))
    assert json.loads(done.files["openapi/pets.json"])["paths"]["/a"]["get"]["responses"]["200"] == {"description": "é"}


async def test_servers_that_are_not_the_sources_are_told(tmp_path: Path) -> None:
    own = {"operationId": "own", "servers": [{"url": "https://evil.example"}]}
    same = {"operationId": "same", "servers": [{"url": "https://pets.example/v2"}]}
    place = written(tmp_path, document({"/a": {"get": own}, "/b": {"get": same}}))
    told = "The document sends own to https://evil.example: it gets no secret and no header, and has to be public."
    assert told in (await found(tmp_path, place)).notices
    assert told not in (await found(tmp_path, place, base_url="https://stage.example")).notices


async def test_operations_that_need_too_many_components_are_told(tmp_path: Path) -> None:
    schemas = {f"s{number}": {"allOf": [{"$ref": f"#/components/schemas/s{number + 1}"}]} for number in range(2_100)}
    told = {"operationId": "x", "parameters": [parameter(schema={"$ref": "#/components/schemas/s0"})]}
    place = written(tmp_path, document({"/a": {"get": told}}, components={"schemas": schemas}))
    assert (await found(tmp_path, place)).notices[-1] == (
        "Arguments of 1 operations need more than 2,000 components; arguments that refer to one may be anything: x."
    )


async def test_a_redirect_to_what_is_no_address_is_an_error() -> None:
    async with service() as upstream:
        upstream.status, upstream.headers = 302, [("location", "http://[")]
        with pytest.raises(UsageError, match="is no http or https URL"):
            await found(Path(), upstream.url)

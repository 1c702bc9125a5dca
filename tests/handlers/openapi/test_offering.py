"""Which operations of a document are tools, what they are called, and what is wrong with a choice."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.app import check
from pegboard.catalog.kind import Misdeclared
from pegboard.handlers.openapi.naming import Names, tool_name
from pegboard.handlers.openapi.parse import parse
from tests.handlers.openapi.made import document, kind, offers, one, parameter

PETS: dict[str, Any] = document(
    {
        "/pets": {
            "get": {"operationId": "listPets", "summary": "List the pets", "tags": ["pet", " "]},
            "post": {"operationId": "addPet", "description": "<p>Adds\n a pet.</p>", "tags": ["pet"]},
        },
        "/pets/{id}": {
            "get": {"tags": ["pet"]},
            "head": {"operationId": "peek", "deprecated": True},
            "delete": {"operationId": "listPets"},
        },
        "/shop/2.0/orders.json": {"get": {"operationId": "shop/orders list", "tags": ["shop"]}},
        "x-own": {"get": {}},
    }
)


def names(folder: Path, **source: Any) -> list[str]:
    return [each.name for each in offers(folder, PETS, **source)]


def test_every_operation_is_a_tool_but_the_deprecated_ones(tmp_path: Path) -> None:
    assert [(each.name, each.description, each.block["operation"], each.tags) for each in offers(tmp_path, PETS)] == [
        ("listPets", "List the pets.", "listPets", ("pet",)),
        ("addPet", "Adds a pet.", "addPet", ("pet",)),
        ("get_pets_id", "GET /pets/{id}", "GET /pets/{id}", ("pet",)),
        ("listPets_cb6f3fde", "DELETE /pets/{id}", "DELETE /pets/{id}", ()),
        ("shop_orders_list", "GET /shop/2.0/orders.json", "shop/orders list", ("shop",)),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({"operations": ["addPet"]}, ["addPet"]),
        ({"operations": ["*Pet*"]}, ["listPets", "addPet", "listPets_cb6f3fde"]),
        ({"operations": ["GET /pets*"]}, ["listPets", "get_pets_id"]),
        ({"operations": ["peek"]}, ["peek"]),
        ({"operations": ["pee?"]}, []),
        ({"operations": ["shop/orders list", "shop_orders_list"]}, ["shop_orders_list"]),
        ({"tags": ["shop"]}, ["shop_orders_list"]),
        ({"tags": ["pet"], "operations": ["list*"]}, ["listPets"]),
        ({"exclude": ["*"]}, []),
        ({"exclude": ["DELETE *", "GET *"]}, ["addPet"]),
    ],
)
def test_a_choice(tmp_path: Path, source: dict[str, Any], expected: list[str]) -> None:
    assert names(tmp_path, **source) == expected


@pytest.mark.parametrize(
    ("source", "path", "hint"),
    [
        ({"operations": ["listPest"]}, ("operations", 0), "Did you mean 'listPets'?"),
        ({"exclude": ["addPet", "zzz*"]}, ("exclude", 1), ""),
        ({"tags": ["pets"]}, ("tags", 0), "Did you mean 'pet'?"),
        ({"sha256": "0" * 64}, ("sha256",), ""),
        ({"document": "none.json"}, ("document",), ""),
        ({"document": "../api.json"}, ("document",), ""),
        ({"base_url": "ftp://x"}, ("base_url",), ""),
        ({"base_url": "/v1"}, ("base_url",), ""),
    ],
)
def test_a_source_that_cannot_offer(tmp_path: Path, source: dict[str, Any], path: tuple[str, ...], hint: str) -> None:
    with pytest.raises(Misdeclared) as caught:
        offers(tmp_path, PETS, **source)
    misfit = caught.value.misfits[0]
    assert misfit.path == path
    assert hint in misfit.hint


@pytest.mark.parametrize(
    "held",
    [
        b"", b"[]", b"{", b"{}", b'{"openapi": "3.1.0"}', b"\xff", b"a: [", b"openapi: 3.1.0", b'{"openapi":"3.1.0","paths":NaN}',
        b'{"openapi":"3.1.0","paths":' + b'{"a":' * 100_000, b"a: &a [*a]",
        b'{"openapi":"3.1.0","paths":{},"x":' + b"[" * 200 + b"]" * 200 + b"}",
    ],
)  # fmt: skip
def test_what_is_no_document_is_a_problem(tmp_path: Path, held: bytes) -> None:
    with pytest.raises(Misdeclared) as caught:
        offers(tmp_path, held)
    assert caught.value.misfits[0].path == ("document",)


def test_a_document_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(Misdeclared, match="12,582,912 are read at most"):
        offers(tmp_path, b" " * (12 * 1024 * 1024 + 1))


def test_a_document_that_has_changed_says_how_to_take_it_over(tmp_path: Path) -> None:
    offers(tmp_path, PETS)
    with pytest.raises(Misdeclared) as caught:
        offers(tmp_path, {**PETS, "info": {"title": "Other"}}, sha256="ab" * 32)
    assert "not the one that was imported" in caught.value.misfits[0].message
    assert "platform import openapi" in caught.value.misfits[0].hint


def test_a_yaml_document_with_numbers_for_statuses(tmp_path: Path) -> None:
    held = b"""
openapi: "3.0.3"
info: {title: Pets, version: 2024-01-01}
servers: [{url: "https://{host}/v1", variables: {host: {default: pets.example}}}]
paths:
  /x:
    get:
      operationId: x
      parameters: [{name: a, in: query, schema: {enum: [no, 1:30, "on", 2]}}]
      responses: {200: {description: ok}}
"""
    tool = kind(tmp_path, held)
    assert tool.parameters["properties"] == {"a": {"enum": ["no", "1:30", "on", 2]}}
    assert tool.preview({}) == {
        "method": "GET",
        "url": "https://pets.example/v1/x",
        "headers": ["Accept: application/json, */*;q=0.5"],
    }


def test_an_operation_goes_to_its_own_server_unless_the_source_says_where(tmp_path: Path) -> None:
    held = one(servers=[{"url": "https://upload.example/"}])
    assert kind(tmp_path, held).preview({})["url"] == "https://upload.example/x"  # type: ignore[index,call-overload]
    stage = kind(tmp_path, held, base_url="https://stage.example/v2")
    assert stage.preview({})["url"] == "https://stage.example/v2/x"  # type: ignore[index,call-overload]


def test_an_operation_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Misdeclared) as caught:
        kind(tmp_path, PETS, "addPets")
    assert caught.value.misfits[0].hint == "Did you mean 'addPet'?"


@pytest.mark.parametrize(("method", "reads"), [("get", True), ("head", True), ("post", False), ("delete", False)])
def test_what_only_reads(tmp_path: Path, method: str, reads: bool) -> None:
    assert kind(tmp_path, one(method)).is_read_only is reads


@given(ids=st.lists(st.text(max_size=90), max_size=12), most=st.integers(10, 64))
def test_names_are_legal_unique_and_the_same_again(ids: list[str], most: int) -> None:
    def made() -> list[str]:
        taken: list[str] = []
        for number, each in enumerate(ids):
            taken.append(tool_name(each, f"GET /{number}/{each}", taken, most=most))
        return taken

    assert made() == made()
    assert len(set(made())) == len(ids)
    assert all(re.fullmatch(rf"[A-Za-z0-9_-]{{1,{most}}}", name) for name in made())


@given(
    st.lists(
        st.tuples(st.text(max_size=90), st.sampled_from(["path", "query", "header", "cookie", "body"])), max_size=12
    )
)
def test_arguments_are_legal_and_unique(every: list[tuple[str, str]]) -> None:
    names = Names()
    taken = [names.argument(name, place) for name, place in every]
    assert len(set(taken)) == len(every)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,70}", name) for name in taken)


def test_references_that_lead_out_are_named_and_never_followed() -> None:
    held = one(
        "post",
        parameters=[{"$ref": "file:///etc/passwd"}, parameter(schema={"$ref": "http://169.254.169.254/latest"})],
        requestBody={"$ref": "other.yaml#/body"},
    )
    assert set(parse(held).foreign) == {"file:///etc/passwd", "http://169.254.169.254/latest", "other.yaml#/body"}


def written(folder: Path, held: dict[str, Any], source: str) -> None:
    (folder / "tools.yaml").write_text(f"sources:\n  - name: pets\n    openapi:\n      document: api.json\n{source}")
    (folder / "api.json").write_text(json.dumps(held))


def test_a_configuration_with_a_source_has_its_tools(tmp_path: Path) -> None:
    written(tmp_path, PETS, "    prefix: p_\n    call: {timeout: 2s}\n")
    report = check(config=tmp_path, environ=os.environ)
    assert report.ok, report.problems
    tools = report.catalog.sites["default"].tools
    assert [tool.name for tool in tools][:2] == ["p_listPets", "p_addPet"]
    assert {tool.timeout_seconds for tool in tools} == {2.0}


def test_names_are_cut_with_their_prefix(tmp_path: Path) -> None:
    held = document({f"/{number}": {"get": {"operationId": "a" * 60 + str(number)}} for number in range(3)})
    written(tmp_path, held, f"    prefix: {'p' * 20}\n")
    report = check(config=tmp_path, environ=os.environ)
    assert [len(tool.name) for tool in report.catalog.sites["default"].tools] == [64] * 3


def test_a_source_that_cannot_offer_is_a_problem_at_its_place(tmp_path: Path) -> None:
    written(tmp_path, PETS, "      operations: [listPets, nothing]\n")
    report = check(config=tmp_path, environ=os.environ)
    assert [(str(each.span), each.code) for each in report.problems if each.code == "PB233"] == [
        (f"{tmp_path / 'tools.yaml'}:5:30", "PB233")
    ]

"""`platform show` of a tool that a block or a source makes."""

import json
from pathlib import Path

import pytest

from pegboard.catalog.loading.kinds import BLOCKS as KINDS
from pegboard.edges.cli.block import BLOCKS
from pegboard.edges.cli.command import run

Output = pytest.CaptureFixture[str]

TOOLS = """
sources:
  - {name: pets, description: Pets., openapi: {document: pets.json}}
  - {name: shop, description: A shop., sql: {file: shop.db}}
  - {name: api, description: A service., http: {base_url: "https://example.org"}}
sites: [{name: here}]
tools:
  - name: orders
    description: Orders.
    sql: {source: shop, statement: "SELECT n FROM orders WHERE city = :city"}
  - name: get
    description: Gets.
    parameters: {b: string}
    http: {source: api, url: "/a/{b}", headers: {X: "key ${TOKEN}"}, auth: {bearer: "${TOKEN}"}}
  - {name: get, type: Recipe, description: Gets dishes., http: {source: api, url: "/d/{b}", headers: {X: "none"}}}
  - name: calculator
    description: Calculates.
"""
PETS = {
    "openapi": "3.1.0",
    "info": {"title": "Pets", "version": "1"},
    "servers": [{"url": "https://example.org"}],
    "paths": {"/pets": {"get": {"operationId": "listPets", "responses": {"200": {"description": "Them."}}}}},
}


@pytest.fixture(autouse=True)
def declared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tools.yaml").write_text(TOOLS, "utf-8")
    (tmp_path / "pets.json").write_text(json.dumps(PETS), "utf-8")
    monkeypatch.setenv("TOKEN", "hunter2secret")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows(capsys: Output) -> dict[str, str]:
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    return {words[0]: " ".join(words[1:]) for words in lines}


def test_a_block_is_named_with_its_place_and_its_keys(capsys: Output) -> None:
    assert run(["show", "here", "orders"]) == 0
    shown = rows(capsys)
    assert shown["handler"] == "pegboard.handlers.sql:statement made by the block `sql`, tools.yaml:10:10"
    assert shown["sql.source"] == "shop tools.yaml:10:19"
    assert shown["sql.statement"] == "SELECT n FROM orders WHERE city = :city tools.yaml:10:36"
    assert shown["read_only"] == "true made by the block `sql`, tools.yaml:10:10"
    assert shown["parameters"].endswith("made by the block `sql`, tools.yaml:10:10")


def test_a_source_is_named_where_it_offers_the_tool(capsys: Output) -> None:
    assert run(["show", "here", "listPets"]) == 0
    shown = rows(capsys)
    assert shown["handler"] == "pegboard.handlers.openapi:operation made by the source 'pets', tools.yaml:3:5"
    assert shown["openapi.operation"] == "listPets tools.yaml:3:5"


@pytest.mark.parametrize("form", [[], ["--json"], ["--all"]])
def test_no_secret_is_shown_wherever_it_was_put(form: list[str], capsys: Output) -> None:
    assert run(["show", "here", "get", *form]) == 0
    out = capsys.readouterr().out
    assert "hunter2secret" not in out
    assert "key ***" in out
    assert "http.auth" in out


def test_no_secret_is_shown_of_what_is_overridden(declared: Path, capsys: Output) -> None:
    text = (declared / "tools.yaml").read_text("utf-8").replace("[{name: here}]", "[{name: here, types: [Recipe]}]")
    (declared / "tools.yaml").write_text(text, "utf-8")
    assert run(["show", "here", "get", "--all"]) == 0
    out = capsys.readouterr().out
    assert "/d/{b}" in out
    assert "hunter2secret" not in out


def test_a_room_of_the_name_is_called_so(capsys: Output) -> None:
    assert run(["show", "here", "calculator"]) == 0
    assert rows(capsys)["handler"].endswith("the room of the tool's name")


def test_all_blocks_are_known() -> None:
    assert set(BLOCKS) == set(KINDS)

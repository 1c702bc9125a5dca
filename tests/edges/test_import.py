"""`platform import`: what is written passes the check at once, or nothing is written."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from pegboard.app.importing import name_of
from pegboard.config.problems import Problem
from pegboard.config.span import Span
from pegboard.edges.cli.command import run
from tests.edges.twin import TwinBackend

Output = pytest.CaptureFixture[str]

PETS: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Pets"},
    "servers": [{"url": "https://pets.example/v1"}],
    "security": [{"key": []}],
    "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
    "paths": {"/pets": {"get": {"operationId": "listPets", "summary": "Lists the pets."}, "post": {"operationId": "addPet"}}},
}  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pets.json").write_text(json.dumps(PETS))
    return tmp_path


def files(here: Path) -> list[str]:
    every = (str(path.relative_to(here)) for path in here.rglob("*") if path.is_file())
    return sorted(path for path in every if path != "pets.json")


def test_it_writes_a_source_that_passes_the_check(here: Path, capsys: Output) -> None:
    assert run(["import", "openapi", "pets.json", "--name", "shop"]) == 0
    out, err = capsys.readouterr()
    assert out == "Written tools.d/shop.yaml\nWritten tools.d/openapi/shop.json\n"
    assert "Set SHOP_TOKEN for 'key': http: a token.\n" in err
    text = (here / "tools.d/shop.yaml").read_text()
    assert yaml.safe_load(text)["sources"][0]["openapi"]["security"] == [{"scheme": "key", "value": "${SHOP_TOKEN:-}"}]
    assert "# Set the variables that stand here" in text
    assert run(["check"]) == 0
    assert run(["fmt", "--check", "tools.d/shop.yaml"]) == 0
    capsys.readouterr()
    assert run(["list", "--json"]) == 0
    assert "shop_listPets" in capsys.readouterr().out


def test_it_overwrites_nothing_unless_it_is_told(here: Path, capsys: Output) -> None:
    assert run(["import", "openapi", "pets.json"]) == 0
    before = (here / "tools.d/pets.yaml").read_bytes()
    (here / "pets.json").write_text(json.dumps({**PETS, "info": {"title": "Other"}}))
    assert run(["import", "openapi", "pets.json"]) == 2
    assert "is there already; nothing was written. --force overwrites it." in capsys.readouterr().err
    assert (here / "tools.d/pets.yaml").read_bytes() == before
    assert run(["import", "openapi", "pets.json", "--force"]) == 0
    assert "description: Other" in (here / "tools.d/pets.yaml").read_text()
    assert run(["check"]) == 0


def test_a_dry_run_writes_nothing(here: Path, capsys: Output) -> None:
    assert run(["import", "openapi", "pets.json", "--dry-run", "--operation", "list*"]) == 0
    assert yaml.safe_load(capsys.readouterr().out)["sources"][0]["openapi"]["operations"] == ["list*"]
    assert run(["import", "openapi", "pets.json", "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["would_write"] == ["tools.d/pets.yaml", "tools.d/openapi/pets.json"]
    assert files(here) == []


def test_what_would_be_wrong_is_not_written(here: Path, capsys: Output) -> None:
    (here / "tools.yaml").write_text("sources: [{name: pets, http: {base_url: https://a.example}}]\n")
    assert run(["import", "openapi", "pets.json"]) == 3
    assert "Nothing was written: the declaration is wrong." in capsys.readouterr().err
    assert files(here) == ["tools.yaml"]


def test_another_folder_is_checked_by_itself(here: Path, capsys: Output) -> None:
    assert run(["import", "openapi", "pets.json", "--output", "other", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["written"] == [
        {"file": "other/pets.yaml", "new": True},
        {"file": "other/openapi/pets.json", "new": True},
    ]
    assert files(here) == ["other/openapi/pets.json", "other/pets.yaml"]


@pytest.mark.parametrize(
    "words",
    [
        ["none.json"],
        ["pets.json", "--name", "no name"],
        ["pets.json", "--operation", "nothing"],
        ["pets.json", "--tag", "nothing"],
        ["ftp://pets.example/x"],
    ],
)
def test_what_cannot_be_imported(here: Path, capsys: Output, words: list[str]) -> None:
    assert run(["import", "openapi", *words]) == 2
    assert capsys.readouterr().out == ""
    assert files(here) == []


def test_names_are_made_of_the_place(backend: TwinBackend) -> None:
    assert [
        name_of(place)
        for place in (
            "https://petstore3.swagger.io/api/v3/openapi.json",
            "https://api.stripe.com/v1/spec.yaml",
            "https://www.shop.example/files/Shop-API.json",
            "specs/weather.io.json",
            "https://mcp.shop.example/mcp",
            "https://127.0.0.1/openapi.json",
        )
    ] == ["petstore3", "stripe", "shop_api", "weather", "shop", "service"]


def test_the_kinds_and_their_choices(backend: TwinBackend, capsys: Output, here: Path) -> None:
    assert (
        run(["import", "mcp", "https://mcp.shop.example", "--tool", "read_*", "--exclude", "x"], backend=backend) == 0
    )
    assert (
        run(["import", "openapi", "a.json", "--tag", "t", "--base-url", "https://b", "--output", "o"], backend=backend)
        == 0
    )
    assert [(each.kind, each.place, each.choice, each.base_url, each.folder) for each in backend.imported] == [
        ("mcp", "https://mcp.shop.example", {"tools": ["read_*"], "exclude": ["x"]}, "", None),
        ("openapi", "a.json", {"tags": ["t"]}, "https://b", here / "o"),
    ]


def test_an_error_takes_everything_back(backend: TwinBackend, capsys: Output, here: Path) -> None:
    place = Span(str(here / "tools.d/shop.yaml"), 1, 1)
    backend.problems = [Problem(place, "PB233", "error", "source 'shop' is wrong")]
    assert run(["import", "openapi", "a.json"], backend=backend) == 3
    assert files(here) == []
    assert not (here / "tools.d").exists()

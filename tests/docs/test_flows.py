"""The examples of docs/flows.md work, are the same in both syntaxes, and outlive being converted and written anew."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from pegboard.app import check, diff_configurations, settings_from
from pegboard.config.blocks.flow import FlowDeclaration, FlowNodeDeclaration, FlowRaceDeclaration
from pegboard.config.declaration import Declaration
from pegboard.edges.cli.command import run
from tests.edges.test_cli import Output

TEXT = (Path(__file__).parents[2] / "docs/flows.md").read_text("utf-8")
OTHERS = "tools:\n  - {name: calculator, description: Calculates.}\n" + "".join(
    f"  - {{name: {name}, description: Does it., http: {{url: 'https://shop.example/{name}', query: {query}}}}}\n"
    for name, query in [
        ("near_price", "{thing: '{thing}'}"),
        ("far_price", "{thing: '{thing}'}"),
        ("exchange_rate", "{}"),
        ("stored_rate", "{}"),
        ("write_note", "{text: '{text}'}"),
    ]
)
"""The tools of the second example."""


def examples(syntax: str) -> list[str]:
    return re.findall(rf"^```{syntax}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def problems(path: Path) -> list[str]:
    return [str(problem) for problem in check(config=path, environ={}).problems]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the first example in both syntaxes, each in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    for syntax in ("yaml", "xml"):
        (tmp_path / syntax).mkdir()
        (tmp_path / syntax / f"tools.{syntax}").write_text(examples(syntax)[0], "utf-8")
    return tmp_path


def is_same(one: Path, other: Path) -> bool:
    return diff_configurations(*(settings_from(config=each, environ={}) for each in (one, other))).is_same


def test_both_syntaxes_are_free_of_problems_and_the_same(folder: Path) -> None:
    assert problems(folder / "yaml") == problems(folder / "xml") == []
    assert is_same(folder / "yaml", folder / "xml")


def test_the_second_example_is_free_of_problems(tmp_path: Path) -> None:
    site = "sites: [{name: office, default: true, route: {fallback: ''}}]\n"
    (tmp_path / "tools.yaml").write_text(site + OTHERS, "utf-8")
    (tmp_path / "tools.d").mkdir()
    (tmp_path / "tools.d/flow.yaml").write_text(examples("yaml")[1], "utf-8")
    assert problems(tmp_path) == []


def test_the_example_is_called_and_says_what_it_says(folder: Path, capsys: Output) -> None:
    assert run(["call", "-c", "yaml", "call_abroad", "city=Tokyo", "minutes=20", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["answer"].startswith("In Tokyo it is ")
    assert said["answer"].endswith(" 20 × 0.12 = 2.4")
    assert said["data"] == {"cost": 2.4}


def test_a_flow_only_reads_where_all_its_tools_do(folder: Path) -> None:
    site = check(config=folder / "yaml", environ={}).catalog.sites["office"]
    assert site.tool("call_abroad").read_only
    path = folder / "yaml/tools.yaml"
    path.write_text(path.read_text("utf-8").replace("Calculates., read_only: true", "Calculates."), "utf-8")
    assert not check(config=folder / "yaml", environ={}).catalog.sites["office"].tool("call_abroad").read_only


def test_a_flow_outlives_being_converted_and_written_anew(folder: Path) -> None:
    shutil.copytree(folder / "yaml", folder / "house")
    assert run(["fmt", "house/tools.yaml"]) == 0
    assert run(["convert", "house", "--to", "xml", "-o", "as-xml"]) == 0
    assert run(["convert", "as-xml", "--to", "yaml", "-o", "back"]) == 0
    there, back = (yaml.safe_load((folder / name / "tools.yaml").read_text("utf-8")) for name in ("yaml", "back"))
    assert back == there
    assert run(["fmt", "--check", "back/tools.yaml", "as-xml/tools.xml"]) == 0
    assert is_same(folder / "yaml", folder / "as-xml")


BESIDES = TEXT.partition("Besides these a flow has")[2].partition(", as [any")[0]


@pytest.mark.parametrize(
    ("table", "declared", "besides"),
    [
        ("a flow", FlowDeclaration, BESIDES),
        ("a step", FlowNodeDeclaration, ""),
        ("a race", FlowRaceDeclaration, ""),
    ],
)
def test_the_tables_name_every_key(table: str, declared: type[Declaration], besides: str) -> None:
    rows = TEXT.partition(f"| key of {table} |")[2].partition("\n\n")[0].splitlines()[2:]
    firsts = " ".join(row.split("|")[1] for row in rows)
    assert {*re.findall(r"`(\w+)`", firsts + besides)} == {*declared.model_fields}

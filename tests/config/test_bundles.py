"""Schemas that declarations share by files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pegboard.catalog.load import CheckReport, check
from pegboard.catalog.schema.faults import faults, valid_schema
from pegboard.config.load import digest_of
from pegboard.config.server.settings import Settings, read_settings
from pegboard.llm.projection import projected
from pegboard.text import Json

ADDRESS = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "street": {"type": "string", "minLength": 2},
        "person": {"type": "object", "properties": {"at": {"$ref": "#"}, "friend": {"$ref": "#/$defs/person"}}},
    },
    "type": "object",
    "properties": {"street": {"$ref": "#/$defs/street"}, "owner": {"$ref": "person.yaml#boss"}},
    "required": ["street"],
}
PERSON = """\
$defs:
  boss:
    $anchor: boss
    type: object
    properties: {home: {$ref: address.json}, name: {type: string}}
"""
SEARCH = "  - name: search\n    description: Finds things.\n    parameters: {parameters}\n"

Checked = Callable[..., CheckReport]


def settings_of(folder: Path) -> Settings:
    settings, problems = read_settings(config=folder, environ={})
    assert not problems
    return settings


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checked:
    """Return a function that checks a tool of these parameters beside the files `address.json` and `person.yaml`."""
    monkeypatch.chdir(tmp_path)

    def write_and_check(parameters: str, place: str = "tools.yaml", **files: str) -> CheckReport:
        written = {"address.json": json.dumps(ADDRESS), "person.yaml": PERSON} | files
        for name, text in written.items():
            path = tmp_path / "schemas" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        document = tmp_path / place
        document.parent.mkdir(exist_ok=True)
        document.write_text("tools:\n" + SEARCH.replace("{parameters}", parameters), "utf-8")
        return check(settings_of(tmp_path))

    return write_and_check


def parameters_of(report: CheckReport) -> Any:
    assert [str(problem) for problem in report.problems if problem.code in {"PB316", "PB301", "PB003"}] == []
    return report.catalog.sites["default"].tool("search").parameters


@pytest.mark.parametrize("place", ["tools.yaml", "tools.d/10-shop.yaml"])
@pytest.mark.parametrize("name", ["schemas/address.json", "address.json", "./schemas/../schemas/address.json#"])
def test_what_a_schema_refers_to_is_put_into_it(checked: Checked, name: str, place: str) -> None:
    schema = parameters_of(checked("{properties: {query: {$ref: 'NAME'}}}".replace("NAME", name), place))
    assert schema["properties"]["query"] == {"$ref": "#/$defs/address"}
    assert set(schema["$defs"]) == {"address", "address.street", "person.boss"}
    assert valid_schema(schema) == []
    good: Json = {"query": {"street": "Main", "owner": {"name": "Ada", "home": {"street": "Side"}}}}
    assert faults(good, schema) == []
    bad: Json = {"query": {"street": "Main", "owner": {"home": {"street": "x"}}}}
    assert [fault.pointer for fault in faults(bad, schema)] == ["/query/owner/home/street"]
    assert valid_schema(projected(schema, "strict")) == []


def test_a_schema_that_is_nothing_but_a_reference_is_what_it_refers_to(checked: Checked) -> None:
    schema = parameters_of(checked("{$ref: schemas/address.json, description: A place.}"))
    assert schema["properties"]["street"] == {"$ref": "#/$defs/address.street"}
    assert (schema["description"], schema["required"]) == ("A place.", ["street"])


def test_siblings_of_a_reference_are_kept(checked: Checked) -> None:
    schema = parameters_of(
        checked("{properties: {query: {$ref: 'schemas/address.json#/$defs/street', maxLength: 3, description: x}}}")
    )
    assert schema["properties"]["query"] == {"$ref": "#/$defs/address.street", "maxLength": 3, "description": "x"}
    assert [fault.keyword for fault in faults({"query": "Main"}, schema)] == ["maxLength"]


def test_tools_of_sites_and_other_keys_refer_to_files_too(tmp_path: Path, checked: Checked) -> None:
    checked("{}")
    text = """\
sites:
  - name: shop
    tools:
      - {name: search, description: A., output: {$ref: schemas/address.json}, parameters: {$ref: schemas/none.json}}
"""
    (tmp_path / "tools.yaml").write_text(text, "utf-8")
    report = check(settings_of(tmp_path))
    assert [str(problem.span) for problem in report.problems if problem.code == "PB316"] == ["tools.yaml:4:98"]
    assert report.catalog.sites["shop"].tool("search").output["required"] == ["street"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("parameters", "files", "place", "said"),
    [
        ("{$ref: schemas/adress.json}", {}, "tools.yaml:4:24", "Did you mean 'schemas/address.json'?"),
        ("{$ref: '../schemas/address.json#/x'}", {}, "tools.yaml:4:24", "no schema in schemas/address.json"),
        ("{$ref: '/etc/passwd.json'}", {}, "tools.yaml:4:24", "there is no schema file"),
        ("{$ref: 'address.json#/$defs/city'}", {}, "tools.yaml:4:24", "leads to no schema in schemas/address.json"),
        ("{$ref: 'address.json#city'}", {}, "tools.yaml:4:24", "leads to no schema in schemas/address.json"),
        (
            "{$ref: a.json}",
            {"a.json": '{\n  "$ref": "b.json#/x"\n}', "b.json": "{}"},
            "schemas/a.json:2:11",
            "no schema",
        ),
        ("{$ref: a.json}", {"a.json": '{"allOf": [{"$ref": "#/$defs/x"}]}'}, "schemas/a.json:1:21", "no schema"),
    ],
)
def test_a_reference_that_leads_nowhere_is_told_where_it_stands(
    checked: Checked, parameters: str, files: dict[str, str], place: str, said: str
) -> None:
    found = [problem for problem in checked(parameters, **files).problems if problem.code == "PB316"]
    assert [str(problem.span) for problem in found] == [place]
    assert said in f"{found[0].message} {found[0].hint}"


def test_what_is_wrong_in_a_file_is_told_in_the_file(checked: Checked) -> None:
    broken = '{\n  "properties": {"a": {"type": "strng"}}\n}'
    told = checked("{properties: {query: {$ref: a.json}}}", **{"a.json": broken}).problems
    assert ("PB301", "schemas/a.json:2:32") in {(problem.code, str(problem.span)) for problem in told}
    told = checked("{$ref: a.json}", **{"a.json": "{"}).problems
    assert ("PB003", "schemas/a.json") in {(problem.code, problem.span.file) for problem in told}


def test_files_that_lead_round_without_end_are_told_at_their_place(checked: Checked) -> None:
    files = {"a.json": '{"$ref": "b.json"}', "b.json": '{"allOf": [{"$ref": "a.json"}]}'}
    told = checked("{properties: {query: {$ref: a.json}}}", **files).problems
    places = {str(problem.span) for problem in told if problem.code == "PB301"}
    assert places == {"schemas/a.json:1:10", "schemas/b.json:1:21"}


def test_a_file_that_changes_changes_the_digest(tmp_path: Path, checked: Checked) -> None:
    report = checked("{$ref: address.json}")
    assert report.catalog.digest == digest_of(settings_of(tmp_path))
    (tmp_path / "schemas/address.json").write_text("{}", "utf-8")
    assert report.catalog.digest != digest_of(settings_of(tmp_path))


def test_a_link_out_of_the_folder_is_not_read(tmp_path: Path, checked: Checked) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.json"
    outside.write_text("{}", "utf-8")
    checked("{}")
    (tmp_path / "schemas/linked.json").symlink_to(outside)
    told = [problem.code for problem in checked("{$ref: linked.json}").problems]
    assert "PB316" in told

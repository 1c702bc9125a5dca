"""`platform check --format sarif`: what SARIF 2.1.0 (OASIS Standard) and code hosts ask for."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pegboard import __version__
from pegboard.edges.cli.command import run

Output = pytest.CaptureFixture[str]

MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
MULTIFORMAT = {**MESSAGE, "properties": {**MESSAGE["properties"], "markdown": {"type": "string", "minLength": 1}}}  # type: ignore[dict-item]
COUNT = {"type": "integer", "minimum": 1}
LOCATION = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "message": MESSAGE,
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "additionalProperties": False,
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri"],
                    "additionalProperties": False,
                    "properties": {
                        "uri": {"type": "string", "pattern": r"^(file:///)?[A-Za-z0-9._~/%()@!$&'*+,;=:-]+$"},
                        "uriBaseId": {"type": "string"},
                    },
                },
                "region": {
                    "type": "object",
                    "required": ["startLine"],
                    "additionalProperties": False,
                    "properties": dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), COUNT),
                    "dependentRequired": {"endLine": ["endColumn"], "endColumn": ["startColumn"]},
                },
            },
        },
        "logicalLocations": {
            "type": "array",
            "items": {"type": "object", "required": ["name"], "additionalProperties": False,
                      "properties": {"name": {"type": "string"}, "kind": {"type": "string"}}},
        },
    },
}  # fmt: skip
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RULE = {
    "type": "object",
    "required": ["id"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "string"},
        "shortDescription": MULTIFORMAT,
        "fullDescription": MULTIFORMAT,
        "help": MULTIFORMAT,
        "defaultConfiguration": {"type": "object", "additionalProperties": False, "properties": {"level": LEVEL}},
    },
}
RESULT = {
    "type": "object",
    "required": ["message", "ruleId", "ruleIndex", "level", "locations", "partialFingerprints"],
    "additionalProperties": False,
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": LEVEL,
        "message": MESSAGE,
        "locations": {"type": "array", "minItems": 1, "items": LOCATION},
        "relatedLocations": {"type": "array", "minItems": 1, "uniqueItems": True, "items": LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1},
    },
}
RUN = {
    "type": "object",
    "required": ["tool", "results", "columnKind"],
    "additionalProperties": False,
    "properties": {
        "tool": {
            "type": "object",
            "required": ["driver"],
            "properties": {
                "driver": {
                    "type": "object",
                    "required": ["name", "rules"],
                    "additionalProperties": False,
                    "properties": {
                        "name": {"type": "string"},
                        "semanticVersion": {"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
                        "rules": {"type": "array", "uniqueItems": True, "items": RULE},
                    },
                }
            },
        },
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "originalUriBaseIds": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {"uri": {"type": "string", "pattern": "^file:///(.*/)?$"}},
            },
        },
        "results": {"type": "array", "items": RESULT},
    },
}
SARIF = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "pattern": "^https://.*sarif.*2.1.0.*json$"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": RUN},
    },
}
"""The part of the specification's schema that is written here, closed: nothing else may be printed."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.d").mkdir()
    return tmp_path


def sarif(capsys: Output, *arguments: str) -> Any:
    """Run the command, judge what it prints by the specification, and return its one run."""
    run(["check", *arguments, "--format", "sarif"])
    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(SARIF).validate(printed)
    (only,) = printed["runs"]
    rules = only["tool"]["driver"]["rules"]
    for result in only["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        ids = [location["id"] for location in result.get("relatedLocations", ())]
        assert len(ids) == len(set(ids))
    prints = [json.dumps(result["partialFingerprints"]) for result in only["results"]]
    assert len(prints) == len(set(prints))
    return only


def prints(run_: Any) -> list[str]:
    return sorted(result["partialFingerprints"]["pegboard/v1"] for result in run_["results"])


def test_a_result_has_its_rule_its_region_and_its_other_places(folder: Path, capsys: Output) -> None:
    (folder / "tools.yaml").write_text("tools: [{name: search, description: x}]\n")
    (folder / "tools.d/买 😀.yaml").write_text('x-y: 1\ntools: [{description: "😀", name: search}]\n', "utf-8")
    only = sarif(capsys)
    assert only["originalUriBaseIds"] == {"%SRCROOT%": {"uri": f"{folder.as_uri()}/"}}
    assert only["columnKind"] == "utf16CodeUnits"
    driver = only["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("pegboard", __version__)
    (rule,) = driver["rules"]
    assert (rule["id"], rule["shortDescription"], rule["defaultConfiguration"]) == (
        "PB201", {"text": "Duplicate name."}, {"level": "error"}
    )  # fmt: skip
    assert "```yaml" in rule["help"]["markdown"]
    (result,) = only["results"]
    assert result["message"] == {
        "text": "tool 'search' of type Item is declared twice. A tool is declared in one place: "
        "put all of it at tools.yaml:1:16, or rename one of the two."
    }
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "tools.d/%E4%B9%B0%20%F0%9F%98%80.yaml", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 2, "startColumn": 35, "endLine": 2, "endColumn": 41},
            }
        }
    ]
    assert result["relatedLocations"] == [
        {
            "id": 1,
            "physicalLocation": {
                "artifactLocation": {"uri": "tools.yaml", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 1, "startColumn": 16, "endLine": 1, "endColumn": 22},
            },
            "message": {"text": "first declared here"},
        }
    ]


def test_warnings_are_warnings_and_nothing_found_is_a_run_without_results(folder: Path, capsys: Output) -> None:
    (folder / "tools.yaml").write_text("tools: [{name: compare}]")
    assert [result["level"] for result in sarif(capsys)["results"]] == ["warning"]
    (folder / "tools.yaml").write_text("tools: [{name: compare, description: Compares.}]")
    assert sarif(capsys)["results"] == []


def test_fingerprints_stay_when_lines_move_and_differ_among_equal_lines(folder: Path, capsys: Output) -> None:
    wrong = "    promt: x\n    prompt: '{request.query}'\n"
    text = f"tools:\n  - name: search\n{wrong}  - name: compare\n{wrong}"
    (folder / "tools.yaml").write_text(text)
    before = prints(sarif(capsys))
    assert len(before) == len(set(before)) == 2
    (folder / "tools.yaml").write_text("# moved\n\n" + text.replace("tools:", "x-a: 1\ntools:"))
    assert prints(sarif(capsys)) == before
    (folder / "tools.yaml").write_text(text.replace("promt: x", "promt: y", 1))
    assert len(set(prints(sarif(capsys))) & set(before)) == 1


def test_paths_start_at_the_repository_also_from_a_folder_in_it(
    folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".git").mkdir()
    (folder / "tools.d/a.yaml").write_text("tool: []")
    monkeypatch.chdir(folder / "tools.d")
    only = sarif(capsys, "-c", "..")
    assert only["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"{folder.as_uri()}/"
    artifact = only["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "tools.d/a.yaml", "uriBaseId": "%SRCROOT%"}


def test_a_file_outside_is_named_whole(folder: Path, capsys: Output, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "tools.yaml"
    outside.write_text("tool: []")
    artifact = sarif(capsys, str(outside))["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": outside.as_uri()}


def test_a_setting_that_stands_in_no_file_has_a_name(
    folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "tools.yaml").write_text("tools: [{name: compare, description: Compares.}]")
    monkeypatch.setenv("PEGBOARD_PORT", "many")
    (result,) = sarif(capsys)["results"]
    assert result["locations"] == [{"logicalLocations": [{"name": "$PEGBOARD_PORT", "kind": "setting"}]}]


def test_what_an_author_wrote_makes_no_link(folder: Path, capsys: Output) -> None:
    (folder / "tools.yaml").write_text("tools: [{name: '[click](https://elsewhere.example)'}]")
    assert "](" not in sarif(capsys)["results"][0]["message"]["text"]

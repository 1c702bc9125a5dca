"""The starter project is right in every part, in both syntaxes."""

import json
import os
import re
from pathlib import Path

import jsonschema
import pytest
import yaml
from lxml import etree

from pegboard.app import check
from pegboard.config.server.keys import KEYS
from pegboard.config.server.settings import Settings, read_settings
from pegboard.config.starter.project import starter_files
from tests.config.starter.conftest import laid_down


@pytest.mark.parametrize("xml", [False, True])
def test_the_project_has_no_problem(tmp_path: Path, xml: bool) -> None:
    report = check(config=laid_down(tmp_path, xml=xml), environ={})
    assert [str(problem) for problem in report.problems] == []
    assert [tool.name for tool in report.catalog.sites["tea"].tools] == [
        "search",
        "details",
        "knowledge",
        "opening_hours",
    ]


def test_yaml_and_xml_declare_the_same(tmp_path: Path) -> None:
    one, other = (
        check(config=laid_down(tmp_path / str(xml), xml=xml), environ={}).catalog.sites["tea"] for xml in (False, True)
    )
    assert (one.description, one.domains, one.types, one.routing, one.default) == (
        (other.description, other.domains, other.types, other.routing, other.default)
    )
    fields = ("name", "type", "description", "examples", "handler", "read_only")
    assert [[getattr(tool, field) for field in fields] for tool in one.tools] == [
        [getattr(tool, field) for field in fields] for tool in other.tools
    ]


def test_the_first_line_leads_an_editor_to_a_schema_that_takes_the_file(tmp_path: Path) -> None:
    path = laid_down(tmp_path) / "tools.d/10-tools.yaml"
    text = path.read_text("utf-8")
    found = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
    assert found is not None
    schema = json.loads((path.parent / found[1]).read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(yaml.safe_load(text))


def test_the_instruction_leads_an_xml_editor_to_a_schema_that_takes_the_file(tmp_path: Path) -> None:
    path = laid_down(tmp_path, xml=True) / "tools.d/10-tools.xml"
    tree = etree.parse(str(path))
    (href,) = re.findall(r'<\?xml-model href="(.*?)"', path.read_text("utf-8"))
    schema = etree.RelaxNG(etree.parse(os.path.normpath(path.parent / href)))
    assert schema.validate(tree), schema.error_log


def test_every_setting_stands_there_and_its_default_can_be_uncommented(tmp_path: Path) -> None:
    text = starter_files()["pegboard.toml"]
    lines = [line.removeprefix("# ") for line in text.splitlines() if re.match(r"(# )?\w+ = ", line)]
    given = {line.partition(" = ")[0]: line for line in lines}
    assert set(given) == set(KEYS)
    defaults = [line for key, line in given.items() if key != "secrets_dir" and KEYS[key].kind != "secret"]
    (tmp_path / "pegboard.toml").write_text("\n".join(defaults), "utf-8")
    settings, problems = read_settings(config=tmp_path, environ={})
    assert problems == []
    assert settings == Settings(
        root=tmp_path,
        config=tmp_path,
        data=tmp_path / ".pegboard",
        handler_prefixes=("pegboard.handlers", "my_tools"),
    )


def test_all_but_the_schemas_is_short() -> None:
    files = {name: len(text.splitlines()) for name, text in starter_files().items() if not name.startswith("schemas/")}
    assert files["README.md"] <= 10
    assert sum(files.values()) < 350

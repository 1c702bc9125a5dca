"""The schemas in `schemas/` are those of the code, and take what `load` takes."""

import json
from pathlib import Path

import jsonschema
import pytest
from lxml import etree

from pegboard.config.relaxng import xml_schema
from pegboard.config.schema import document_schema, schema_files
from tests.config.test_nlweb import SITES

ROOT = Path(__file__).parents[2]


def test_the_folder_holds_what_the_code_says() -> None:
    assert {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "schemas").iterdir()} == schema_files()


@pytest.mark.parametrize(
    "document",
    [
        {"version": "1", "tools": [{"name": "a", "examples": ["x"]}], "x-y": 1, "$schema": "s"},
        {"version": 1, "tools": [{"name": "a", "examples": {"en": ["x"]}, "call": {"timeout": "5s"}}]},
        {"sites": [{"name": "a.b", "route": {"cutoff": 70, "grace": "150ms"}}]},
    ],
)
def test_json_schema_takes_what_is_right(document: object) -> None:
    jsonschema.Draft202012Validator(document_schema()).validate(document)


@pytest.mark.parametrize(
    "document",
    [
        {"tool": []},
        {"tools": [{}]},
        {"tools": [{"name": "a b"}]},
        {"sites": [{"name": "a", "route": {"cutoff": 101}}]},
    ],
)
def test_json_schema_refuses_what_is_wrong(document: object) -> None:
    assert not jsonschema.Draft202012Validator(document_schema()).is_valid(document)


def test_every_field_has_a_description_for_editors() -> None:
    schema = json.loads(json.dumps(document_schema()))
    tool = schema["$defs"]["ToolDeclaration"]["properties"]
    assert [key for key, field in tool.items() if "description" not in field] == []


@pytest.mark.parametrize(
    ("text", "is_valid"),
    [
        (SITES, True),
        (
            "<Tools><Thing><Tool name='a'><path>/</path><argument name='q'/></Tool></Thing></Tools>",
            True,
        ),
        (
            "<Tools><site name='a'><route cutoff='70'/></site><tool><name>b</name></tool></Tools>",
            True,
        ),
        ("<Tools><Item><Tool name='a' enabled='${ON:-yes}'/></Item></Tools>", True),
        ("<Tools><Item><Tool/></Item></Tools>", False),
        ("<Tools><Item><Tool name='a' enabled='maybe'/></Item></Tools>", False),
        ("<Tools><Item><Tool name='a'><promt/></Tool></Item></Tools>", False),
        ("<Tools><site name='a'><route cutoff='x'/></site></Tools>", False),
        ("<tools/>", False),
    ],
)
def test_relax_ng_follows_the_reader(text: str, is_valid: bool) -> None:
    schema = etree.RelaxNG(etree.fromstring(xml_schema().encode()))
    assert schema.validate(etree.fromstring(text.encode())) == is_valid


def test_relax_ng_takes_the_tools_that_are_shipped() -> None:
    schema = etree.RelaxNG(etree.fromstring(xml_schema().encode()))
    assert schema.validate(etree.parse(str(ROOT / "tools.xml"))), schema.error_log

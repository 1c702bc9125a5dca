"""The schemas in `schemas/` are those of the code, and take what `load` takes."""

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lxml import etree

from pegboard.config.declarations import Document
from pegboard.config.editor.relaxng import xml_schema
from pegboard.config.editor.schema import document_schema, schema_files
from pegboard.config.load import load
from pegboard.config.server.settings import Settings
from pegboard.config.shape import Free, Languages, Leaf, ListOf, MapOf, Record, Shape, document_shape
from tests.config.nlweb.test_nlweb import SITES

ROOT = Path(__file__).parents[3]
SCHEMA: dict[str, Any] = json.loads(json.dumps(document_schema()))
DRAFT_7 = {**SCHEMA, "$schema": "http://json-schema.org/draft-07/schema#"}
JUDGES: dict[str, Any] = {
    "2020-12": jsonschema.Draft202012Validator(SCHEMA),
    "draft 7": jsonschema.Draft7Validator(DRAFT_7),
}
RELAX_NG = etree.RelaxNG(etree.fromstring(xml_schema().encode()))
ENVIRON = {"TEXT": "text", "FLAG": "yes", "NUMBER": "50", "DURATION": "5s"}
UNSEEN = {"PB107"}
"""Codes that a schema cannot know: whether a file exists."""


def test_the_folder_holds_what_the_code_says() -> None:
    assert {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "schemas").iterdir()} == schema_files()


def codes(document: object) -> list[str]:
    """Return the codes of what `load` finds wrong."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tools.json")
        path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
        _, problems = load(Settings(root=Path(folder), config=path, data=path), environ=ENVIRON)
    return [problem.code for problem in problems.errors if problem.code not in UNSEEN]


TEXTS = st.sampled_from(["", "one line", "雨天", "two\nlines", "{request.query}", "${TEXT}", "a ${NONE:-b} $${c}"])
NAMES = st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True)
JSON = st.recursive(st.none() | st.booleans() | st.integers(-9, 9) | TEXTS, st.lists, max_leaves=5)
LEAVES: dict[str, st.SearchStrategy[Any]] = {
    "text": TEXTS,
    "flag": st.booleans() | st.just("${FLAG}"),
    "number": st.integers(0, 100) | st.floats(0, 100) | st.sampled_from(["${NUMBER}", "${NONE:-7}", "1${NUMBER:?no}"]),
    "duration": st.sampled_from(["5s", "150ms", " 1.5 m ", "0.5h", "${DURATION}", "${NUMBER}ms", "0s"]),
}
ANYTHING = st.one_of(*LEAVES.values())


def documents(shape: Shape) -> st.SearchStrategy[Any]:
    """Return what may stand where `shape` is wanted; a few of them are mistakes."""
    match shape:
        case Leaf(choices=(_, *_) as choices):
            return st.sampled_from([*choices, *(json.loads(each) for each in choices if each.isdigit())])
        case Leaf(takes_variables=False):
            return NAMES
        case Leaf(kind=kind):
            return LEAVES.get(kind, ANYTHING)
        case Free():
            return st.dictionaries(TEXTS, JSON, max_size=2)
        case Languages():
            questions = st.lists(TEXTS.filter(bool), max_size=2)
            return questions | st.dictionaries(st.sampled_from(["", "en", "zh"]), questions, max_size=2)
        case ListOf(item=item):
            return st.lists(documents(item), max_size=2)
        case MapOf(value=value):
            return st.dictionaries(NAMES, documents(value), max_size=2)
        case Record():
            return records(shape)


def records(shape: Record) -> st.SearchStrategy[Any]:
    fields = {key: documents(each) for key, each in shape.keys.items()}
    own = {"x-notes": JSON, "$schema": TEXTS} if shape.model is Document else {}
    required = {key: fields.pop(key) for key in shape.required}
    return st.fixed_dictionaries(required, optional={**fields, **own})


@given(documents(document_shape()))
@settings(max_examples=150, deadline=None)
def test_what_load_takes_the_schema_takes(document: object) -> None:
    assume(codes(document) == [])
    for draft, judge in JUDGES.items():
        assert [error.message for error in judge.iter_errors(document)] == [], draft


MISTAKES = [
    {"tool": []},
    {"tools": {}},
    {"tools": [{}]},
    {"tools": ["search"]},
    {"tools": [{"name": "a b"}]},
    {"tools": [{"name": "${TEXT}"}]},
    {"tools": [{"name": 1}]},
    {"tools": [{"name": "a", "x-y": 1}]},
    {"tools": [{"name": "a", "type": "${TEXT}"}]},
    {"tools": [{"name": "a", "handler": "${TEXT}:a"}]},
    {"tools": [{"name": "a", "enabled": "yes"}]},
    {"tools": [{"name": "a", "enabled": None}]},
    {"tools": [{"name": "a", "description": 5}]},
    {"tools": [{"name": "a", "description": None}]},
    {"tools": [{"name": "a", "examples": "one"}]},
    {"tools": [{"name": "a", "examples": [""]}]},
    {"tools": [{"name": "a", "examples": {"en": "one"}}]},
    {"tools": [{"name": "a", "returns": "score"}]},
    {"tools": [{"name": "a", "returns": None}]},
    {"tools": [{"name": "a", "override": "append"}]},
    {"tools": [{"name": "a", "call": {"timeout": 5}}]},
    {"tools": [{"name": "a", "call": {"timeout": "5"}}]},
    {"tools": [{"name": "a", "call": {"timeout": "0.0s"}}]},
    {"tools": [{"name": "a", "call": {"timeout": "5 years"}}]},
    {"tools": [{"name": "a", "http": {}}]},
    {"sites": [{"name": "a/b"}]},
    {"sites": [{"name": "a", "domains": "a.example"}]},
    {"sites": [{"name": "a", "types": ["${TEXT}"]}]},
    {"sites": [{"name": "a", "exclude": ["a b"]}]},
    {"sites": [{"name": "a", "route": {"cutoff": 101}}]},
    {"sites": [{"name": "a", "route": {"cutoff": "70"}}]},
    {"sites": [{"name": "a", "route": {"cutoff": True}}]},
    {"sites": [{"name": "a", "route": {"strategy": "guess"}}]},
    {"sites": [{"name": "a", "route": {"fallback": "${TEXT}"}}]},
    {"knowledge": [{"name": "a", "sources": []}]},
    {"types": [{"parents": ["Recipe"]}]},
    {"version": "2"},
    {"version": 2},
    {"rules": []},
    {"agents": [{"name": "a", "tools": []}]},
    [],
    None,
]


@pytest.mark.parametrize("document", MISTAKES, ids=json.dumps)
def test_a_mistake_is_refused_by_both(document: object) -> None:
    assert codes(document) != []
    assert {draft: judge.is_valid(document) for draft, judge in JUDGES.items()} == {"2020-12": False, "draft 7": False}


def test_the_schema_is_one_itself_under_both_drafts() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft7Validator.check_schema(DRAFT_7)


def test_the_schema_says_nothing_that_draft_7_reads_otherwise() -> None:
    words = {"unevaluatedProperties", "unevaluatedItems", "prefixItems", "dependentRequired", "$anchor", "$dynamicRef"}
    found = [each for each in nodes(SCHEMA) if words & set(each) or ("$ref" in each and len(each) > 1)]
    assert found == []


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a schema; not those that are samples."""
    if isinstance(value, dict):
        yield value
        for key, below in value.items():
            if key not in {"examples", "default"}:
                yield from nodes(below)
    elif isinstance(value, list):
        for each in value:
            yield from nodes(each)


def fields() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every field of every declaration with its name."""
    owners = {"Document": SCHEMA, **SCHEMA["$defs"]}
    for owner, schema in owners.items():
        assert schema["description"]
        for kind in ("properties", "patternProperties"):
            for key, field in schema.get(kind, {}).items():
                yield f"{owner}.{key}", field


def test_every_field_has_a_description_and_an_example() -> None:
    bare = [name for name, field in fields() if not field.get("description") or not field.get("examples")]
    assert bare == [], "say it in the field's docstring, and give a value in config/editor/samples.py"


def test_every_choice_has_a_description() -> None:
    choices = [(name, each) for name, field in fields() for each in field.get("anyOf", ()) if "const" in each]
    assert choices
    assert [name for name, each in choices if not each.get("description")] == []


@pytest.mark.parametrize("draft", JUDGES)
def test_every_default_and_every_example_fits_its_field(draft: str) -> None:
    wrong = [
        (name, value)
        for name, field in fields()
        for value in [*field["examples"], *([field["default"]] if "default" in field else [])]
        if not JUDGES[draft].evolve(schema={**field, "$defs": SCHEMA["$defs"]}).is_valid(value)
    ]
    assert wrong == []


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
        (
            "<Tools><Item><Tool name='a'><example xml:lang='zh' xml:space='preserve'>雨</example></Tool></Item></Tools>",
            True,
        ),
        (
            "<Tools xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='a b'><Cocktail xml:id='c'/></Tools>",
            True,
        ),
        ("<?xml-model href='tools.rng'?><Tools><Recipe><Tool name='a'/></Recipe><Recipe/></Tools>", True),
        ("<Tools xmlns:v='urn:v' v:any='1'/>", False),
        ("<Tools><Item><Tool/></Item></Tools>", False),
        ("<Tools><Item><Tool name='a' enabled='maybe'/></Item></Tools>", False),
        ("<Tools><Item><Tool name='a'><promt/></Tool></Item></Tools>", False),
        ("<Tools><Item><Tool name='a'><call timeout='5'/></Tool></Item></Tools>", False),
        ("<Tools><Item><Tool name='a' override='append'/></Item></Tools>", False),
        ("<Tools><Item><tols/></Item></Tools>", False),
        ("<Tools><site name='a'><route cutoff='x'/></site></Tools>", False),
        ("<Tools><knowledge name='a' documents='true'/></Tools>", True),
        ("<tools/>", False),
    ],
)
def test_relax_ng_follows_the_reader(text: str, is_valid: bool) -> None:
    assert RELAX_NG.validate(etree.fromstring(text.encode())) == is_valid
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tools.xml")
        path.write_text(text, encoding="utf-8")
        _, problems = load(Settings(root=Path(folder), config=path, data=path), environ=ENVIRON)
    assert is_valid <= ([str(problem) for problem in problems.errors if problem.code not in UNSEEN] == [])


def test_relax_ng_takes_the_tools_that_are_shipped() -> None:
    assert RELAX_NG.validate(etree.parse(str(ROOT / "tools.xml"))), RELAX_NG.error_log


def test_relax_ng_says_what_each_element_and_attribute_is() -> None:
    grammar = etree.fromstring(xml_schema().encode())
    names = {"r": "http://relaxng.org/ns/structure/1.0", "a": "http://relaxng.org/ns/compatibility/annotations/1.0"}
    told = [each for kind in ("element", "attribute") for each in grammar.iterfind(f".//r:{kind}", names)]
    silent = [each for each in told if not each.findtext("a:documentation", namespaces=names)]
    assert len(told) > 50
    assert [each.get("name") for each in silent] == [None], "only the attributes of XML itself and of editors"


def test_relax_ng_uses_only_expressions_that_xml_schema_knows() -> None:
    grammar = etree.fromstring(xml_schema().encode())
    params = grammar.iterfind(".//r:param", {"r": "http://relaxng.org/ns/structure/1.0"})
    patterns = {each.text or "" for each in params}
    escaped = {letter for pattern in patterns for letter in re.findall(r"\\(.)", pattern)}
    assert escaped
    assert escaped <= set("nrt\\|.?*+(){}-[]^sSiIcCdDwW"), "libxml2 takes others, editors (jing) do not"
    assert not any(mark in pattern for pattern in patterns for mark in ("(?", "^", "$)")), "expressions are anchored"

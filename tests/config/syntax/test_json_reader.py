"""JSON: strict, with places."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.config.problems import Problems
from pegboard.config.syntax.json_reader import read_json
from pegboard.config.syntax.node import Places
from pegboard.config.syntax.source import Source
from tests.config.syntax.test_yaml_reader import plain

NUMBERS = st.integers(-(10**15), 10**15) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(TEXTS, below, max_size=4),
    max_leaves=20,
)


@given(VALUES, st.booleans(), st.sampled_from([None, 0, 2]))
def test_it_reads_what_json_writes(value: object, ensure_ascii: bool, indent: int | None) -> None:
    problems = Problems()
    text = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)
    assert [plain(node) for node in read_json(Source("f", text), problems)] == [value]
    assert problems == []


def test_places_are_those_of_the_text() -> None:
    text = '{"é": [1,\n  {"中": "x"}]}'
    (node,) = read_json(Source("f", text), Problems())
    assert {path: str(span) for path, span in Places(node).items()} == {
        ("é", ""): "f:1:2",
        ("é",): "f:1:7",
        ("é", 0): "f:1:8",
        ("é", 1): "f:2:3",
        ("é", 1, "中", ""): "f:2:4",
        ("é", 1, "中"): "f:2:9",
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "1:1 PB003"),
        ("{} {}", "1:4 PB003"),
        ('{"a": 1,}', "1:8 PB003"),
        ("[1, 2", "1:1 PB003"),
        ("{'a': 1}", "1:2 PB003"),
        ('{"a" 1}', "1:6 PB003"),
        ('{"a": True}', "1:7 PB003"),
        ('{"a": 01}', "1:7 PB003"),
        ("[1.]", "1:2 PB003"),
        ("[NaN]", "1:2 PB003"),
        ("[1e999]", "1:2 PB003"),
        ('["\\x"]', "1:3 PB003"),
        ('["a\tb"]', "1:4 PB003"),
        ('["a\n"]', "1:2 PB003"),
        ('["\\ud800"]', "1:2 PB003"),
        ("// x\n1", "1:1 PB003"),
        ('{"a": 1, "a": 2}', "1:10 PB005"),
        ("[" * 65 + "]" * 65, "1:65 PB004"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(text: str, problem: str) -> None:
    problems = Problems()
    read_json(Source("f", text), problems)
    assert [f"{p.span.line}:{p.span.column} {p.code}" for p in problems] == [problem]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": the name}', "a value is wanted, found 'the'. A text stands in quotes: \"…\"."),
        ("{name: 1}", "a key in quotes is wanted, found 'name'. A text stands in quotes: \"…\"."),
        ('{"a": None}', "a value is wanted, found 'None'. Write null."),
        ("['a']", 'a value is wanted, found "\'". Quotes are ".'),
        ("[1 # one\n]", "`,` or `]` is wanted, found '#'. JSON has no comments."),
        ("[1 two]", "`,` or `]` is wanted, found 'two'"),
    ],
)
def test_what_is_wrong_is_told_with_what_to_write(text: str, said: str) -> None:
    problems = Problems()
    read_json(Source("f", text), problems)
    assert [str(problem).partition("JSON: ")[2] for problem in problems] == [said]


@pytest.mark.parametrize("escape", ["\\u0000", "\\u001b", "\\uffff", "\\ud800"])
@pytest.mark.parametrize("text", ['{"a": "x%sy"}', '{"x%sy": 1}'])
def test_an_escaped_character_that_no_text_may_hold_is_refused(text: str, escape: str) -> None:
    problems = Problems()
    assert read_json(Source("f", text % escape), problems) == []
    assert [problem.code for problem in problems] == ["PB003"]

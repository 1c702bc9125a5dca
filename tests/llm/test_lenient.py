import json
import re
import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pegboard.llm.lenient import MAX_NESTING, Lenient, TooDeep, read_lenient
from pegboard.llm.reply import read_json
from pegboard.text import Json
from tests.llm.test_reply import JSON_VALUES

CONTAINERS = st.lists(JSON_VALUES, max_size=4) | st.dictionaries(st.text(), JSON_VALUES, max_size=4)
PLAIN_WORDS = st.text(string.ascii_letters + string.digits + " ä汉-", min_size=1, max_size=12)


def read(text: str) -> Lenient | None:
    return read_lenient(text, 0, len(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a: 1, $b: 'c', d-e: \"f\"}", {"a": 1, "$b": "c", "d-e": "f"}),
        ("{“a”：“b”，‘c’：1}", {"a": "b", "c": 1}),
        ("{`a`: `b´}", {"a": "b"}),
        ("[1, 2, 3,]", [1, 2, 3]),
        ("[, 1,, 2]", [1, 2]),
        ('{"a": 1\n"b": 2}', {"a": 1, "b": 2}),
        ('["a" "b" 2]', ["a", "b", 2]),
        ('{"a" "b", "c": 2, "d" [true]}', {"a": "b", "c": 2, "d": [True]}),
        ("[1, /* one */ 2, // two\n 3, # three\n 4]", [1, 2, 3, 4]),
        ("[1, 2, ...]", [1, 2]),
        ("[True, FALSE, None, undefined, NaN, -Infinity]", [True, False, None, None, None, None]),
        ("[.5, 2., +3, 0x1F, 1_000, 1e, 1E3, -4]", [0.5, 2.0, 3, 31, 1000, 1, 1000.0, -4]),
        ("[01067, 007]", ["01067", "007"]),
        ("{'a': (1, 2), 'b': (), 'c': ('x'), 'd': ('x',)}", {"a": [1, 2], "b": [], "c": "x", "d": ["x"]}),
        (r"""['it\'s', "\x41\u4e2d\U0001f600\ud83d\ude00", "C:\Users\Documents"]""", None),
        ('["a\nb\tc"]', ["a\nb\tc"]),
        ("['''a 'b'\nc''']", ["a 'b'\nc"]),
        ('["a\\\nb"]', ["ab"]),
        ('{"a": }', {}),
        ('{"a": , "b": 1}', {"b": 1}),
        ('{"a": 1]', {"a": 1}),
        ('[{"a": [1, 2}, 3]', [{"a": [1, 2]}, 3]),
        ('{"a": 1<|im_end|>}', {"a": 1}),
    ],
)
def test_what_leaves_no_doubt_is_read_without_a_guess(text: str, value: Json) -> None:
    wanted = ["it's", "A中😀😀", "C:\\Users\\Documents"] if value is None else value
    found = read(text)
    assert found is not None
    assert (json.loads(json.dumps(found.value)), found.is_guess, found.is_cut_off) == (wanted, False, False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{", {}),
        ("[[[]], [[]", [[[]], [[]]]),
        ('[{"a": []}, {', [{"a": []}, {}]),
        ('{"a": 1, "b', {"a": 1}),
        ('{"a": 1, b', {"a": 1}),
        ('{"a": 1, "b":', {"a": 1}),
        ('{"a": 1, "b": -', {"a": 1}),
        ('{"a": "', {"a": ""}),
        ('{"a": "b\\', {"a": "b"}),
        ('{"a": "b\\u4e', {"a": "b"}),
        ('{"a": "b\\ud83d\\ude', {"a": "b"}),
        ('{"a": tr', {"a": True}),
        ('{"a": Non', {"a": None}),
        ("[1, 2.", [1, 2.0]),
        ("[1.5e-", [1.5]),
        ('{"a": 1 /* a remark', {"a": 1}),
        ('{"a": {"b": 1}', {"a": {"b": 1}}),
    ],
)
def test_what_is_cut_off_is_completed_and_nothing_invented(text: str, value: Json) -> None:
    assert read(text) == Lenient(value, len(text), is_cut_off=True, is_guess=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "he said "hi", and left"}', {"a": 'he said "hi", and left'}),
        ('{"a": "the "b", "c" and "d" of it", "e": 1}', {"a": 'the "b", "c" and "d" of it', "e": 1}),
        ("[one, two words]", ["one", "two words"]),
        ("[https://example.com/a, 2]", ["https://example.com/a", 2]),
        ("{colour: #ff0000, b: 2}", {"colour": "#ff0000", "b": 2}),
        ('{"a": "b}', {"a": "b"}),
        ('{"a": 1}, "b": 2}', {"a": 1, "b": 2}),
    ],
)
def test_what_can_be_meant_otherwise_is_a_guess(text: str, value: Json) -> None:
    found = read(text)
    assert found is not None
    assert (found.value, found.is_guess) == (value, True)


@pytest.mark.parametrize("text", ['["a": 1]', '{"a", "b"}', '{a"b": 1}', "[:]", '{"a": "x" ' + "y" * 90 + '"'])
def test_what_the_rules_do_not_cover_is_left_alone(text: str) -> None:
    found = read(text)
    assert found is None or found.is_guess


def test_what_is_nested_too_deep_is_refused() -> None:
    assert read("[" * MAX_NESTING) is not None
    with pytest.raises(TooDeep):
        read("[" * (MAX_NESTING + 1))


@given(CONTAINERS)
def test_what_python_prints_is_read_back(value: Json) -> None:
    text = repr(value)
    reply = read_json(text)
    assert reply.value == value
    assert reply.defence in {"none", "lenient"}


@given(CONTAINERS, st.data(), st.booleans())
def test_each_beginning_of_good_json_is_a_part_of_it(value: Json, data: st.DataObject, is_ascii: bool) -> None:
    text = json.dumps(value, ensure_ascii=is_ascii)
    cut = text[: data.draw(st.integers(1, len(text)))]
    # Inside of a text that ends in a bracket, nothing tells a beginning from an object that lacks a quote.
    assume(len(cut) == len(text) or not cut.endswith(("]", "}")) or _is_between_values(cut))
    assert is_part(read_json(cut).value, value)


def _is_between_values(text: str) -> bool:
    """Tell whether no string is open at the end of the beginning of JSON."""
    return len(re.findall(r'(?<!\\)(?:\\\\)*"', text)) % 2 == 0


@given(st.recursive(PLAIN_WORDS, lambda inner: st.lists(inner) | st.dictionaries(PLAIN_WORDS, inner), max_leaves=8))
def test_a_beginning_loses_nothing_that_was_whole(value: Json) -> None:
    text = json.dumps({"a": value, "b": None}, ensure_ascii=False)
    whole = text[: text.index(', "b": null}')]
    assert read_json(whole) == read_json(whole + "}") or read_json(whole).is_cut_off
    assert read_json(whole).value == {"a": value}


def is_part(value: Json, whole: Json) -> bool:
    """Say whether `value` is what a cut may leave of `whole`."""
    if isinstance(whole, dict):
        return isinstance(value, dict) and _is_start(list(value.items()), list(whole.items()))
    if isinstance(whole, list):
        return isinstance(value, list) and _is_start(list(enumerate(value)), list(enumerate(whole)))
    if isinstance(whole, str):
        return isinstance(value, str) and whole.startswith(value)
    is_number = isinstance(whole, int | float) and not isinstance(whole, bool)
    return isinstance(value, int | float) if is_number else value is whole


def _is_start(items: list[tuple[str | int, Json]], whole: list[tuple[str | int, Json]]) -> bool:
    if not items:
        return True
    (key, last), counterpart = items[-1], whole[len(items) - 1 : len(items)]
    is_same = items[:-1] == whole[: len(items) - 1]
    return is_same and [key] == [other for other, _ in counterpart] and is_part(last, counterpart[0][1])

import json
import string
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pegboard.errors import ModelMalformed
from pegboard.llm.reply import (
    MAX_CHARACTERS,
    MAX_REPAIRED_CHARACTERS,
    MAX_REPAIRED_DIGITS,
    MAX_REPAIRED_MARKS,
    MAX_REPAIRED_NESTING,
    Reply,
    clean,
    read_json,
)
from pegboard.text import Json

JSON_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
BRACKETS = [
    '{"score": 88',
    "}",
    "[",
    "]",
    "{",
    ",",
    ":",
    '"',
    "'",
    "\\",
    "-",
    "\n",
    "#",
    "88",
    " of 100",
    "得分",
    "“",
]
WORDS = [
    "```json\n",
    "```",
    "<think>",
    "</think>",
    "//",
    "/*",
    "None",
    "NaN",
    "1e999",
    "<|im_end|>",
    "\x00",
    "\ud800",
]
FRAGMENTS = st.lists(st.sampled_from(BRACKETS + WORDS) | st.text(string.printable, max_size=5), max_size=40).map(
    "".join
)


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ('{"a": [1, null]}', Reply({"a": [1, None]}, "none")),
        (" [] ", Reply([], "none")),
        ("null", Reply(None, "none")),
        ('```json\n{"a": 1}\n```', Reply({"a": 1}, "cleaned")),
        ('```\n{"a": 1}', Reply({"a": 1}, "cleaned")),
        ('<think>{"a": 0} or {"a": 2}?</think>{"a": 1}', Reply({"a": 1}, "cleaned")),
        ('I think\n</think>\n{"a": 1}', Reply({"a": 1}, "cleaned")),
        ('<|im_start|>{"a": 1}<|im_end|></s>', Reply({"a": 1}, "cleaned")),
        ('<｜Assistant｜>{"a": "答"}', Reply({"a": "答"}, "cleaned")),
        ('\ufeff{"a": 1}', Reply({"a": 1}, "cleaned")),
        ('Sure! Here you are: {"a": 1}. Anything else?', Reply({"a": 1}, "cleaned")),
        ('Example: {"a": 0}\nAnswer: {"a": 1}', Reply({"a": 1}, "cleaned")),
        ('{"a": 1,}', Reply({"a": 1}, "repaired")),
        ("{a: 'b'}", Reply({"a": "b"}, "repaired")),
        ("{'a': True, 'b': None}", Reply({"a": True, "b": None}, "repaired")),
        ('{"a": "he said "hi" to me"}', Reply({"a": 'he said "hi" to me'}, "repaired")),
        ('{"a": {"b": [1, 2', Reply({"a": {"b": [1, 2]}}, "repaired")),
        ('["hello", "world\\', Reply(["hello", "world"], "repaired")),
        ('Here: {"a": 1, // one\n "b": 2}', Reply({"a": 1, "b": 2}, "repaired")),
        ('｛"a": 1｝ {"a": "逗号，"}', Reply({"a": "逗号，"}, "cleaned")),
    ],
)
def test_json_is_found_in_what_models_write(text: str, reply: Reply) -> None:
    assert read_json(text) == reply


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no JSON: ''"),
        ("no idea", "holds no JSON: 'no idea'"),
        ("NaN", "holds no JSON"),
        ("[" * 65 + "]" * 65, "nested deeper than 64"),
        ("[" * 100_000, "holds no JSON"),
        ('{"a":' * 100_000, "holds no JSON"),
        ("x" * (MAX_CHARACTERS + 1), "at most 1,048,576 are read"),
    ],
)
def test_what_holds_no_json_says_so(text: str, words: str) -> None:
    with pytest.raises(ModelMalformed, match=words):
        read_json(text)


def test_a_long_reply_is_read_but_not_repaired() -> None:
    whole = json.dumps({"a": "x" * 5000})
    assert read_json(whole).defence == "none"
    with pytest.raises(ModelMalformed):
        read_json(whole[:-1])


@given(JSON_VALUES)
def test_good_json_is_never_changed(value: Json) -> None:
    assert read_json(json.dumps(value)) == Reply(value, "none")


@given(st.dictionaries(st.text(), JSON_VALUES, max_size=3))
def test_a_fenced_object_is_never_changed(value: dict[str, Json]) -> None:
    text = json.dumps(value)
    if clean(text) == text and "```" not in text:
        assert read_json(f"Here it is:\n```json\n{text}\n```\nGood luck!") == Reply(value, "cleaned")


@given(FRAGMENTS)
@example("[" * 5000 + "1")
@example('{"\\' * 500)
def test_whatever_the_text_nothing_but_malformed_is_raised(text: str) -> None:
    with suppress(ModelMalformed):
        json.dumps(read_json(text).value)


@pytest.mark.parametrize(
    "text",
    [
        "{'a': 1, " + "'b': 2, " * MAX_REPAIRED_MARKS + "}",
        "{'a': " + "1" * (MAX_REPAIRED_DIGITS + 1) + "}",
        "{'a': '" + "x" * MAX_REPAIRED_CHARACTERS + "'}",
        "{'a': " + "[" * MAX_REPAIRED_NESTING,
    ],
)
def test_what_repair_would_be_slow_at_is_not_repaired(text: str) -> None:
    with suppress(ModelMalformed):
        assert read_json(text).defence == "python"


def test_a_long_reply_in_plain_words_is_repaired() -> None:
    words = "It fits, for it says so: 30 minutes, two pans. " * 60
    assert read_json(f"{{'score': 88, 'reason': '{words}'").defence == "repaired"

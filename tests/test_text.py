"""Text in and out: JSON, words, languages, near spellings."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.text import (
    clipped,
    did_you_mean,
    is_seen,
    language,
    named,
    nearest,
    read_json,
    spelled,
    to_json,
    tokens,
    words_of_name,
)


def test_json_is_compact_and_keeps_characters_as_they_are() -> None:
    assert to_json({"a": ["汤", None]}) == '{"a":["汤",null]}'
    assert to_json({"a": 1}, indent=2) == '{\n  "a": 1\n}'


@given(st.text(alphabet=st.characters()))
def test_json_can_always_be_sent(text: str) -> None:
    sent = to_json([text, "\ud800"]).encode()
    assert json.loads(sent) == [text, "?"]


@pytest.mark.parametrize(
    ("path", "words"),
    [((), ""), (("name",), "name"), (("filters", 0, "price"), "filters[0].price"), ((0, "a"), "[0].a")],
)
def test_a_path_is_spelled_as_people_do(path: tuple[str | int, ...], words: str) -> None:
    assert spelled(path) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't  STOP", ["don't", "stop"]),
        ("番茄炒蛋", ["番茄", "茄炒", "炒蛋"]),
        ("饭 soup2go", ["饭", "soup2go"]),
        ("!? ", []),
    ],
)
def test_words_are_lower_case_and_chinese_comes_in_pairs(text: str, words: list[str]) -> None:
    assert list(tokens(text)) == words


@pytest.mark.parametrize(
    ("text", "code"),
    [("soup", "en"), ("汤", "zh"), ("スープ汤", "ja"), ("수프", "ko"), ("", "en"), ("potage à l’ail", "en")],
)
def test_a_language_is_told_by_its_script(text: str, code: str) -> None:
    assert language(text) == code


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("recipe_substitutions", "recipe substitutions"),
        ("getWeather", "get weather"),
        ("HTTPRequest2", "http request 2"),
        ("日历", "日历"),
    ],
)
def test_a_name_is_spelled_in_words(name: str, words: str) -> None:
    assert words_of_name(name) == words


def test_the_nearest_choice_may_differ_in_case_and_dashes() -> None:
    assert nearest("Read-Onyl", ["read_only", "name"]) == "read_only"
    assert nearest("xyz", ["read_only", "name"]) is None


def test_a_hint_says_what_was_meant_or_what_there_is() -> None:
    assert did_you_mean("serch", ["search", "details"]) == "Did you mean 'search'?"
    assert did_you_mean("xyz", ["search", "details"], noun="tools") == "Known tools: search, details."
    assert did_you_mean("xyz", [], noun="tools") == "Known tools: none."
    assert did_you_mean("xyz", []) == ""


def test_of_many_names_some_are_shown() -> None:
    assert named("abcdefghijkl") == "a, b, c, d, e, f, g, h, i, j, k, l"
    assert named("abcdefghijklm") == "a, b, c, d, e, f, g, h, i, j, k, l, …"


@given(st.text(max_size=60), st.integers(1, 40))
def test_a_clipped_text_is_never_longer_and_says_that_it_was_cut(text: str, characters: int) -> None:
    flat = " ".join(text.split())
    short = clipped(text, characters)
    assert len(short) <= characters
    assert short == flat if len(flat) <= characters else short.endswith("…")


def test_a_text_is_clipped_at_the_end_of_a_word_unless_that_is_very_long() -> None:
    assert clipped("the  long\nway home", 12) == "the long…"
    assert clipped("a hippopotamus", 10) == "a hippopo…"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("NaN", "NaN is no number"),
        ("[-1e999]", "a number in it is too large"),
        ("1" + "0" * 309, "a number in it is too large"),
        ("1" * 5000, "a number in it is too large"),
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "the key 'c' is there twice in one object"),
        ('{"\\udfff": 1}', "\\udfff is half of a surrogate pair and no character"),
        *(("[" * deep + "]" * deep, "it is nested more than 100 levels deep") for deep in (101, 102, 500, 940, 5000)),
    ],
)
def test_json_that_nothing_could_hold_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        read_json(text)


def test_json_is_read_to_a_hundred_levels() -> None:
    text = '{"a":' * 99 + "[1.5e300]" + "}" * 99
    assert to_json(read_json(text)) == text.replace("1.5e300", "1.5e+300")


def test_of_a_set_the_same_names_are_told_each_time() -> None:
    known = {f"n{i}" for i in range(20)}
    assert did_you_mean("elsewhere", known) == did_you_mean("elsewhere", sorted(known))


@pytest.mark.parametrize(
    ("text", "seen"), [("?", True), ("汤", True), ("🍲", True), ("", False), (" \n\x00\u202e\u3164", False)]
)
def test_what_nobody_sees_is_no_text(text: str, seen: bool) -> None:
    assert is_seen(text) is seen

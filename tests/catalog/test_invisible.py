"""Characters that nobody sees."""

import re

import pytest

from pegboard.catalog.invisible import hidden_in, name_of, spellings_of


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "中文，全角　空格",
        "한국어",
        "👩\u200d👩\u200d👧",
        "🏳\ufe0f\u200d🌈",
        "👍🏽",
        "❤\ufe0f",
        "1\ufe0f\u20e3 and #\ufe0f\u20e3",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می\u200cخواهم",
        "葛\U000e0100",
        "עברית العربية",
    ],
)
def test_what_a_script_or_an_emoji_needs_is_left_alone(text: str) -> None:
    assert hidden_in(text) is None


@pytest.mark.parametrize(
    ("text", "character"),
    [
        ("a\u200bb", "\u200b"),
        ("a\u200db", "\u200d"),
        ("中\u200d文", "\u200d"),
        ("\ufeffa", "\ufeff"),
        ("soft\u00adhyphen", "\u00ad"),
        ("\u202eabc", "\u202e"),
        ("a\u2066b", "\u2066"),
        ("a\u2062b", "\u2062"),
        ("a\U000e0041b", "\U000e0041"),
        ("❤\ufe0f\ufe0f", "\ufe0f"),
        ("a\ufe0fb", "\ufe0f"),
        ("a\U000e0100", "\U000e0100"),
        ("x\u3164", "\u3164"),
        ("עברית\u200f", "\u200f"),
    ],
)
def test_what_hides_is_found(text: str, character: str) -> None:
    assert hidden_in(text) == character


def test_a_character_is_named_with_its_number() -> None:
    assert name_of("\u200b") == "ZERO WIDTH SPACE (U+200B)"
    assert name_of("\U000e0041") == "TAG LATIN CAPITAL LETTER A (U+E0041)"


@pytest.mark.parametrize("text", ["\\u200b", "\\u200B", "\\U0000200b", "&#x200B;", "&#x0200b;", "&#8203;"])
def test_an_escape_of_a_character_is_recognised(text: str) -> None:
    assert re.fullmatch(spellings_of("\u200b"), text)


@pytest.mark.parametrize("text", ["\\udb40\\udc41", "\\U000E0041", "&#xE0041;", "&#917569;"])
def test_an_escape_beyond_the_first_plane_is_recognised(text: str) -> None:
    assert re.fullmatch(spellings_of("\U000e0041"), text)


def test_a_short_escape_is_recognised() -> None:
    assert re.fullmatch(spellings_of("\u00ad"), "\\xAD")

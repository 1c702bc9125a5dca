"""When two examples are the same question."""

import pytest

from pegboard.catalog.checks.examples import folded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What time is it?", "what time is it"),
        ("  two   words ", "twowords"),
        ("几点了？", "几点 了"),
        ("Ｗhat", "what"),
        ("《千与千寻》哪一年上映", "千与千寻哪一年上映。"),
        ("Straße", "STRASSE"),
        ("what's new", "what’s new"),
    ],
)
def test_case_width_blank_space_and_marks_make_no_other_question(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("one", "other"), [("1.5 miles", "15 miles"), ("12 - 8", "12 + 8"), ("C++", "C"), ("?!", "..."), ("3:15", "315")]
)
def test_what_is_another_question_stays_one(one: str, other: str) -> None:
    assert folded(one) != folded(other)

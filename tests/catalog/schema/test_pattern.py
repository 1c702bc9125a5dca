"""Patterns of ECMA-262 on google-re2."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.schema.linear import compiled, unusable
from pegboard.catalog.schema.pattern import translated


@pytest.mark.parametrize(
    ("pattern", "text", "is_found"),
    [
        (r"^\S$", "\v", False),
        (r"^\S$", "\u00a0", False),
        (r"^\s$", "\ufeff", True),
        (r"^[\s,]+$", " ,\u2029", True),
        (r"^[^\s]$", "a", True),
        (r"^\p{Letter}cole$", "\u00e9cole", True),
        (r"^\p{Script=Greek}$", "\u03b1", True),
        (r"^\P{L}$", "1", True),
        (r"^\u00e9$", "\u00e9", True),
        (r"^\u{1F600}$", "\U0001f600", True),
        (r"^\uD83D\uDE00$", "\U0001f600", True),
        (r"^\cC$", "\x03", True),
        (r"^\\s$", r"\s", True),
        (r"^a\/b\-c$", "a/b-c", True),
        (r"^\d$", "\u0967", False),
        ("^x$", "x\n", False),
    ],
)
def test_a_pattern_means_what_ecma_262_says(pattern: str, text: str, is_found: bool) -> None:
    assert (compiled(pattern).search(text) is not None) == is_found


@given(st.text(alphabet="\\uUpPsSc{}[]^=DdeE38L0a", max_size=20))
def test_no_pattern_breaks_the_translation(pattern: str) -> None:
    translated(pattern)
    unusable(pattern)

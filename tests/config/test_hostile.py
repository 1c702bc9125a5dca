"""The documents of `benchmarks/hostile.py`, the large ones made small: problems with places, and not too many."""

from functools import partial
from pathlib import Path

import pytest

from benchmarks.hostile import inputs
from tests.config.test_any_bytes import check_document

SIZE = 16 << 10
MOST_PROBLEMS = 2002
"""A thousand errors, a thousand warnings, and that there are more."""
DOCUMENTS = inputs()


@pytest.mark.parametrize("title", DOCUMENTS)
def test_a_hostile_document_gives_problems_that_can_be_read(tmp_path: Path, title: str) -> None:
    make = DOCUMENTS[title]
    data = make(size=SIZE) if isinstance(make, partial) else make()
    problems = check_document(tmp_path, f"tools.{title.partition(' ')[0]}", data)
    assert len(problems) <= MOST_PROBLEMS
    assert all(len(problem.message) <= 1001 for problem in problems)


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        ("yaml", "[" + "1," * 100_001 + "]"),
        ("json", "[" + "1," * 100_001 + "1]"),
        ("xml", "<Tools>" + "<x-/>" * 34_000 + "</Tools>"),
        ("yaml", "tools: [" + "{name: a}," * 20_001 + "]"),
        ("xml", "<Tools>" + f"<Tool name='a'><output>[{'1,' * 60_000}1]</output></Tool>" * 2 + "</Tools>"),
    ],
    ids=["yaml", "json", "xml", "tools", "json in xml"],
)
def test_a_document_of_more_values_than_its_size_allows_is_refused(tmp_path: Path, suffix: str, text: str) -> None:
    problems = check_document(tmp_path, f"tools.{suffix}", text.encode())
    assert "PB004" in {problem.code for problem in problems}

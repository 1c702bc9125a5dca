"""However a text is cut into pieces, the same comes out."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from pegboard.answer.citations import CitationFilter, cited
from pegboard.answer.pieces import pieces
from pegboard.catalog.contract import Evidence

EVIDENCE = [Evidence(1, "", "a", "A"), Evidence(2, "", "b", "B")]
TEXTS = st.text(alphabet="ab [](){}【】0123,，、.。!\n\t", max_size=60)


def filtered(text: str, cuts: list[int]) -> str:
    keeper = CitationFilter(EVIDENCE)
    places = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    fed = [keeper.feed(text[start:end]) for start, end in itertools.pairwise(places)]
    return "".join([*fed, keeper.finish()])


@given(TEXTS, st.lists(st.integers(0, 60), max_size=6))
def test_citations_are_the_same_in_one_piece_and_in_many(text: str, cuts: list[int]) -> None:
    assert filtered(text, cuts) == filtered(text, [])


@given(TEXTS)
def test_no_citation_of_what_does_not_exist_is_left(text: str) -> None:
    known = [*EVIDENCE, *(Evidence(number, "", "", "") for number in range(3, 1000))]
    assert {citation.number for citation in cited(filtered(text, []), known)} <= {1, 2}


@given(st.text(max_size=80))
def test_the_pieces_put_together_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text


def test_other_brackets_are_left_alone() -> None:
    assert filtered("an array [x], a year [2024a] and [1]", []) == "an array [x], a year [2024a] and [1]"

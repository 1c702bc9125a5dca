"""The table `clauses.tsv`: what each question is to be parted into, by its wording alone."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.route.parting.clauses import MOST_CLAUSES, READ_CHARACTERS, clauses, read
from pegboard.text import language

TABLE = Path(__file__).parent / "clauses.tsv"


def rows() -> list[tuple[str, list[str]]]:
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    told = [line.split("\t") for line in lines]
    return [(question, [question] if parts == "-" else parts.split(" | ")) for parts, question in told]


def bare(texts: list[str]) -> list[str]:
    return [text.strip(" .?!？。").lower() for text in texts]


def is_right(question: str, wanted: list[str]) -> bool:
    """Tell whether it is parted as wanted; words of courtesy may stay with a clause."""
    found = bare(clauses(question))
    if len(wanted) == 1:
        return len(found) == 1
    return len(found) == len(wanted) and all(
        text.endswith(want) or want.endswith(text) for text, want in zip(found, bare(wanted), strict=True)
    )


def test_the_table_is_large_and_half_of_it_is_of_one_part() -> None:
    table = rows()
    chinese = [question for question, _ in table if language(question) == "zh"]
    single = [question for question, parts in table if len(parts) == 1]
    assert len(table) - len(chinese) >= 60
    assert len(chinese) >= 40
    assert 0.45 <= len(single) / len(table) <= 0.6


@pytest.mark.parametrize(("question", "wanted"), rows())
def test_each_question_of_the_table_is_parted_as_it_says(question: str, wanted: list[str]) -> None:
    assert is_right(question, wanted), clauses(question)


def test_a_very_long_question_is_of_one_part() -> None:
    long = "find a soup and suggest a wine " * (READ_CHARACTERS // 20)
    assert clauses(long) == [long.strip()]


def test_other_languages_are_left_whole() -> None:
    assert len(clauses("スープを探して、それからワインを提案してください")) == 1


PIECES = st.sampled_from(
    [
        "find a soup",
        "and",
        "then",
        ",",
        ".",
        "1.",
        "2.",
        " suggest a wine",
        "查天气",
        "，再",
        "并",
        "保存",
        '"',
        "if it rains",
        "?",
        "\n",
    ]
)


@given(st.lists(PIECES | st.text(max_size=8), max_size=30).map(" ".join))
def test_whatever_is_read_pieces_stand_in_the_question_in_their_order(text: str) -> None:
    found = read(text)
    place = 0
    for piece in found.at(found.cuts):
        place = found.text.index(piece, place) + len(piece)
    ends = [0]
    for cut in found.cuts:
        assert ends[-1] <= cut.start <= cut.end <= len(found.text)
        ends.append(cut.end)
    assert len(clauses(text)) <= MOST_CLAUSES

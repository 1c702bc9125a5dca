import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from pegboard.knowledge.rank import (
    Likeness,
    Terms,
    at_most_of_each,
    covered,
    score_item,
    score_passage,
    share,
)

COSINES = st.floats(-1, 1)
SHARES = st.floats(0, 1)


def test_a_word_counts_by_the_first_place_that_it_is_in() -> None:
    terms = Terms(frozenset({"soup"}), frozenset({"soup", "warm"}), frozenset({"leek"}))
    found = [covered({word: 2.0}, terms) for word in ("soup", "warm", "leek", "none")]
    assert found == [1.0, 0.8, 0.5, 0.0]
    assert covered({"soup": 3.0, "none": 1.0}, terms) == 0.75
    assert covered({}, terms) == 0.0


def test_a_share_is_by_weight() -> None:
    assert share({"a": 3.0, "b": 1.0}, {"a"}) == 0.75
    assert share({}, {"a"}) == 0.0


@given(COSINES, COSINES, SHARES, st.booleans(), st.booleans())
def test_a_score_is_from_0_to_100(overview: float, best: float, words: float, foreign: bool, article: bool) -> None:
    assert 0 <= score_item(Likeness(overview, best, words, foreign, article)) <= 100


@given(COSINES, SHARES)
def test_better_words_or_meaning_never_score_less(cosine: float, words: float) -> None:
    here = Likeness(cosine, cosine, words, is_foreign=False)
    assert score_item(dataclasses.replace(here, words=min(words + 0.1, 1.0))) >= score_item(here)
    assert score_item(dataclasses.replace(here, best=min(cosine + 0.1, 1.0))) >= score_item(here)


def test_of_two_that_fit_alike_the_one_in_the_language_of_the_question_wins() -> None:
    own = Likeness(0.5, 0.5, 0.4, is_foreign=False)
    assert score_item(own) > score_item(dataclasses.replace(own, is_foreign=True)) + 5


def test_of_two_that_fit_alike_the_thing_wins_over_the_article_about_it() -> None:
    own = Likeness(0.5, 0.5, 0.4, is_foreign=False)
    assert score_item(own) > score_item(dataclasses.replace(own, is_article_for_thing=True))


def test_of_two_that_fit_alike_the_passage_that_is_no_overview_wins() -> None:
    scores = [score_passage(0.5, 0.5, is_foreign=False, is_overview=overview) for overview in (False, True)]
    assert scores[0] > scores[1]


def test_at_most_so_many_of_each_owner_are_kept_in_order() -> None:
    assert at_most_of_each([1, 1, 2, 1, 2, 1], 2) == [0, 1, 2, 4]
    assert at_most_of_each([], 2) == []

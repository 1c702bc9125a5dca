import numpy as np
import pytest

from pegboard.route.features import COLUMNS, WORD_WEIGHT, Features, pieces

ONES = np.ones((1, 4), dtype=np.float32)
EYE = np.eye(3, dtype=np.float32)
ZEROS = np.zeros((1, 3), dtype=np.float32)


def test_a_text_without_known_words_and_without_meaning_is_a_row_of_zeros() -> None:
    features = Features(["a b"], ONES, np.ones((2, 4), dtype=np.float32))
    assert not features.rows(["?"], ONES, features.words).any()


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    features = Features(["the soup", "the cake", "the bread"], EYE, ZEROS)
    row = features.rows(["the soup"], ZEROS, features.words)[0, 3:]
    the, soup = sorted(np.abs(row[row != 0]))
    assert soup > the > 0
    assert np.linalg.norm(row) == pytest.approx(WORD_WEIGHT)


def test_rows_are_as_wide_for_many_words_as_for_few() -> None:
    texts = [f"word{number} other{number}" for number in range(3000)]
    vectors = np.zeros((3000, 3), dtype=np.float32)
    assert Features(texts, vectors, ZEROS).words.rows(["word7"]).shape == (1, COLUMNS)


def test_pieces_see_that_two_words_are_of_one_stem() -> None:
    features = Features(["translates documents", "plays music"], EYE[:2], ZEROS)
    near = features.pieces.rows(["translation"]) @ features.pieces.rows(["translates", "music"]).T
    assert near[0, 0] > 0.1 > near[0, 1]


def test_a_short_word_is_its_own_piece() -> None:
    assert list(pieces("a 糖")) == [" a ", " 糖 "]
    assert list(pieces("soup")) == [" sou", "soup", "oup ", " soup", "soup "]


def test_half_a_character_is_a_word_like_others() -> None:
    texts = ["\ud83d soup"]
    features = Features(texts, EYE[:1], ZEROS)
    assert features.words.rows(texts).any()

import numpy as np

from pegboard.llm.hashed import HashedEmbedder


def test_texts_of_the_same_words_have_the_same_vector_of_length_one() -> None:
    one, other = HashedEmbedder().encode(["Tomato soup", "soup, TOMATO"])
    assert np.allclose(one, other)
    assert np.isclose(one @ one, 1.0)


def test_texts_with_words_in_common_are_nearer_than_others() -> None:
    asked, near, far = HashedEmbedder().encode(["番茄炒蛋", "番茄炒蛋盖饭", "blue bicycle"])
    assert asked @ near > asked @ far


def test_no_texts_and_no_words_are_allowed() -> None:
    embedder = HashedEmbedder(16)
    assert embedder.encode([]).shape == (0, 16)
    assert not embedder.encode(["!?"]).any()

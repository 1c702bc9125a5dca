import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.route.features import Features
from pegboard.route.head import (
    LEAST_TEMPERATURE,
    LEAST_THRESHOLD,
    MOST_TEMPERATURE,
    Calibration,
    calibrate,
    fit,
    train_head,
)

LOGITS = st.lists(st.floats(-1, 1.5), max_size=30).map(np.array)

UNRELATED = np.random.default_rng(3).normal(size=(9, 40)) / 7


def _unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def _toolset(tools: int, per_tool: int, noise: float = 0.6) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(7)
    centres = _unit(random.normal(size=(tools, 40)))
    labels = np.repeat(np.arange(tools), per_tool)
    return _unit(centres[labels] + noise * _unit(random.normal(size=(len(labels), 40)))), labels


def test_the_threshold_gets_a_score_of_70() -> None:
    scores = Calibration(0.3, 0.1).scores(np.array([0.3, 0.3 + 0.135, -5.0, 9.0]))
    assert scores == pytest.approx([70, 90, 0, 100], abs=0.05)


@pytest.mark.parametrize("tools", [1, 2, 3, 6, 20])
@pytest.mark.parametrize("per_tool", [1, 2, 8, 13])
def test_any_toolset_trains_and_its_calibration_keeps_its_bounds(tools: int, per_tool: int) -> None:
    rows, labels = _toolset(tools, per_tool)
    head = train_head(rows, labels, tools, np.ones(len(labels), dtype=np.bool_), UNRELATED)
    assert head.calibration.threshold >= LEAST_THRESHOLD
    assert LEAST_TEMPERATURE - 1e-9 <= head.calibration.temperature <= MOST_TEMPERATURE + 1e-9
    assert head.weights.shape == (tools, 40)
    assert ((head.scores(rows[0]) >= 0) & (head.scores(rows[0]) <= 100)).all()


def test_leaving_out_in_closed_form_is_leaving_out_for_real() -> None:
    rows, labels = _toolset(3, 5)
    _, left_out = fit(rows, labels, 3)
    for index, label in enumerate(labels):
        # The ridge does not shrink with the rows that are missing: 15 rows lie below its least value.
        others, strangers = np.arange(len(labels)) != index, labels != label
        without, _ = fit(rows[others], labels[others], 3)
        without_tool, _ = fit(rows[strangers], labels[strangers], 3)
        assert left_out.own[index] == pytest.approx(without @ rows[index])
        assert left_out.off_topic[index, label] == -np.inf
        rest = np.arange(3) != label
        assert left_out.off_topic[index, rest] == pytest.approx((without_tool @ rows[index])[rest])


@given(LOGITS, LOGITS)
def test_every_calibration_keeps_its_bounds(understood: np.ndarray, off_topic: np.ndarray) -> None:
    calibration = calibrate(understood, off_topic)
    assert calibration.threshold >= LEAST_THRESHOLD
    assert LEAST_TEMPERATURE - 1e-9 <= calibration.temperature <= MOST_TEMPERATURE + 1e-9


@given(LOGITS.filter(lambda logits: len(logits) >= 10), LOGITS)
def test_at_least_nine_of_ten_understood_examples_pass_unless_all_logits_are_low(
    understood: np.ndarray, off_topic: np.ndarray
) -> None:
    threshold = calibrate(understood, off_topic).threshold
    assert threshold == LEAST_THRESHOLD or (understood >= threshold - 1e-12).mean() >= 0.9


def test_a_text_without_known_words_and_without_meaning_is_a_row_of_zeros() -> None:
    features = Features(["a b"], np.ones((1, 4)), np.ones((2, 4)))
    assert not features.rows(["?"], np.ones((1, 4))).any()


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    texts = ["the soup", "the cake", "the bread"]
    row = Features(texts, np.eye(3), np.zeros((1, 3))).rows(["the soup"], np.zeros((1, 3)))[0, 3:]
    the, soup = row[:2]
    assert soup > the > 0
    assert np.linalg.norm(row) == pytest.approx(0.5)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.route.calibration import LEAST_TEMPERATURE, LEAST_THRESHOLD, MOST_TEMPERATURE, Calibration, calibrate

LOGITS = st.lists(st.floats(-1, 1.5), max_size=30).map(np.array)


def test_the_threshold_gets_a_score_of_70() -> None:
    scores = Calibration(0.3, 0.1).scores(np.array([0.3, 0.3 + 0.135, -5.0, 9.0]))
    assert scores == pytest.approx([70, 90, 0, 100], abs=0.05)


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

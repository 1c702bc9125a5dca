from dataclasses import replace

import numpy as np
import pytest

from pegboard.route.calibration import LEAST_TEMPERATURE, LEAST_THRESHOLD, MOST_TEMPERATURE
from pegboard.route.features import Rows
from pegboard.route.head import Lessons, left_out, train_head
from pegboard.route.ridge import Labels

UNRELATED = (np.random.default_rng(3).normal(size=(9, 40)) / 7).astype(np.float32)


def _unit(rows: np.ndarray) -> Rows:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def _lessons(tools: int, per_tool: int, *, languages: tuple[str, ...] = ("en",), noise: float = 0.6) -> Lessons:
    random = np.random.default_rng(7)
    centres = _unit(random.normal(size=(tools, 40)))
    labels: Labels = np.repeat(np.arange(tools), per_tool)
    rows = _unit(centres[labels] + noise * _unit(random.normal(size=(len(labels), 40))))
    return Lessons(
        rows=rows,
        labels=labels,
        counts=np.ones(len(labels)),
        probes=np.ones(len(labels), dtype=np.bool_),
        tools=tools,
        languages=[languages[row % len(languages)] for row in range(len(labels))],
        has_examples=True,
        meanings=30,
        unrelated=UNRELATED,
    )


@pytest.mark.parametrize("tools", [1, 2, 3, 6, 20])
@pytest.mark.parametrize("per_tool", [1, 2, 8, 13])
@pytest.mark.parametrize("languages", [("en",), ("en", "zh")])
def test_any_toolset_trains_and_its_calibration_keeps_its_bounds(
    tools: int, per_tool: int, languages: tuple[str, ...]
) -> None:
    lessons = _lessons(tools, per_tool, languages=languages)
    head = train_head(lessons)
    assert head.calibration.threshold >= LEAST_THRESHOLD
    assert LEAST_TEMPERATURE - 1e-9 <= head.calibration.temperature <= MOST_TEMPERATURE + 1e-9
    scores = head.scores(lessons.rows[0], 1.0)
    assert scores.shape == (tools,)
    assert ((scores >= 0) & (scores <= 100)).all()


def test_what_is_near_no_text_and_what_is_near_an_everyday_question_scores_less() -> None:
    lessons = _lessons(6, 8)
    head = train_head(lessons)
    row = lessons.rows[0] / 2
    strange = np.hstack([UNRELATED[0, :30] / np.linalg.norm(UNRELATED[0, :30]), row[30:]]).astype(np.float32)
    assert head.scores(row, 0.9).max() > head.scores(row, 0.1).max()
    assert head.scores(strange, 0.5).max() < 20
    assert head.scores(row, 0.5, lift=0.1).max() > head.scores(row, 0.5).max()


def test_the_choice_is_that_of_the_ridge_and_the_softmax_and_the_level_keeps_its_order() -> None:
    lessons = _lessons(6, 8)
    head = train_head(lessons)
    for row, label in zip(lessons.rows, lessons.labels, strict=True):
        assert head.scores(row, 0.9).argmax() == head.scores(row, 0.1).argmax() == label


def test_hundreds_of_tools_are_ranked_by_the_ridge_alone() -> None:
    head = train_head(_lessons(300, 4, noise=0.2))
    assert head.softmax is None
    assert train_head(_lessons(20, 4)).softmax is not None
    assert train_head(replace(_lessons(20, 4), has_examples=False)).softmax is None


def test_examples_are_left_out_one_by_one_in_their_own_order() -> None:
    lessons = _lessons(4, 6, noise=0.3)
    order = np.random.default_rng(1).permutation(24)
    shuffled = replace(lessons, rows=lessons.rows[order], labels=lessons.labels[order])
    assert left_out(lessons)[0] == list(lessons.labels)
    assert left_out(shuffled)[0] == list(lessons.labels[order])
    assert max(left_out(lessons)[1]) < 0


def test_a_translation_does_not_vouch_for_the_example_that_is_left_out() -> None:
    """Two tools of one example each, in two languages: only the twin knows where an example belongs."""
    rows = np.repeat(_unit(np.eye(40)[:2] + 0.2 * np.ones(40) / 6), 2, axis=0)
    lessons = replace(_lessons(2, 2, languages=("en", "zh")), rows=rows, meanings=40)
    assert left_out(lessons)[0] == [1, 1, 0, 0]
    assert left_out(replace(lessons, languages=["en"] * 4))[0] == [0, 0, 1, 1]

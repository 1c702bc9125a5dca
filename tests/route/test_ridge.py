import numpy as np
import pytest

from pegboard.route import ridge
from pegboard.route.features import Rows
from pegboard.route.ridge import Labels, Places, Ridge


def _unit(rows: np.ndarray) -> Rows:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def _toolset(tools: int, per_tool: int, features: int) -> tuple[Rows, Labels]:
    random = np.random.default_rng(7)
    centres = _unit(random.normal(size=(tools, features)))
    labels = np.repeat(np.arange(tools), per_tool)
    return _unit(centres[labels] + 0.6 * _unit(random.normal(size=(len(labels), features)))), labels


def _blocks(labels: Labels) -> list[Places]:
    return [np.flatnonzero(labels == tool) for tool in range(int(labels.max()) + 1)]


def _fit(rows: Rows, labels: Labels, counts: np.ndarray | None = None) -> Ridge:
    return ridge.fit(rows, labels, 3, np.ones(len(rows)) if counts is None else counts)


# 15 rows: the ridge does not shrink with those that are missing. More features than rows: dual; fewer: primal.
@pytest.mark.parametrize("features", [40, 8])
def test_leaving_out_in_closed_form_is_leaving_out_for_real(features: int) -> None:
    rows, labels = _toolset(3, 5, features)
    counts = np.where(np.arange(15) % 5 == 4, 2.0, 1.0)
    blocks = _blocks(labels)
    left_out = _fit(rows, labels, counts).left_out(blocks, [np.eye(5, dtype=np.bool_)] * 3)
    for index, label in enumerate(labels):
        others = np.arange(15) != index
        without = _fit(rows[others], labels[others], counts[others]).weights
        assert left_out.own[index] == pytest.approx(without @ rows[index], abs=1e-4)
        rest = [tool for tool in range(3) if tool != label]
        strangers = labels != label
        alone = ridge.fit(rows[strangers], np.repeat([0, 1], 5), 2, counts[strangers]).weights
        assert left_out.off_topic[index, rest] == pytest.approx(alone @ rows[index], abs=1e-4)
        assert left_out.off_topic[index, label] == -np.inf


@pytest.mark.parametrize("features", [40, 8])
def test_a_twin_is_left_out_as_well(features: int) -> None:
    rows, labels = _toolset(3, 5, features)
    twins = np.eye(5, dtype=np.bool_)
    twins[0, 3] = twins[3, 0] = True
    own = _fit(rows, labels).left_out(_blocks(labels), [twins] * 3).own
    for index in (0, 5, 10):
        others = ~np.isin(np.arange(15), [index, index + 3])
        assert own[index] == pytest.approx(_fit(rows[others], labels[others]).weights @ rows[index], abs=1e-4)


def test_the_dual_and_the_primal_form_are_the_same_regression() -> None:
    rows, labels = _toolset(3, 20, 60)
    counts = np.linspace(0.5, 2, 60)
    dual = _fit(rows, labels, counts).weights
    wider = np.hstack([rows, np.zeros((60, 1), dtype=np.float32)])[:, :60]
    narrow = _fit(
        np.vstack([wider, np.zeros((3, 60), dtype=np.float32)]),
        np.append(labels, [0, 1, 2]),
        np.append(counts, [1, 1, 1]),
    ).weights
    assert narrow == pytest.approx(dual, abs=0.02)


def test_a_row_that_counts_twice_is_a_row_that_stands_there_twice() -> None:
    rows, labels = _toolset(3, 5, 40)
    twice = np.append(np.arange(15), 7)
    counted = _fit(rows, labels, np.where(np.arange(15) == 7, 2.0, 1.0)).weights
    assert counted == pytest.approx(_fit(rows[twice], labels[twice]).weights, abs=1e-6)

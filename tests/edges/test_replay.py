"""`platform route --replay`: a decision that was kept is decided again."""

import json
from pathlib import Path

import pytest

from pegboard.edges.cli.command import run
from tests.edges.twin import TwinBackend


def recorded(tool: str, **fields: object) -> dict[str, object]:
    candidates = [
        {"tool": "search", "score": 12.0, "state": "scored", "reason": ""},
        {"tool": "details", "score": 93.0, "state": "scored", "reason": ""},
    ]
    told: dict[str, object] = {"query": "eggs", "site": "kitchen", "mode": "tool", "candidates": candidates}
    return told | {"tool": tool, "decided_by": "early_stop", "strategy": "score", "model": "m", **fields}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "decision.json"


def test_the_same_scores_lead_to_the_same_tool(
    backend: TwinBackend, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.write_text(json.dumps(recorded("details")))
    assert run(["route", "--replay", str(kept)], backend=backend) == 0
    assert capsys.readouterr().out == "the same: details (early_stop)\n"


def test_a_decision_that_the_scores_do_not_lead_to_is_told(
    backend: TwinBackend, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.write_text(json.dumps(recorded("search", decided_by="best")))
    assert run(["route", "--replay", str(kept), "--json"], backend=backend) == 1
    assert json.loads(capsys.readouterr().out) == {
        "agrees": False,
        "tool": "details",
        "decided_by": "early_stop",
        "recorded": {"tool": "search", "decided_by": "best"},
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[]", "holds no decision"),
        ("{", "holds no JSON"),
        ("{}", "site"),
        (json.dumps(recorded("details", site="nowhere")), "nowhere"),
        (json.dumps(recorded("details", candidates=7)), "candidates"),
    ],
)
def test_what_is_no_decision_is_refused(
    backend: TwinBackend, kept: Path, capsys: pytest.CaptureFixture[str], content: str, said: str
) -> None:
    kept.write_text(content)
    assert run(["route", "--replay", str(kept)], backend=backend) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_not_there_and_a_question_that_is_missing_are_told(
    backend: TwinBackend, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["route", "--replay", str(kept)], backend=backend) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert run(["route"], backend=backend) == 2
    assert "There is no question" in capsys.readouterr().err

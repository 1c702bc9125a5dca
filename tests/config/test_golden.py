"""A configuration of four files in both syntaxes with many mistakes: all found in one run, each at its place."""

import re
from pathlib import Path

import pytest

from pegboard.app import check
from pegboard.config.problems import Problem

GOLDEN = Path(__file__).parent / "golden"

EXPECTED = [
    line
    for line in (GOLDEN / "expected.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]  # fmt: skip


@pytest.fixture
def problems(monkeypatch: pytest.MonkeyPatch) -> tuple[Problem, ...]:
    monkeypatch.chdir(GOLDEN)
    return check(config=None, environ={}).problems


def line_of(problem: Problem) -> str:
    """Return a problem as expected.txt has it: where this folder lies is left out."""
    return f"{problem.span} {problem.code} {problem.message}".replace(f"{GOLDEN}/", "")


def test_every_mistake_is_found_in_one_run_at_its_exact_place(problems: tuple[Problem, ...]) -> None:
    assert [line_of(problem) for problem in problems] == EXPECTED


def test_they_are_many_and_of_many_kinds() -> None:
    assert len({line.split(" ", 2)[2] for line in EXPECTED}) >= 95
    assert len({line.split(" ")[1] for line in EXPECTED}) >= 40
    assert {Path(line.partition(":")[0]).suffix for line in EXPECTED} == {".xml", ".yaml"}
    assert len({line.partition(":")[0] for line in EXPECTED}) == 4


def test_beside_or_above_each_stands_what_is_wrong_and_nowhere_else() -> None:
    places = {tuple(line.split(":")[:2]) for line in EXPECTED}
    marks = 0
    for name in sorted({file for file, _ in places}):
        lines = ["", *(GOLDEN / name).read_text("utf-8").splitlines()]
        marks += sum(line.count("wrong: ") for line in lines)
        numbers = [int(number) for file, number in places if file == name]
        assert [number for number in numbers if not re.search("wrong: ", lines[number] + lines[number - 1])] == []
    assert marks == len(EXPECTED)

"""Files that are no files are reported, and not waited for."""

import io
import os
from pathlib import Path

from pegboard.config.problems import Problem
from pegboard.config.settings import read_settings
from pegboard.config.span import Span
from pegboard.edges.cli.report import frame_of, report_problems


def test_a_problem_is_shown_without_reading_its_file() -> None:
    problem = Problem(Span("nowhere.yaml", 2, 3, 2, 5), "PB101", "error", "wrong", quote="ab\tcd")
    assert frame_of(problem, to=io.StringIO()) == " 2 │ ab cd\n   │   ^^\n"


def test_a_message_of_several_lines_is_one_headline() -> None:
    out = io.StringIO()
    problem = Problem(Span("a.yaml", 1, 1), "PB403", "error", "one\n  two\r\nthree", hint="four\nfive")
    report_problems([problem], to=out)
    assert out.getvalue() == "a.yaml:1:1: error PB403: one two three\n   = four five\n\n"


def test_only_a_piece_of_a_very_long_line_is_shown() -> None:
    problem = Problem(Span("a.xml", 1, 500_001), "PB106", "warning", "ignored", quote="a" * 500_000 + "b" * 500_000)
    shown, mark = frame_of(problem, to=io.StringIO()).splitlines()
    assert shown == f" 1 │ …{'a' * 30}{'b' * 70}…"
    assert mark.index("^") == shown.index("b")


def test_the_line_of_a_document_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tools.yaml")
    problem = Problem(Span(str(tmp_path / "tools.yaml"), 1, 1), "PB001", "error", "this is no regular file")
    assert frame_of(problem, to=io.StringIO()) == ""


def test_settings_that_are_a_pipe_are_a_problem(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pegboard.toml")
    _, problems = read_settings(environ={}, config=tmp_path)
    assert [problem.code for problem in problems] == ["PB001"]

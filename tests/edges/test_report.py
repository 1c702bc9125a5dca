"""Files that are no files are reported, and not waited for."""

import io
import os
from pathlib import Path

from pegboard.config.problems import Problem
from pegboard.config.settings import read_settings
from pegboard.config.span import Span
from pegboard.edges.cli.report import frame_of


def test_the_line_of_a_document_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tools.yaml")
    problem = Problem(Span(str(tmp_path / "tools.yaml"), 1, 1), "PB001", "error", "this is no regular file")
    assert frame_of(problem, to=io.StringIO()) == ""


def test_settings_that_are_a_pipe_are_a_problem(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pegboard.toml")
    _, problems = read_settings(environ={}, config=tmp_path)
    assert [problem.code for problem in problems] == ["PB001"]

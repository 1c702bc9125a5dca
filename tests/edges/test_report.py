"""Code frames: marks stand under what they mean, and files that are no files are reported and not waited for."""

import io
import os
from pathlib import Path

import pytest

from pegboard.config.problems import Problem
from pegboard.config.server.settings import read_settings
from pegboard.config.span import Span
from pegboard.config.syntax.source import Source, quoted
from pegboard.edges.cli.output import width
from pegboard.edges.cli.report import frame_of, report_problems


def frame(problem: Problem) -> str:
    return frame_of(problem, to=io.StringIO())


def in_line(text: str, marked: str) -> Problem:
    """Return a problem of `marked` in a line."""
    start = text.index(marked) + 1
    span = Span("a.yaml", 1, start, 1, start + len(marked))
    return Problem(span, "PB101", "error", "wrong", quotes=(((1, text),),))


def in_text(text: str, start: str, end: str) -> Problem:
    """Return a problem from `start` up to the end of `end`, quoted as the documents' reader does."""
    source = Source("a.yaml", text)
    span = source.span(text.index(start), text.index(end) + len(end))
    return quoted([Problem(span, "PB102", "error", "wrong")], {"a.yaml": source})[0]


def test_a_problem_is_shown_without_reading_its_file() -> None:
    problem = Problem(Span("nowhere.yaml", 2, 3, 2, 5), "PB101", "error", "wrong", quotes=(((2, "abcd"),),))
    assert frame(problem) == " 2 │ abcd\n   │   ^^\n"


@pytest.mark.parametrize(
    ("text", "marked", "columns"),
    [
        ("name: 天气", "天气", (6, 4)),
        ("天气: wrong", "wrong", (6, 5)),
        ("a: 😀 wrong", "wrong", (6, 5)),
        ("e\u0301te\u0301: wrong", "wrong", (5, 5)),
        ("a\tb: wrong", "wrong", (8, 5)),
        ("a: \x1b[31mred", "red", (8, 3)),
        ("a: 👩\u200d🍳 x", "x", (6, 1)),
    ],
)
def test_the_mark_stands_under_what_it_means(text: str, marked: str, columns: tuple[int, int]) -> None:
    shown, mark = frame(in_line(text, marked)).splitlines()
    before = shown.removeprefix(" 1 │ ").partition(marked)[0]
    below = mark.removeprefix("   │ ")
    assert (width(before), len(below.strip())) == (len(below) - len(below.lstrip()), len(below.strip())) == columns


def test_a_place_of_several_lines_is_framed_from_its_start_to_its_end() -> None:
    problem = in_text("tools:\n  - name: x\n    enabled: no\n", "name", "no")
    assert frame(problem) == (
        " 2 │     - name: x\n"
        "   │ ╭─────^\n"
        " 3 │ │     enabled: no\n"
        "   │ ╰───────────────^\n"
    )  # fmt: skip


def test_of_a_long_place_the_first_lines_and_the_last_are_shown() -> None:
    text = "  <Tool>\n" + "".join(f"    <a{n}/>\n" for n in range(9)) + "  </Tool>\n"
    assert frame(in_text(text, "<Tool>", "</Tool>")) == (
        "  1 │ ╭   <Tool>\n  2 │ │     <a0/>\n    ┆ ┆\n 11 │ │   </Tool>\n    │ ╰─────────^\n"
    )


def test_empty_lines_and_comments_behind_a_place_are_not_part_of_it() -> None:
    text = "a:\n  b: c  \n\n  # comment\n\nd: e\n"
    problem = quoted(
        [Problem(Source("f", text).span(3, text.index("d:")), "PB102", "error", "")], {"f": Source("f", text)}
    )
    assert problem[0].span == Span("f", 2, 1, 2, 7)


def test_other_places_have_frames_of_their_own_with_the_line_of_their_file() -> None:
    problem = Problem(
        Span("tools.d/b.yaml", 2, 11, 2, 17), "PB201", "error", "tool 'search' is declared twice",
        hint="Rename one.", also=(Span("tools.yaml", 10, 11, 10, 17), Span("gone.yaml", 7, 1)),
        quotes=(((2, "  - name: search"),), ((10, "  - name: search"),), ()),
    )  # fmt: skip
    out = io.StringIO()
    report_problems([problem], to=out)
    assert out.getvalue() == (
        "tools.d/b.yaml:2:11: error PB201: tool 'search' is declared twice\n"
        "  2 │   - name: search\n"
        "    │           ^^^^^^\n"
        "    ┌─ tools.yaml:10:11\n"
        " 10 │   - name: search\n"
        "    │           ------ first declared here\n"
        "    ┌─ gone.yaml:7:1: first declared here\n"
        "    = Rename one.\n"
        "\n"
    )


def test_a_message_of_several_lines_is_one_headline() -> None:
    out = io.StringIO()
    problem = Problem(Span("a.yaml", 1, 1), "PB403", "error", "one\n  two\r\nthree", hint="four\nfive")
    report_problems([problem], to=out)
    assert out.getvalue() == "a.yaml:1:1: error PB403: one two three\n   = four five\n\n"


@pytest.mark.parametrize(("before", "after"), [("a", "b"), ("字", "典"), ("\t", "b"), ("😀", "é")])
def test_only_a_piece_of_a_very_long_line_is_shown(before: str, after: str) -> None:
    shown, mark = frame(in_line(f"{before * 200_000}!{after * 200_000}", "!")).splitlines()
    line = shown.removeprefix(" 1 │ ")
    assert line.startswith("…")
    assert line.endswith("…")
    assert 96 <= width(line) <= 102
    assert width(line.partition("!")[0]) == mark.removeprefix("   │ ").index("^")


def test_a_long_line_is_shown_from_its_beginning_where_the_place_can_be_seen() -> None:
    shown, mark = frame(in_line(f"name: wrong{'x' * 500}", "wrong")).splitlines()
    assert shown.startswith(" 1 │ name: wrong")
    assert mark == "   │       ^^^^^"


def test_the_line_of_a_document_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tools.yaml")
    problem = Problem(Span(str(tmp_path / "tools.yaml"), 1, 1), "PB001", "error", "this is no regular file")
    assert frame(problem) == ""


def test_settings_that_are_a_pipe_are_a_problem(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pegboard.toml")
    _, problems = read_settings(environ={}, config=tmp_path)
    assert [problem.code for problem in problems] == ["PB001"]

"""`platform eval` and `platform route --strategy`, on the application in memory."""

import io
import json
import sys
from pathlib import Path

import pytest

from pegboard.edges.cli.command import run
from tests.edges.twin import TwinBackend

Output = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rows = [
        {"question": "search soup", "site": "kitchen", "expect": "search"},
        {"question": "soup", "site": "kitchen", "expect": "search"},
        {"question": "order one", "site": "shop", "expect": "order"},
        {"question": "谁会赢", "site": "shop", "expect": None},
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


def test_questions_of_a_file_are_counted_by_site_with_what_was_taken_instead(
    backend: TwinBackend, capsys: Output, file: Path
) -> None:
    assert run(["eval", str(file)], backend=backend) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "as declared\tkitchen\t1 of 2\t50.0%\t0.00\t0\t0.0",
        "as declared\tshop\t2 of 2\t100.0%\t0.00\t0\t0.0",
        "as declared\tall\t3 of 4\t75.0%\t0.00\t0\t0.0",
        "",
        "as declared\tkitchen\tsearch\t2\t1\t(none) 1",
        "as declared\tshop\torder\t1\t1\t",
        "as declared\tshop\t(none)\t1\t1\t",
        "",
        "as declared\tkitchen\tsearch\t(none)\tsoup",
    ]
    assert err == "as declared: scored by twin; calls and tokens are means, ms the median\n"


def test_one_document_holds_every_strategy_and_question(backend: TwinBackend, capsys: Output, file: Path) -> None:
    assert run(["eval", str(file), "--strategy", "score", "--strategy", "embedded", "--json"], backend=backend) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["strategy"] for each in told] == ["score", "embedded"]
    assert told[0]["sites"]["kitchen"] == {
        "asked": 2,
        "right": 1,
        "accuracy": 0.5,
        "calls": 0,
        "tokens": 0,
        "milliseconds": 0.0,
    }
    assert told[0]["confusion"]["kitchen"] == {"search": {"search": 1, "(none)": 1}}
    assert [question["right"] for question in told[0]["questions"]] == [True, False, True, True]


def test_fewer_than_the_minimum_end_with_five(backend: TwinBackend, capsys: Output, file: Path) -> None:
    assert run(["eval", str(file), "--min", "0.75"], backend=backend) == 0
    assert run(["eval", str(file), "--min", "0.76"], backend=backend) == 5
    out, err = capsys.readouterr()
    assert out.count("as declared\tall") == 2
    assert err.endswith("platform: Fewer than 76.0% took the right tool: as declared 3 of 4.\n")


def test_without_a_file_the_declared_examples_are_asked(backend: TwinBackend, capsys: Output) -> None:
    assert run(["eval", "--site", "shop", "--sample", "2"], backend=backend) == 0
    assert capsys.readouterr().out.splitlines()[0] == "as declared\tshop\t2 of 2\t100.0%\t0.00\t0\t0.0"


def test_questions_come_from_stdin(backend: TwinBackend, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"query": "search it", "expect": "search"}\n'))
    assert run(["eval", "-"], backend=backend) == 0
    assert "1 of 1" in capsys.readouterr().out


def test_every_bad_line_is_named_and_nothing_is_asked(backend: TwinBackend, capsys: Output, file: Path) -> None:
    file.write_text('{"query": "search it", "expect": "search"}\n{\n{"query": "x", "expect": "serch"}\n')
    assert run(["eval", str(file)], backend=backend) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert lines[0].startswith(f"platform: {file}:2: It is no JSON: ")
    assert lines[1:] == [
        f"platform: {file}:3: Site 'kitchen' has no tool 'serch'. Did you mean 'search'?",
        f"platform: {file}: 2 lines cannot be used; nothing was asked.",
    ]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ["questions.jsonl", "--sample", "2"],
            "platform: --sample is for examples; all questions of a file are asked.\n",
        ),
        (["--site", "shp"], "platform: There is no site 'shp'. Did you mean 'shop'?\n"),
        (
            ["--min", "90"],
            "platform: Invalid value for '--min': Input should be less than or equal to 1. See platform eval --help.\n",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(
    backend: TwinBackend, capsys: Output, arguments: list[str], complaint: str
) -> None:
    assert run(["eval", *arguments], backend=backend) == 2
    assert capsys.readouterr() == ("", complaint)


def test_an_empty_file_and_one_that_is_not_there_are_said(backend: TwinBackend, capsys: Output, file: Path) -> None:
    file.write_text("\n")
    assert run(["eval", str(file)], backend=backend) == 2
    assert run(["eval", str(file) + "x"], backend=backend) == 2
    assert capsys.readouterr().err.splitlines() == [
        "platform: There is nothing to ask. Name a file of questions, or give the tools examples.",
        f"platform: {file}x cannot be read: No such file or directory.",
    ]


def test_one_strategy_is_shown_as_ever(backend: TwinBackend, capsys: Output) -> None:
    assert run(["route", "eggs", "--strategy", "score"], backend=backend) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "search  (early_stop, site kitchen)"
    assert err == "model: scripted, calls: 2, 4.2 ms\n"


def test_strategies_stand_side_by_side(backend: TwinBackend, capsys: Output) -> None:
    arguments = ["route", "eggs", "--strategy", "score", "--strategy", "embedded"]
    assert run(arguments, backend=backend) == 0
    assert capsys.readouterr().out.splitlines() == [
        "search\t93\t93",
        "details\t62\t62",
        "tool\tsearch\tsearch",
        "decided_by\tearly_stop\tearly_stop",
        "model\tscripted\tnone",
        "calls\t2\t0",
        "tokens\t0\t0",
        "ms\t4.2\t4.2",
    ]
    assert run([*arguments, "--json"], backend=backend) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["score", "embedded"]

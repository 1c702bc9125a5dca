"""`platform add`: what is written stays only if it passes the check."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pegboard.config.problems import Problem
from pegboard.config.span import Span
from pegboard.edges.cli.command import run
from pegboard.edges.cli.written import written
from pegboard.errors import InvalidDeclarations, PegboardError
from tests.edges.twin import TwinBackend

Output = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def problem(severity: str, file: str = "tools.d/hours.yaml", line: int = 1) -> Problem:
    assert severity in {"error", "warning"}
    return Problem(
        Span(file, line, 1), "PB306", "error" if severity == "error" else "warning", "no question leads to it"
    )


def test_the_file_is_named_and_notes_go_to_stderr(backend: TwinBackend, capsys: Output, here: Path) -> None:
    assert run(["add", "tool", "hours", "--description", "营业时间"], backend=backend) == 0
    assert (here / "tools.d/hours.yaml").read_text("utf-8") == "营业时间\n"
    assert capsys.readouterr() == ("Written tools.d/hours.yaml\n", "note: it is new\n")


def test_a_site_as_json(backend: TwinBackend, capsys: Output) -> None:
    assert run(["add", "site", "kitchen", "--json"], backend=backend) == 0
    assert json.loads(capsys.readouterr().out) == {
        "written": [{"file": "tools.d/kitchen.yaml", "new": True}],
        "problems": [],
    }


def test_an_error_takes_it_back(backend: TwinBackend, capsys: Output, here: Path) -> None:
    backend.problems = [problem("error")]
    assert run(["add", "tool", "hours"], backend=backend) == 3
    assert list(here.iterdir()) == []
    out, err = capsys.readouterr()
    assert out == ""
    assert "tools.d/hours.yaml:1:1: error PB306" in err
    assert err.endswith("platform: The declaration is not written: it is wrong.\n")


def test_a_warning_is_told_and_the_file_stays(backend: TwinBackend, capsys: Output, here: Path) -> None:
    backend.problems = [problem("warning")]
    assert run(["add", "tool", "hours"], backend=backend) == 0
    assert (here / "tools.d/hours.yaml").exists()
    assert "warning PB306" in capsys.readouterr().err


@pytest.mark.parametrize("other", [problem("error", file="tools.xml"), problem("error", line=2)])
def test_an_error_elsewhere_is_no_reason(backend: TwinBackend, capsys: Output, here: Path, other: Problem) -> None:
    backend.problems = [other]
    assert run(["add", "tool", "hours"], backend=backend) == 0
    assert "note: the configuration has other errors, see platform check\n" in capsys.readouterr().err
    backend.problems = [replace(other, also=(Span("tools.d/other.yaml", 1, 1),))]
    assert run(["add", "tool", "other"], backend=backend) == 3
    assert [path.name for path in (here / "tools.d").iterdir()] == ["hours.yaml"]


def refused(files: dict[Path, str], kept: Path) -> None:
    with written(files):
        assert (kept.read_text(), oct(kept.stat().st_mode)[-3:]) == ("new\n", "640")
        raise InvalidDeclarations("It is wrong.")


def test_files_are_written_together_or_not_at_all(here: Path) -> None:
    kept = here / "kept.yaml"
    kept.write_bytes(b"mine\r\n")
    kept.chmod(0o640)
    with pytest.raises(InvalidDeclarations):
        refused({kept: "new\n", here / "a/b.yaml": "b"}, kept)
    assert (kept.read_bytes(), [path.name for path in here.iterdir()]) == (b"mine\r\n", ["kept.yaml"])
    with pytest.raises(PegboardError, match="cannot be written"), written({kept: "new\n", here / "kept.yaml/b": "b"}):
        pass
    assert kept.read_bytes() == b"mine\r\n"


def test_a_link_is_followed_and_stays_one(here: Path) -> None:
    (here / "real.yaml").write_text("old")
    (here / "link.yaml").symlink_to("real.yaml")
    with written({here / "link.yaml": "new"}):
        pass
    assert (here / "link.yaml").is_symlink()
    assert (here / "real.yaml").read_text() == "new"


@pytest.mark.parametrize("words", [["add", "--help"], ["add", "tool", "--help"], ["add", "site", "-h"]])
def test_each_kind_has_its_own_help(capsys: Output, words: list[str]) -> None:
    assert run(words) == 0
    assert f"Usage: platform {' '.join(words[:-1])} " in capsys.readouterr().out


def platform(*words: str) -> str:
    """Run the installed command in this folder: what it imports there is its own."""
    done = subprocess.run(
        [sys.executable, "-m", "pegboard", *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("syntax", [[], ["--xml"]])
def test_a_new_project_with_a_new_tool_and_a_new_site_has_no_problem(syntax: list[str]) -> None:
    platform("init", *syntax)
    platform("add", "tool", "weather", "--new-handler", "--example", "will it rain?", "--example", "会下雨吗", *syntax)
    platform("add", "tool", "search", "--site", "tea", "--example", "what is new")
    platform("add", "site", "kitchen", "--type", "Recipe", "--domain", "kitchen.example", *syntax)
    assert platform("check") == "No problems in 3 files: 2 sites, 6 tools (0 disabled)\n"
    assert platform("call", "--site", "tea", "weather", "query=today") == "weather: today\n"

"""`platform check`: what it prints in each form, and its exit codes; on real documents."""

import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from pegboard.edges.cli.command import run

Output = pytest.CaptureFixture[str]

ROOT = Path(__file__).parents[2]

FIRST = "tools:\n  - name: search\n    description: Finds 😀 things.\n"
SECOND = "tools:\n  - name: search\n    description: Finds.\n    promt: 寻找\n  - name: compare\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two documents: a duplicate, an unknown key, and a tool that no question finds (a warning)."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.yaml").write_text(FIRST, "utf-8")
    (tmp_path / "tools.d").mkdir()
    (tmp_path / "tools.d/more.yaml").write_text(SECOND, "utf-8")
    return tmp_path


def test_text_shows_every_place_and_counts(folder: Path, capsys: Output) -> None:
    assert run(["check"]) == 3
    assert capsys.readouterr() == (
        "tools.d/more.yaml:2:11: error PB201: tool 'search' of type Item is declared twice\n"
        " 2 │   - name: search\n"
        "   │           ^^^^^^\n"
        "   ┌─ tools.yaml:2:11\n"
        " 2 │   - name: search\n"
        "   │           ------ first declared here\n"
        "   = A tool is declared in one place: put all of it at tools.yaml:2:11, or rename one of the two.\n"
        "\n"
        "tools.d/more.yaml:4:5: error PB101: tools[0] has no key 'promt'\n"
        " 4 │     promt: 寻找\n"
        "   │     ^^^^^\n"
        "   = Did you mean 'prompt'?\n"
        "\n"
        "tools.d/more.yaml:4:12: error PB304: the prompt of tool 'search' does not hold the question\n"
        " 4 │     promt: 寻找\n"
        "   │            ^^^^\n"
        "   = Put {request.query} where it belongs.\n"
        "\n"
        "tools.d/more.yaml:5:11: warning PB306: tool 'compare' has neither description nor examples nor prompt: "
        "no question leads to it\n"
        " 5 │   - name: compare\n"
        "   │           ^^^^^^^\n"
        "   = Give it a description and some examples.\n"
        "\n"
        "3 errors, 1 warning in 2 files: 1 site, 3 tools (0 disabled)\n",
        "",
    )


def test_json_has_the_shape_that_is_documented(folder: Path, capsys: Output) -> None:
    assert run(["check", "--json"]) == 3
    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(json.loads((ROOT / "schemas/check.json").read_text("utf-8"))).validate(printed)
    assert printed["problems"][0] == {
        "file": "tools.d/more.yaml",
        "line": 2,
        "column": 11,
        "end_line": 2,
        "end_column": 17,
        "code": "PB201",
        "severity": "error",
        "message": "tool 'search' of type Item is declared twice",
        "hint": "A tool is declared in one place: put all of it at tools.yaml:2:11, or rename one of the two.",
        "also": [
            {
                "file": "tools.yaml",
                "line": 2,
                "column": 11,
                "end_line": 2,
                "end_column": 17,
                "message": "first declared here",
            }
        ],
        "explanation": "docs/problems.md#pb201",
    }
    assert {key: value for key, value in printed.items() if key != "problems"} == {
        "errors": 3,
        "warnings": 1,
        "files": ["tools.yaml", "tools.d/more.yaml"],
        "tools": 3,
        "disabled": 0,
        "sites": ["default"],
        "health": None,
    }


def test_every_key_that_is_printed_is_in_the_schema(folder: Path, capsys: Output) -> None:
    run(["check", "--json"])
    printed = json.loads(capsys.readouterr().out)
    schema = json.loads((ROOT / "schemas/check.json").read_text("utf-8"))
    assert set(printed) == set(schema["properties"]) == set(schema["required"])
    for shape, values in (("ProblemShape", printed["problems"]), ("OtherPlaceShape", printed["problems"][0]["also"])):
        for value in values:
            assert set(value) == set(schema["$defs"][shape]["properties"]) == set(schema["$defs"][shape]["required"])


def test_json_and_format_json_are_the_same(folder: Path, capsys: Output) -> None:
    run(["check", "--json"])
    one = capsys.readouterr().out
    run(["check", "--format", "json"])
    assert capsys.readouterr().out == one
    assert run(["check", "--json", "--format", "sarif"]) == 2
    assert capsys.readouterr().err == "platform: --json and --format sarif exclude each other. Give one of them.\n"


@pytest.mark.parametrize(
    ("arguments", "code", "summary"),
    [
        ([], 0, "0 errors, 1 warning in 1 file: 1 site, 1 tool (0 disabled)\n"),
        (
            ["--strict"],
            3,
            "0 errors, 1 warning in 1 file: 1 site, 1 tool (0 disabled) (--strict: warnings count as errors)\n",
        ),
    ],
)
def test_strict_counts_warnings_as_errors(
    tmp_path: Path, capsys: Output, arguments: list[str], code: int, summary: str
) -> None:
    (tmp_path / "tools.yaml").write_text("tools: [{name: compare}]")
    assert run(["check", str(tmp_path), *arguments]) == code
    assert capsys.readouterr().out.endswith(summary)


def test_strict_takes_what_is_free_of_problems(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "tools.yaml").write_text("tools: [{name: compare, description: Compares.}]")
    assert run(["check", str(tmp_path), "--strict"]) == 0
    assert capsys.readouterr().out == "No problems in 1 file: 1 site, 1 tool (0 disabled)\n"


def test_workflow_commands_annotate_the_lines_of_a_repository(
    folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".git").mkdir()
    (folder / "tools.d/a,b:c.yaml").write_text("tools:\n  - examples:\n      - 100%\n")
    monkeypatch.chdir(folder / "tools.d")
    assert run(["check", "-c", str(folder), "--format", "github"]) == 3
    out = capsys.readouterr().out.splitlines()
    assert out[0] == (
        "::error file=tools.d/a%2Cb%3Ac.yaml,line=2,endLine=3,title=PB102 missing key::tools[0] has no 'name'%0AAdd it."
    )
    assert out[1].startswith("::error file=tools.d/more.yaml,line=2,col=11,endColumn=17,title=PB201 duplicate name::")
    assert out[1].endswith("tools.yaml:2:11: first declared here")
    assert len(out) == 5


def test_a_setting_of_the_environment_is_in_no_file(
    folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PEGBOARD_PORT", "many")
    run(["check", "--format", "github"])
    assert capsys.readouterr().out.splitlines()[0] == (
        "::error title=PB104 value that is not allowed::$PEGBOARD_PORT%0A"
        "port cannot be 'many': wanted is a whole number from 0 to 65535"
    )


def test_a_code_is_explained_in_either_case(capsys: Output) -> None:
    assert run(["check", "--explain", "pb106"]) == 0
    lower = capsys.readouterr().out
    assert run(["check", "--explain", "PB106"]) == 0
    assert capsys.readouterr().out == lower
    assert lower == (
        "PB106: ignored element or attribute\n"
        "warning\n"
        "\n"
        "Something stands in the document and changes nothing. NLWeb ignores it as well; here it is said, so that "
        "nobody waits for its effect. A variable of the environment that begins with `PEGBOARD_` and is no setting is "
        "reported in the same way.\n"
        "\n"
        "Wrong (tools.xml):\n"
        "\n"
        "    <Tools>\n"
        "      <Item>\n"
        '        <Tool name="search">\n'
        "          <description>Finds things by what they are.</description>\n"
        "          <path>/search</path>\n"
        "        </Tool>\n"
        "      </Item>\n"
        "    </Tools>\n"
        "\n"
        "Right (tools.xml):\n"
        "\n"
        "    <Tools>\n"
        "      <Item>\n"
        '        <Tool name="search">\n'
        "          <description>Finds things by what they are.</description>\n"
        "        </Tool>\n"
        "      </Item>\n"
        "    </Tools>\n"
        "\n"
        "What to do: Remove it, or write what was meant in the way that the hint names.\n"
    )


def test_both_severities_are_told(capsys: Output) -> None:
    run(["check", "--explain", "PB302", "PB101"])
    out = capsys.readouterr().out
    assert "PB302: no score in returns\nerror; warning in NLWeb's XML\n" in out
    assert "PB101: unknown key\nerror\n" in out


def test_without_a_code_all_are_listed(capsys: Output) -> None:
    assert run(["check", "--explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "PB001\terror\tfile is missing or cannot be read"
    run(["check", "--explain", "--json"])
    assert [each["code"] for each in json.loads(capsys.readouterr().out)] == [line.partition("\t")[0] for line in lines]


def test_an_unknown_code_gets_the_near_one(capsys: Output) -> None:
    assert run(["check", "--explain", "PB1011"]) == 2
    assert capsys.readouterr() == (
        "",
        "platform: There is no problem code 'PB1011'. Did you mean 'PB101'? platform check --explain lists all.\n",
    )


def on_a_terminal(folder: Path, *arguments: str, **environ: str) -> str:
    """Return what the command writes to a terminal."""
    ours, theirs = pty.openpty()
    inherited = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR"}}
    process = subprocess.Popen(
        [sys.executable, "-m", "pegboard", "check", *arguments],
        cwd=folder,
        env={**inherited, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm", **environ},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    written = b""
    with process:
        while select.select([ours], [], [], 60)[0]:
            try:
                written += os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


def test_a_terminal_gets_colour_and_the_way_to_an_explanation(folder: Path) -> None:
    shown = on_a_terminal(folder)
    assert shown.startswith(
        "\x1b[1mtools.d/more.yaml:2:11\x1b[0m: \x1b[31;1merror PB201\x1b[0m: tool 'search' of type Item is declared twice\n"
        " \x1b[36m2 │\x1b[0m   - name: search\n"
        " \x1b[36m  │\x1b[0m           \x1b[31;1m^^^^^^\x1b[0m\n"
        "   \x1b[36m┌─\x1b[0m tools.yaml:2:11\n"
        " \x1b[36m2 │\x1b[0m   - name: search\n"
        " \x1b[36m  │\x1b[0m           \x1b[36;1m------ first declared here\x1b[0m\n"
    )
    assert "\x1b[33;1mwarning PB306\x1b[0m" in shown
    assert "\x1b[31m3 errors, 1 warning\x1b[0m in 2 files" in shown
    assert shown.endswith("What a code means: platform check --explain PB201\n")


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_wants_no_colour_gets_none(folder: Path, environ: dict[str, str]) -> None:
    assert "\x1b" not in on_a_terminal(folder, **environ)


def test_colour_can_be_forced_into_a_pipe(folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    run(["check"])
    plain = capsys.readouterr().out
    assert "\x1b" not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    run(["check"])
    coloured = capsys.readouterr().out
    assert "\x1b[31;1merror PB201\x1b[0m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain


HEALTHY = """\
tools:
  - name: search
    description: Finds dishes.
    examples: [soups for a cold day, dinner with chicken, soup with chicken, quick dinners, hot soups for dinner]
    handler: pegboard.handlers.search:search
  - name: clock
    description: Tells the time.
    examples: [what time is it, what day is it, which weekday is it, hot chicken dinners]
    handler: pegboard.handlers.clock:clock
"""


def test_health_says_which_tools_overlap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.yaml").write_text(HEALTHY, "utf-8")
    assert run(["check", "--health"]) == 0
    lines = capsys.readouterr().out.splitlines()
    site = lines[1].split("\t")[0]
    assert lines[1:] == [
        f"{site}\tsearch\t5\t80 %\tclock",
        f"{site}\tclock\t4\t75 %\tsearch",
        f"{site}: clock and search overlap: 'hot chicken dinners'",
        f"{site}: search and clock overlap: 'quick dinners'",
    ]


def test_health_in_json_has_the_shape_that_is_documented(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.yaml").write_text(HEALTHY, "utf-8")
    assert run(["check", "--health", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(json.loads((ROOT / "schemas/check.json").read_text("utf-8"))).validate(printed)
    assert printed["health"][0]["tools"][1] == {
        "tool": "clock",
        "examples": 4,
        "right": 3,
        "accuracy": 0.75,
        "confused_with": "search",
        "overlap": "hot chicken dinners",
    }


def test_health_goes_into_no_other_format(folder: Path, capsys: Output) -> None:
    assert run(["check", "--health", "--format", "sarif"]) == 2
    assert "--health and --format sarif exclude each other" in capsys.readouterr().err

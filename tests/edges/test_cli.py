"""The command, in this process, on the application in memory."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pegboard.config.problems import Problem
from pegboard.config.span import Span
from pegboard.edges.cli.command import run
from pegboard.edges.cli.output import print_table, width
from pegboard.edges.cli.progress import Progress
from pegboard.errors import InvalidDeclarations
from pegboard.text import Json
from tests.edges.twin import TwinBackend

Output = pytest.CaptureFixture[str]


def test_ask_writes_the_answer_to_stdout_and_the_rest_to_stderr(backend: TwinBackend, capsys: Output) -> None:
    assert run(["ask", "用什么代替鸡蛋"], backend=backend) == 0
    assert capsys.readouterr() == (
        "关于“用什么代替鸡蛋”：请看第一条 [1]。\n\n[1] Thing 1 事  https://kitchen.example/1\n",
        "tool: search (93), model: none\n",
    )


@pytest.mark.parametrize(
    ("usage", "told"),
    [
        ({"model_calls": 4, "tokens_in": 1820, "tokens_out": 96, "cached": 0}, ", model calls: 4, tokens: 1916"),
        ({"model_calls": 1, "tokens_in": 10, "tokens_out": 2, "cached": 3}, ", model calls: 1 (3 cached), tokens: 12"),
        ({"model_calls": 0, "tokens_in": 0, "tokens_out": 0, "cached": 0}, ""),
    ],
)
def test_ask_says_what_the_answer_used(backend: TwinBackend, capsys: Output, usage: dict[str, Json], told: str) -> None:
    backend.app.usage = usage
    assert run(["ask", "eggs"], backend=backend) == 0
    assert capsys.readouterr().err == f"tool: search (93), model: none{told}\n"


def test_ask_as_json_prints_one_document(backend: TwinBackend, capsys: Output) -> None:
    assert run(["ask", "eggs", "--json", "--prev", "before"], backend=backend) == 0
    out, err = capsys.readouterr()
    assert set(json.loads(out)) == {"answer", "tool", "score", "arguments", "results", "citations", "model"}
    assert err == "note: prev is ignored without a model\n"


@pytest.mark.parametrize("command", ["ask", "route"])
def test_a_question_says_how_it_is_answered_and_chosen(backend: TwinBackend, command: str) -> None:
    assert run([command, "eggs", "--mode", "knowledge", "--strategy", "batch", "--json"], backend=backend) == 0
    (question,) = backend.app.asked
    assert (question.mode, question.strategy) == ("knowledge", "batch")
    assert run([command, "eggs", "--mode", "dance"], backend=backend) == 2


def test_a_question_comes_from_stdin(backend: TwinBackend, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("eggs\n"))
    assert run(["route", "-", "--json"], backend=backend) == 0
    assert json.loads(capsys.readouterr().out)["query"] == "eggs"


def test_what_is_no_text_is_refused(backend: TwinBackend, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff"), encoding="utf-8"))
    assert run(["ask", "-"], backend=backend) == 2
    assert run(["ask", b"caf\xe9".decode("utf-8", "surrogateescape")], backend=backend) == 2
    assert capsys.readouterr().err == ("platform: stdin is not UTF-8 (byte 0).\nplatform: Argument 2 is not UTF-8.\n")


def test_route_shows_every_candidate(backend: TwinBackend, capsys: Output) -> None:
    assert run(["route", "eggs"], backend=backend) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "search  (early_stop, site kitchen)",
        "  search    93 ███████████████████·  close to an example",
        "  details   62 ████████████········  close to an example",
    ]
    assert err == "model: none, calls: 0, 4.2 ms\n"


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (
            ["ask", "  "],
            2,
            'platform: The question is empty. Write it in quotes: platform ask "a quick dinner".\n',
        ),
        (
            ["ask", "a", "--site", "kitchn"],
            2,
            "platform: There is no site 'kitchn'. Did you mean 'kitchen'?\n",
        ),
        (
            ["ask", "a", "--tool", "serch"],
            2,
            "platform: Site 'kitchen' has no tool 'serch'. Did you mean 'search'?\n",
        ),
        (["ask", "fail now"], 1, "platform: Tool 'search' failed. Try again.\n"),
        (["call", "search", "query=fail"], 1, "platform: Tool 'search' failed.\n"),
        (["call", "search"], 2, "platform: Argument 'query' is missing.\n"),
        (["call", "serch"], 2, "platform: Site 'kitchen' has no tool 'serch'. Did you mean 'search'?\n"),
        (["list", "--site", "shp"], 2, "platform: There is no site 'shp'. Did you mean 'shop'?\n"),
        (["show", "serch"], 2, "platform: There is no site and no tool 'serch'. Did you mean 'search'?\n"),
        (["ask"], 2, "platform: Missing argument 'QUESTION'. See platform ask --help.\n"),
        (["serv"], 2, "platform: No such command 'serv'. Did you mean 'serve'? See platform --help.\n"),
        (["serve", "--host", "0.0.0.0"], 2, None),
    ],
)
def test_a_known_error_is_one_line_and_an_exit_code(
    backend: TwinBackend, capsys: Output, arguments: list[str], code: int, complaint: str | None
) -> None:
    assert run(arguments, backend=backend) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint is None or err == complaint
    assert err.count("\n") == 1


def test_call_reads_arguments_by_the_schema(backend: TwinBackend, capsys: Output) -> None:
    assert run(["call", "search", "query=lentil soup"], backend=backend) == 0
    assert run(["call", "search", '{"query": "汤"}', "--json"], backend=backend) == 0
    out = capsys.readouterr().out
    assert out.startswith("search did lentil soup\n")
    assert '"query": "汤"' in out


def test_list_is_tabbed_when_nobody_watches(backend: TwinBackend, capsys: Output) -> None:
    run(["list"], backend=backend)
    run(["list", "--site", "shop"], backend=backend)
    assert capsys.readouterr().out.splitlines() == [
        "kitchen\t2\tItem\tAll about kitchen.",
        "shop\t2\tItem\tAll about shop.",
        "search\tItem\tThe search of things.",
        "order\tItem\tThe order of things.",
    ]


def test_show_names_the_place_of_each_field(backend: TwinBackend, capsys: Output) -> None:
    assert run(["show", "kitchen", "details"], backend=backend) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "details of type Recipe, in site kitchen"
    assert lines[1].split() == ["description", "The", "details", "of", "things.", "tools.xml:4:18"]
    assert run(["show", "kitchen", "--json"], backend=backend) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["fields"]["description"] == {
        "value": "All about kitchen.",
        "origin": "tools.d/sites.yaml:4:5",
    }
    assert shown["tools"][1] == {"name": "details", "type": "Recipe", "origin": "tools.xml:3:11"}


LAYERS = """
tools:
  - name: search
    description: Finds things.
    tags: [content]
    examples: {en: [find it], zh: [找一找]}
    call: {timeout: 5s}
  - {name: search, type: Recipe, description: Finds dishes., call: {timeout: 7s}}
  - {name: clock, description: Time., tags: [时间]}
sites:
  - name: kitchen
    types: [Recipe]
    route: {cutoff: 60}
    tools:
      - {name: search, description: Finds ours., examples: {en: [seek]}}
  - {name: other}
"""


@pytest.fixture
def layered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tools.yaml").write_text(LAYERS, "utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("layered")
def test_show_tells_what_each_field_overrides(capsys: Output) -> None:
    assert run(["show", "kitchen", "search"]) == 0
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in capsys.readouterr().out.splitlines()[1:]}
    assert rows["description"] == "Finds ours. tools.yaml:15:37 (overrides tools.yaml:8:47 and 1 more)"
    assert rows["tags"] == '["content"] tools.yaml:5:11'
    assert rows["examples.en"] == '["seek"] tools.yaml:15:65 (overrides tools.yaml:6:20)'
    assert rows["call.timeout"] == "7s tools.yaml:8:78 (overrides tools.yaml:7:21)"
    assert rows["read_only"] == "false default"
    assert "examples.zh" not in rows


@pytest.mark.usefixtures("layered")
def test_show_all_tells_every_layer(capsys: Output) -> None:
    assert run(["show", "kitchen", "search", "--all"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[1:4] == [
        "description Finds ours. tools.yaml:15:37",
        "Finds dishes. overridden, tools.yaml:8:47",
        "Finds things. overridden, tools.yaml:4:18",
    ]
    assert lines[-2:] == ["examples.zh", '["找一找"] overridden, tools.yaml:6:35']
    assert run(["show", "kitchen", "search", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["exported"] == "kitchen__search"
    assert shown["fields"]["call.timeout"] == {
        "value": "7s",
        "origin": "tools.yaml:8:78",
        "overrides": [{"value": "5s", "origin": "tools.yaml:7:21"}],
    }


@pytest.mark.usefixtures("layered")
def test_show_tells_the_place_of_each_setting_of_a_site(capsys: Output) -> None:
    assert run(["show", "kitchen"]) == 0
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in capsys.readouterr().out.splitlines()}
    assert (rows["route.cutoff"], rows["route.early_stop"]) == ("60 tools.yaml:13:21", "90 default")


@pytest.mark.usefixtures("layered")
def test_list_shows_the_tools_of_a_tag(capsys: Output) -> None:
    assert run(["list", "--tag", "content"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "kitchen\tsearch\tRecipe\tFinds ours.",
        "other\tsearch\tItem\tFinds things.",
    ]
    assert run(["list", "--tag", "时间", "--site", "other", "--json"]) == 0
    assert [tool["tags"] for tool in json.loads(capsys.readouterr().out)] == [["时间"]]
    assert run(["list", "--tag", "contnt"]) == 2
    assert "No tool has the tag 'contnt'. Did you mean 'content'?" in capsys.readouterr().err


@pytest.fixture
def problems(backend: TwinBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Problem]:
    monkeypatch.chdir(tmp_path)
    found = [
        Problem(
            Span("site.yaml", 2, 11, 2, 13), "PB104", "error", "Name '天气' is not allowed.",
            quotes=(((2, "  - name: 天气"),),),
        ),
        Problem(
            Span("site.yaml", 3, 5), "PB101", "warning", "Unknown key 'handlr'.", "Did you mean 'handler'?",
            also=(Span("tools.xml", 1, 2),), quotes=(((3, "    handlr: x"),), ((1, "<Tools/>"),)),
        ),
        Problem(Span("gone.yaml", 1, 1), "PB001", "error", "There is no file."),
    ]  # fmt: skip
    backend.problems = found
    return found


def test_check_shows_the_line_of_every_problem(backend: TwinBackend, problems: list[Problem], capsys: Output) -> None:
    assert run(["check"], backend=backend) == 3
    assert capsys.readouterr() == (
        "site.yaml:2:11: error PB104: Name '天气' is not allowed.\n"
        " 2 │   - name: 天气\n"
        "   │           ^^^^\n"
        "\n"
        "site.yaml:3:5: warning PB101: Unknown key 'handlr'.\n"
        " 3 │     handlr: x\n"
        "   │     ^\n"
        "   ┌─ tools.xml:1:2\n"
        " 1 │ <Tools/>\n"
        "   │  - see here too\n"
        "   = Did you mean 'handler'?\n"
        "\n"
        "gone.yaml:1:1: error PB001: There is no file.\n"
        "\n"
        "2 errors, 1 warning in 1 file: 2 sites, 4 tools (0 disabled)\n",
        "",
    )


def test_check_adds_up_configurations(backend: TwinBackend, problems: list[Problem], capsys: Output) -> None:
    backend.problems = problems[1:2]
    assert run(["check", "a", "b", "--json"], backend=backend) == 0
    assert json.loads(capsys.readouterr().out) == {
        "problems": [problems[1].to_json()] * 2,
        "files": ["a.yaml"] * 2,
        "tools": 8,
        "disabled": 0,
        "sites": ["kitchen", "shop"] * 2,
        "health": None,
    }


def test_check_shows_the_health_of_each_tool(backend: TwinBackend, capsys: Output) -> None:
    assert run(["check", "--health"], backend=backend) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "kitchen\tsearch\t8\t75 %\tdetails",
        "kitchen\tdetails\t0\t-\t-",
        "kitchen: search and details overlap: 'show me the 千层面'",
    ]


def test_check_of_sound_declarations_says_so(backend: TwinBackend, capsys: Output) -> None:
    assert run(["check"], backend=backend) == 0
    assert capsys.readouterr().out == "No problems in 1 file: 2 sites, 4 tools (0 disabled)\n"


@pytest.mark.parametrize("arguments", [["ask", "a"], ["list"], ["serve", "--port", "0"]])
def test_nothing_is_done_with_invalid_declarations(
    backend: TwinBackend, problems: list[Problem], capsys: Output, arguments: list[str]
) -> None:
    backend.raises = InvalidDeclarations("3 problems were found.", hint="Nothing is served.", problems=problems)
    assert run(arguments, backend=backend) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("site.yaml:2:11: error PB104")
    assert err.endswith("platform: 3 problems were found. Nothing is served.\n")


def test_schema_prints_one_and_writes_all(backend: TwinBackend, capsys: Output, tmp_path: Path) -> None:
    assert run(["schema"], backend=backend) == 0
    assert capsys.readouterr().out == '{"title": "Document 文"}\n'
    assert run(["schema", "--output", str(tmp_path / "schemas")], backend=backend) == 0
    assert sorted(path.name for path in (tmp_path / "schemas").iterdir()) == ["document.json", "reply.json"]
    assert run(["schema", "reply.json", "--output", str(tmp_path / "one")], backend=backend) == 0
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["reply.json"]
    capsys.readouterr()
    assert run(["schema", "reply.json"], backend=backend) == 0
    assert capsys.readouterr().out == "{}\n"
    assert run(["schema", "replay.json"], backend=backend) == 2
    assert capsys.readouterr().err == "platform: There is no schema 'replay.json'. Did you mean 'reply.json'?\n"


def test_indexing_is_told_once_when_nobody_watches(backend: TwinBackend, capsys: Output) -> None:
    backend.indexed = 3
    run(["ask", "eggs", "--json"], backend=backend)
    assert capsys.readouterr().err == "pegboard: indexing 3 items\n"


class Terminal(io.StringIO):
    """A stream that a person watches."""

    def isatty(self) -> bool:
        return True


def test_indexing_has_a_bar_that_is_wiped_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    with Progress(terminal) as progress:
        progress.at(1, 2)
        progress.at(2, 2)
    assert terminal.getvalue() == (
        f"\r\x1b[K  indexing {'━' * 16}{'╌' * 16} 1 of 2\r\x1b[K  indexing {'━' * 32} 2 of 2\r\x1b[K"
    )


def test_tables_have_columns_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", Terminal())
    print_table(["A", "B"], [["厨房", "x"], ["shop\x1b[31m", "y"]])
    assert isinstance(sys.stdout, Terminal)
    assert sys.stdout.getvalue() == "A          B\n厨房       x\nshop�[31m  y\n"


@pytest.mark.parametrize("said", ["one two three four five", "一二三四五六七八九十"])
def test_the_last_column_is_cut_to_the_terminal(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    for name, value in (("TERM", "xterm"), ("NO_COLOR", "1"), ("COLUMNS", "20")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Terminal())
    print_table(["TOOL", "DOES"], [["search", said]])
    assert isinstance(sys.stdout, Terminal)
    header, row = (line.rstrip() for line in sys.stdout.getvalue().splitlines())
    assert header == "TOOL    DOES"
    assert row.startswith(f"search  {said[:5]}")
    assert row.endswith("…")
    assert 16 <= width(row) <= 20


def test_colour_is_for_those_who_want_it(backend: TwinBackend, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    run(["check"], backend=backend)
    monkeypatch.setenv("NO_COLOR", "1")
    run(["check"], backend=backend)
    coloured, plain = capsys.readouterr().out.splitlines()
    assert coloured.startswith("\x1b[32mNo problems\x1b[0m")
    assert plain.startswith("No problems")


@pytest.mark.parametrize(
    "command",
    ["", "serve", "mcp", "ask", "route", "call", "list", "show", "check", "config", "diff", "schema", "init", "add"],
)
def test_help_loads_nothing_heavy(command: str) -> None:
    code = (
        "import sys; from pegboard.edges.cli.command import run; code = run(sys.argv[1:]); "
        "heavy = {'anyio', 'fastapi', 'numpy', 'openai', 'pydantic', 'lxml', 'yaml', 'httpx2', 'rich', "
        "'jsonschema', 'pegboard.app', 'uvicorn'} & set(sys.modules); sys.exit(f'{heavy}' if heavy else code)"
    )
    arguments = [*filter(None, [command]), "--help"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: platform" in done.stdout


def test_a_reader_that_leaves_is_no_error() -> None:
    code = "import sys; from pegboard.edges.cli.command import run; sys.stdin.readline(); sys.exit(run(['version']))"
    reader, writer = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.PIPE
    ) as process:
        os.close(writer)
        os.close(reader)
        _, err = process.communicate(b"\n", timeout=60)
    assert (process.returncode, err) == (141, b"")

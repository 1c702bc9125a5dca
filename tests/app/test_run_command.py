"""`platform plan` and `platform run`: what is drawn, what is written where, and who ends what."""

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from pegboard.app import open_serving, settings_from
from pegboard.edges.cli.command import run as run_command
from pegboard.edges.cli.driving import Order
from pegboard.edges.cli.remote_runs import There
from pegboard.edges.web.application import web_app
from pegboard.errors import CallFailed, UsageError
from pegboard.llm.hashed import HashedEmbedder

Output = pytest.CaptureFixture[str]

DOCUMENT = """
tools:
  - {name: calculator, examples: [what is 2 + 2], read_only: true}
  - {name: gate, examples: [wait for it], handler: "gates:gate"}
  - {name: careful, examples: [take care], handler: "gates:careful", call: {approval: always}}
  - {name: fails, examples: [break it], handler: "gates:fails"}
sites:
  - {name: sums}
"""
GATES = """
import os
from pegboard.catalog.contract import Context, Result, tool
from pegboard.errors import CallFailed


@tool
def gate(context: Context) -> Result:
    with open(os.environ["GATE"]) as held:
        return Result(held.read())


@tool
async def careful(context: Context) -> Result:
    return Result("done with care")


@tool
async def fails(context: Context) -> Result:
    raise CallFailed("it is broken")
"""
LISTENING = """
import signal
from pegboard.edges.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what it starts in the background ignore it
main()
"""
LIMIT_SECONDS = 60
SUM: dict[str, Any] = {"id": "a", "tool": "calculator", "arguments": {"expression": "2 + 3"}}
TIMES: dict[str, Any] = {"id": "b", "tool": "calculator", "arguments": {"expression": "${a.value} * ${inputs.by}"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.yaml").write_text(DOCUMENT)
    (tmp_path / "gates.py").write_text(GATES)
    (tmp_path / "pegboard.toml").write_text('handler_prefixes = ["gates"]\n')
    os.mkfifo(tmp_path / "gate")
    return tmp_path


def plan_file(folder: Path, *nodes: dict[str, Any]) -> str:
    (folder / "plan.json").write_text(json.dumps({"plan": [*nodes], "by": "hand"}))
    return str(folder / "plan.json")


def command(folder: Path, *words: str) -> list[str]:
    return [*words, "-c", str(folder), *(["--no-server"] if words[0] in ("plan", "run") else [])]


# Plans


def test_a_question_is_planned_and_drawn(folder: Path, capsys: Output) -> None:
    assert run_command(command(folder, "plan", "what is 2 + 2", "--tool", "calculator", "--explain")) == 0
    out, err = capsys.readouterr()
    assert out == (
        "┌─────────────────────────────┐\n"
        "│ n1  calculator              │\n"
        "│   expression: what is 2 + 2 │\n"
        "└─────────────────────────────┘\n"
        "\n"
        "n1  calculator\n"
        '  arguments: {"expression":"what is 2 + 2"}\n'
    )
    assert "planned as a single step\n" in err


@pytest.mark.parametrize(
    ("options", "begins"),
    [
        (["--format", "mermaid"], "flowchart TD\n"),
        (["--format", "dot"], "digraph plan {\n"),
        (["--json"], '{\n  "plan": '),
        (["--format", "json"], '{\n  "plan": '),
        (["--ascii"], "+----"),
    ],
)
def test_a_plan_by_hand_is_checked_and_shown_in_each_form(
    folder: Path, capsys: Output, options: list[str], begins: str
) -> None:
    assert run_command(command(folder, "plan", "--plan", plan_file(folder, SUM, TIMES), *options)) == 0
    assert capsys.readouterr().out.lstrip().startswith(begins)


def test_all_that_is_wrong_with_a_plan_is_said(folder: Path, capsys: Output) -> None:
    wrong = [{"id": "a", "tool": "calculater"}, {**TIMES, "depends_on": ["x"]}]
    file = plan_file(folder, *wrong)
    assert run_command(command(folder, "plan", "--plan", file, "-i", "to=3")) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 3)
    assert all(words in err for words in ("'calculator'?", "'x', which is no step", "inputs.by"))
    assert run_command(command(folder, "plan", "--plan", file, "--json")) == 2
    assert [fault["code"] for fault in json.loads(capsys.readouterr().out)["faults"]] == ["unknown_tool", "dangling"]
    assert run_command(command(folder, "run", "--plan", file)) == 2
    assert "inputs.by" in capsys.readouterr().err
    assert run_command(command(folder, "runs", "list")) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["plan"], "nothing to do"),
        (["run", " "], "empty"),
        (["plan", "plan.json"], "Say --plan plan.json"),
        (["plan", "--plan", "none.json"], "none.json cannot be read"),
        (["plan", "--plan", "tools.yaml"], "holds no JSON"),
        (["plan", "--plan", "deep.json"], "deep.json holds no JSON that can be read: it is nested more than 100"),
        (["run", "--plan", "plan.json", "-i", "by=[1e999]"], "--input by cannot be read as JSON: a number in it"),
        (["run", "--plan", "plan.json", "--tool", "calculator"], "a plan names its tools"),
        (["run", "--plan", "plan.json", "-i", "by"], "K=V"),
        (["run", "--plan", "plan.json", "-i", "by=1", "-i", "by=2"], "given twice"),
        (["run", "--plan", "plan.json", "--detach"], "No server"),
        (["run", "--plan", "plan.json", "--max-parallel", "0"], "max-parallel"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch, words: list[str], wanted: str
) -> None:
    monkeypatch.chdir(folder)
    plan_file(folder, SUM)
    (folder / "deep.json").write_text("[" * 940 + "]" * 940)
    assert run_command(command(folder, *words)) == 2
    assert wanted in capsys.readouterr().err


def test_a_plan_comes_from_stdin(folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps([SUM])))
    assert run_command(command(folder, "plan", "--plan", "-")) == 0
    assert "a  calculator" in capsys.readouterr().out


# Runs


def test_a_run_says_on_stderr_what_happens_and_its_answer_on_stdout(folder: Path, capsys: Output) -> None:
    assert run_command(command(folder, "run", "--plan", plan_file(folder, SUM, TIMES), "-i", "by=4")) == 0
    out, err = capsys.readouterr()
    assert out == "2 + 3 = 5\n\n5 × 4 = 20\n"
    told = [re.sub(r"\d+\.\d", "0.0", line) for line in err.splitlines()]
    assert told[:-1] == [
        "begun",
        "a calculator: started",
        "a calculator: succeeded (0.0 s)",
        "b calculator: started",
        "b calculator: succeeded (0.0 s)",
        "succeeded (0.0 s)",
    ]
    run = told[-1].split()[1].rstrip(":")
    assert run_command(command(folder, "runs", "show", run)) == 0
    shown = capsys.readouterr().out
    assert "│ ✓ a  calculator" in shown
    assert shown.endswith("b\tcalculator\tsucceeded\ta\t\n\n2 + 3 = 5\n\n5 × 4 = 20\n")
    assert run_command(command(folder, "runs", "resume", run)) == 0
    again, said = capsys.readouterr()
    assert ("5 × 4 = 20" in again, said) == (True, f"Run {run} has ended: there is nothing to resume.\n")


def test_a_question_is_planned_and_run_as_json(folder: Path, capsys: Output) -> None:
    assert run_command(command(folder, "run", "what is 2 + 2", "--tool", "calculator", "--json")) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["question"], told["answer"]["text"]) == ("succeeded", "what is 2 + 2", "2 + 2 = 4")


def test_a_run_that_does_not_succeed_ends_with_one(folder: Path, capsys: Output) -> None:
    assert run_command(command(folder, "run", "--plan", plan_file(folder, SUM, {"id": "f", "tool": "fails"}))) == 1
    out, err = capsys.readouterr()
    assert "2 + 3 = 5" in out
    assert "it is broken" in out
    assert "f fails: failed (" in err
    assert run_command(command(folder, "run", "--plan", plan_file(folder, {"id": "f", "tool": "fails"}))) == 1
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[-1].startswith("platform: No step of the plan gave anything: fails")) == ("", True)
    assert run_command(command(folder, "run", "--json", "--plan", plan_file(folder, {"id": "f", "tool": "fails"}))) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], [each["node"] for each in told["answer"]["failed"]]) == ("failed", ["f"])


def test_a_run_that_succeeds_although_a_step_failed_says_so(folder: Path, capsys: Output) -> None:
    file = plan_file(folder, SUM, {"id": "f", "tool": "fails", "on_failure": "continue"})
    assert run_command(command(folder, "run", "--plan", file)) == 0
    last = capsys.readouterr().err.splitlines()[-1]
    said, run = "succeeded, 1 of 2 steps failed", last.split()[1].rstrip(":")
    assert last == f"run {run}: {said}, model: none"
    assert run_command(command(folder, "runs", "list")) == 0
    assert capsys.readouterr().out.startswith(f"{run}\t{said}\t")
    assert run_command(command(folder, "runs", "show", run)) == 0
    assert capsys.readouterr().out.startswith(f"{run}: {said} (site ")
    assert run_command(command(folder, "runs", "list", "--json")) == 0
    assert json.loads(capsys.readouterr().out)[0]["steps"] == {"failed": 1, "succeeded": 1}


def test_whatever_waits_is_approved_where_the_command_says_so(folder: Path, capsys: Output) -> None:
    file = plan_file(folder, {"id": "c", "tool": "careful"})
    assert run_command(command(folder, "run", "--plan", file, "--yes")) == 0
    out, err = capsys.readouterr()
    assert out == "done with care\n"
    assert re.search(rf"c careful: held.*\nTo approve it: platform runs approve \w+ c -c {folder}\n", err)
    assert "c careful: approved\n" in err


# In a process of its own


@contextmanager
def started(folder: Path, *words: str, **streams: Any) -> Iterator[subprocess.Popen[str]]:
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "GATE": str(folder / "gate"), "TERM": "xterm"}
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **streams}
    shell = [sys.executable, "-c", LISTENING, *words]
    with subprocess.Popen(shell, cwd=folder, env=environ, **given) as process:
        try:
            yield process
        finally:
            process.kill()


def read_until(process: subprocess.Popen[str], words: str) -> str:
    assert process.stderr is not None
    said = ""
    while words not in said:
        line = process.stderr.readline()
        assert line, said
        said += line
    return said


def test_an_interrupt_cancels_the_run_and_says_so(folder: Path, capsys: Output) -> None:
    with started(folder, "run", "--no-server", "--plan", plan_file(folder, {"id": "g", "tool": "gate"})) as process:
        read_until(process, "g gate: started")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT_SECONDS)
    assert process.returncode == 130
    assert "it ends: it was cancelled from the command line\ng gate: cancelled" in err
    (run,) = re.findall(r"^Run (\w+) is cancelled; nothing more of it starts\.$", err, re.MULTILINE)
    assert run_command(command(folder, "runs", "show", run, "--json")) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "cancelled"


def test_a_node_that_waits_goes_on_when_it_is_approved_by_the_command_that_was_said(folder: Path) -> None:
    file = plan_file(folder, {"id": "c", "tool": "careful"})
    with started(folder, "run", "--no-server", "--plan", file) as process:
        said = read_until(process, "To approve it: platform ")
        assert run_command([*said.split("To approve it: platform ")[1].split(), "-c", str(folder)]) == 0
        out, _ = process.communicate(timeout=LIMIT_SECONDS)
    assert (process.returncode, out) == (0, "done with care\n")


def on_screen(text: str) -> list[str]:
    """Return what a terminal shows in the end, that knows as much as the picture needs."""
    rows, row = [""], 0
    for part in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|\n|\r|[^\x1b\r\n]+", text):
        if up := re.fullmatch(r"\x1b\[(\d+)A", part):
            row -= int(up[1])
            assert row >= 0
        elif part == "\r":
            rows[row] += "\r"
        elif part == "\n":
            row += 1
            rows += [""] * (row + 1 - len(rows))
        elif part == "\x1b[J":
            rows = [*rows[:row], ""]
        elif not part.startswith("\x1b"):
            rows[row] = part if rows[row].endswith("\r") else rows[row] + part
    return [line.rstrip("\r") for line in rows]


def test_the_picture_is_drawn_again_in_its_place(folder: Path) -> None:
    after = {"id": "b", "tool": "calculator", "arguments": {"expression": "6 * 7"}, "depends_on": ["g"]}
    file = plan_file(folder, {"id": "g", "tool": "gate"}, after)
    terminal, end = pty.openpty()
    termios.tcsetwinsize(end, (30, 60))
    try:
        with started(folder, "run", "--no-server", "--plan", file, stderr=end, stdin=end) as process:
            os.close(end)
            said = read_pty(terminal, lambda text: text.count("● g  gate") >= 3)
            with (folder / "gate").open("w") as gate:
                gate.write("open")
            said += read_pty(terminal, lambda text: "model: none" in text)
            assert process.stdout is not None
            assert process.stdout.read() == "open\n\n6 × 7 = 42\n"
            assert process.wait(timeout=LIMIT_SECONDS) == 0
    finally:
        os.close(terminal)
    shown = [re.sub(r"\d+\.\d s", "N s", row) for row in on_screen(said)]
    run = re.search(r"run (\w+)", shown[-2])
    assert run is not None
    assert "\n".join(shown) == (
        "   ┌───────────────────────┐\n"
        "   │ ✓ g  gate      N s  │\n"
        "   └───────────┬───────────┘\n"
        "               ▼\n"
        "┌─────────────────────────────┐\n"
        "│ ✓ b  calculator      N s  │\n"
        "│   expression: 6 * 7         │\n"
        "└─────────────────────────────┘\n"
        f"run {run[1]}: succeeded, 2 of 2 done, N s\n"
        f"run {run[1]}: succeeded, model: none\n"
    )


def read_pty(terminal: int, enough: Callable[[str], bool]) -> str:
    """Read what is written to a terminal until it is enough."""
    said, until = b"", time.monotonic() + LIMIT_SECONDS
    while not enough(text := said.decode("utf-8", "ignore")):
        ready, _, _ = select.select([terminal], [], [], until - time.monotonic())
        assert ready, text
        said += os.read(terminal, 65536)
    return said.decode()


# By a server


async def test_a_server_plans_runs_and_answers_for_the_command(folder: Path) -> None:
    settings = settings_from(config=folder, environ={})
    with anyio.fail_after(LIMIT_SECONDS):
        async with open_serving(settings, embedder=HashedEmbedder()) as serving:
            transport = httpx2.ASGITransport(app=web_app(serving))
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                there = There(client, "http://127.0.0.1")
                order = Order("what is 2 + 2", tools=("calculator",))
                planned = await there.plan(order)
                begun = await there.begin(order)
                run = str(begun["run"])
                told = [event["kind"] async for event in there.events(run)]
                answer = [event async for event in there.answer(run)]
                view = await there.view(run)
                failing = str((await there.begin(Order(plan=[{"id": "f", "tool": "fails"}])))["run"])
                with pytest.raises(CallFailed, match="it is broken"):
                    assert [event async for event in there.answer(failing)] == []
                with pytest.raises(UsageError, match="no run 'nobody'"):
                    await there.view("nobody")
                with pytest.raises(UsageError, match="no run 'nobody'"):
                    assert [event async for event in there.events("nobody")] == []
                waiting = str((await there.begin(Order(plan=[{"id": "c", "tool": "careful"}])))["run"])
                await there.cancel(waiting)
                assert [event["kind"] async for event in there.events(waiting)][-1] == "run_ended"
    assert begun == {"run": run, **planned}
    assert (told[0], told[-1]) == ("run_started", "run_ended")
    assert (answer[0]["kind"], answer[-1]["kind"]) == ("question_asked", "answer_ended")
    assert view["status"] == "succeeded"


def test_a_running_server_is_used_and_a_run_left_to_it(folder: Path, capsys: Output) -> None:
    with started(folder, "serve", "--port", "0") as server:
        read_until(server, "ready at")
        given = ["-c", str(folder)]
        assert run_command(["run", "--plan", plan_file(folder, SUM), *given]) == 0
        assert capsys.readouterr().out == "2 + 3 = 5\n"
        assert run_command(["run", "--detach", "--plan", plan_file(folder, {"id": "g", "tool": "gate"}), *given]) == 0
        run = capsys.readouterr().out.strip()
        with (folder / "gate").open("w") as gate:
            gate.write("open")
        with httpx2.Client(base_url=url_of(folder), trust_env=False, timeout=LIMIT_SECONDS) as client:
            answer = client.get(f"/runs/{run}/answer", params={"streaming": "false"}).json()
    assert (answer["text"], answer["run_status"]) == ("open", "succeeded")


def url_of(folder: Path) -> str:
    return str(json.loads((folder / ".pegboard" / "server.json").read_text())["url"])

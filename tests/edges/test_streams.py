"""The command in a process that lacks a stream, or its working folder."""

import subprocess
import sys
from pathlib import Path

import pytest

RUN = f'"{sys.executable}" -c "from pegboard.edges.cli import main; main()"'


def sh(command: str, folder: Path) -> tuple[int, str, str]:
    done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tool = "{name: clock, description: Tells the time., handler: 'pegboard.handlers.clock:clock'}"
    (tmp_path / "tools.yaml").write_text(f"tools: [{tool}]\nsites: [{{name: kitchen}}]\n")
    return tmp_path


@pytest.mark.parametrize("words", ["list", "version", "--help", "check", "show clock --json"])
def test_a_closed_stdout_is_said_in_a_line(folder: Path, words: str) -> None:
    assert sh(f"{RUN} {words} >&-", folder) == (1, "", "platform: stdout cannot be written: it is closed.\n")


@pytest.mark.parametrize("words", ["ask -", "route -", "call clock -"])
def test_a_closed_stdin_is_said_in_a_line(folder: Path, words: str) -> None:
    code, out, err = sh(f"{RUN} {words} <&-", folder)
    assert (code, out) == (2, "")
    assert err.endswith("platform: stdin cannot be read: it is closed.\n")


def test_a_closed_stderr_hides_no_result(folder: Path) -> None:
    assert sh(f"{RUN} list <&- 2>&-", folder) == (0, "kitchen\t1\tItem\t\n", "")


def test_nothing_at_all_open_is_no_crash(folder: Path) -> None:
    assert sh(f"{RUN} list <&- >&- 2>&-", folder) == (1, "", "")


def test_no_file_becomes_the_stream_that_is_closed(folder: Path) -> None:
    code, _, _ = sh(f"{RUN} ask - --data state <&- >&- 2>&-", folder)
    assert code == 2


@pytest.mark.parametrize("words", ["list", "check", "ask x"])
def test_a_working_folder_that_is_gone_is_said_in_a_line(folder: Path, words: str) -> None:
    code, out, err = sh(f"mkdir gone && cd gone && rmdir ../gone && {RUN} {words}", folder)
    assert (code, out) == (1, "")
    assert err == "platform: The working folder does not exist any more. Change to one that does.\n"


def test_what_needs_no_working_folder_does_without(folder: Path) -> None:
    code, out, _ = sh(f'mkdir gone && cd gone && rmdir ../gone && {RUN} list -c "{folder}"', folder)
    assert (code, out) == (0, "kitchen\t1\tItem\t\n")

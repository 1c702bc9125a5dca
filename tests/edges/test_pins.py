"""`platform pins`, on a server that is a process."""

import json
import sys
from pathlib import Path

import pytest

from pegboard.catalog.pins import pinned, write_pins
from pegboard.edges.cli.beside import beside
from pegboard.edges.cli.command import run

SCRIPT = Path(__file__).parents[1] / "handlers" / "mcp" / "stdio_server.py"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "tools.yaml").write_text(
        f"sources:\n  - name: files\n    mcp: {{command: [{json.dumps(sys.executable)}, {json.dumps(str(SCRIPT))}]}}\n",
        encoding="utf-8",
    )
    (tmp_path / "pegboard.toml").write_text(f"mcp_commands = [{json.dumps(sys.executable)}]\n", encoding="utf-8")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def edited(folder: Path, before: str, after: str) -> None:
    """Change a definition as if another had been approved, its hash with it."""
    path = folder / "pins" / "files.json"
    tools = json.loads(path.read_text(encoding="utf-8").replace(before, after))["tools"]
    path.write_bytes(write_pins(pinned({name: each["definition"] for name, each in tools.items()})))


def test_a_source_has_no_tools_until_they_are_approved(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check"]) == 3
    assert "Run `platform pins approve files`." in capsys.readouterr().out
    assert run(["pins", "list", "--json"]) == 0
    file = str(folder / "pins" / "files.json")
    assert told(capsys)["sources"] == [{"source": "files", "file": file, "tools": 0, "problem": "nothing is approved"}]
    assert run(["pins", "approve", "files"]) == 0
    assert "new      echo" in capsys.readouterr().out
    assert run(["check"]) == 0
    assert run(["pins", "diff", "files"]) == 0


def test_a_difference_is_shown_side_by_side(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["pins", "approve", "files"])
    edited(folder, "Does echo.", "Does only good.")
    capsys.readouterr()
    assert run(["pins", "diff", "files"]) == 1
    rows = [
        ("{", " ", "{"),
        ('  "name": "echo",', " ", '  "name": "echo",'),
        ('  "description": "Does only good.",', "|", '  "description": "Does echo.",'),
        ('  "inputSchema": {', " ", '  "inputSchema": {'),
        ('    "type": "object"', " ", '    "type": "object"'),
    ]
    shown = [f"{left:<48} {sign} {right}" for left, sign, right in rows]
    assert capsys.readouterr().out.splitlines() == ["tool echo: description changed", *shown]


def test_one_tool_can_be_approved_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["pins", "approve", "files"])
    edited(folder, "Does ", "Did ")
    assert run(["pins", "approve", "files", "echo"]) == 0
    capsys.readouterr()
    assert run(["pins", "diff", "files", "--json"]) == 1
    changes = told(capsys)["changes"]
    assert isinstance(changes, list)
    assert "echo" not in {change["tool"] for change in changes}
    assert {change["change"] for change in changes} == {"changed"}


def test_a_tool_may_be_named_as_it_is_here(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "tools.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "    prefix: up_\n", encoding="utf-8")
    assert run(["pins", "approve", "files", "up_echo", "where"]) == 0
    assert capsys.readouterr().out.splitlines() == ["new      echo", "new      where"]
    assert run(["pins", "approve", "files", "up_nothing"]) == 2


def test_pins_that_were_edited_by_hand_offer_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["pins", "approve", "files"])
    path = folder / "pins" / "files.json"
    path.write_text(path.read_text(encoding="utf-8").replace("Does echo.", "Obey."), encoding="utf-8")
    capsys.readouterr()
    assert run(["check"]) == 3
    assert "has another definition of 'echo' than its sha256 says: it was edited" in capsys.readouterr().out


def test_an_unknown_source_is_told_with_the_nearest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pins", "diff", "file"]) == 2
    assert "Did you mean 'files'?" in capsys.readouterr().err


def test_a_server_that_does_not_start_is_unreachable(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (folder / "tools.yaml").read_text(encoding="utf-8")
    (folder / "tools.yaml").write_text(text.replace("stdio_server", "no_server"), encoding="utf-8")
    assert run(["pins", "diff", "files"]) == 4
    assert "the server ended" in capsys.readouterr().err


def test_long_lines_are_folded_by_what_they_take_on_a_terminal() -> None:
    assert list(beside(["配" * 30], ["a"], columns=83)) == [f"{'配' * 20} | a", f"{'配' * 10}{' ' * 20} |"]


def test_an_imported_server_is_declared_and_approved_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tools.yaml").unlink()
    assert run(["import", "mcp", "--name", "files", "--tool", "e*", "--", sys.executable, str(SCRIPT)]) == 0
    assert run(["check"]) == 0
    assert run(["pins", "diff", "files"]) == 0
    capsys.readouterr()
    assert run(["call", "echo", "text=hello"]) == 0
    assert capsys.readouterr().out == "hello\n"

"""`platform doctor`, on a configuration with servers that are there, that are not, and that never answer."""

import json
import socket
import sys
from pathlib import Path

import anyio
import pytest

from pegboard.app import settings_from
from pegboard.app.doctoring import diagnose
from pegboard.edges.cli.command import run
from tests.handlers.mcp.servers import a_tool, approve
from tests.handlers.mcp.stdio_server import TOOLS

SCRIPT = Path(__file__).parents[1] / "handlers" / "mcp" / "stdio_server.py"
SITES = """
sites:
  - {name: near, types: [Recipe]}
  - {name: far, types: [Product]}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "pegboard.toml").write_text(f"mcp_commands = [{json.dumps(sys.executable)}]\n", encoding="utf-8")
    opened = {"type": "object"}
    for name in ("files", "away", "deaf"):
        approve(tmp_path, *(a_tool(each, f"Does {each}.", input_schema=opened) for each in TOOLS), name=name)
    return tmp_path


def declare(folder: Path, *sources: str, more: str = "") -> None:
    (folder / "tools.yaml").write_text("sources:\n" + "".join(sources) + SITES + more, encoding="utf-8")


def started(name: str, type_: str, *options: str) -> str:
    command = json.dumps([sys.executable, str(SCRIPT), *options])
    return f"  - {{name: {name}, type: {type_}, prefix: {name}_, mcp: {{command: {command}}}}}\n"


def nowhere() -> int:
    """Return a port at which nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port


def test_all_is_well(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    declare(folder, started("files", "Recipe"))
    assert run(["doctor"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "ok   source files: 10 tools, as approved.",
        f"ok   data folder: {folder / '.pegboard'} will be made.",
        "ok   index: will be built by the first start.",
    ]
    assert not (folder / ".pegboard").exists()


def test_tools_that_are_not_what_was_approved_fail_with_the_next_move(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declare(folder, started("files", "Recipe"))
    first, second, *others = (a_tool(each, f"Does {each}.", input_schema={"type": "object"}) for each in TOOLS)
    lost = a_tool("lost", "Is gone.", input_schema={"type": "object"})
    approve(folder, a_tool(first.name, "Does good.", input_schema={"type": "object"}), lost, *others, name="files")
    assert run(["doctor"]) == 4
    assert capsys.readouterr().out.splitlines()[0] == (
        f"FAIL source files: 10 tools; changed since they were approved: {first.name}; gone: lost; "
        f"new, and not approved: {second.name}. "
        "Look at `platform pins diff files`, then run `platform pins approve files`."
    )


def test_a_tool_that_is_new_is_a_note(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    declare(folder, started("files", "Recipe"))
    new, *others = (a_tool(each, f"Does {each}.", input_schema={"type": "object"}) for each in TOOLS)
    approve(folder, *others, name="files")
    assert run(["doctor"]) == 0
    told = f"ok   source files: 10 tools; new, and not approved: {new.name}: see `platform pins diff files`."
    assert capsys.readouterr().out.splitlines()[0] == told


def test_what_is_not_there_is_told_and_hides_nothing_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"http://127.0.0.1:{nowhere()}/mcp"
    declare(
        folder, started("files", "Recipe"), f"  - {{name: away, type: Product, prefix: a_, mcp: {{url: '{url}'}}}}\n"
    )
    assert run(["doctor", "--json"]) == 4
    found = json.loads(capsys.readouterr().out)
    assert not found["ok"]
    assert {check["what"]: check["ok"] for check in found["checks"]} == {
        "source files": True,
        "source away": False,
        "data folder": True,
        "index": True,
    }
    assert run(["doctor", "--site", "near"]) == 0
    assert run(["doctor", "--site", "far"]) == 4


def test_invalid_declarations_are_told_with_their_places(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    declare(folder, "  - {name: files, mcp: {}}\n")
    assert run(["doctor"]) == 3
    assert "tools.yaml:2:" in capsys.readouterr().err


def test_an_unknown_site_is_a_wrong_request(folder: Path) -> None:
    declare(folder, started("files", "Recipe"))
    assert run(["doctor", "--site", "nowhere"]) == 2


def test_a_model_that_is_away_is_told_and_its_key_is_not(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY", "hunter2")
    url = f"http://127.0.0.1:{nowhere()}/v1"
    profile = f"models:\n  - {{name: fast, model: m, base_url: '{url}', key: '${{KEY}}', default: true}}\n"
    declare(folder, started("files", "Recipe"), more=profile)
    assert run(["doctor"]) == 4
    out = capsys.readouterr().out
    assert f"FAIL model fast: {url} cannot be reached" in out
    assert "Is it running?" in out
    assert "hunter2" not in out


def test_a_secret_that_is_missing_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = "{name: away, type: Recipe, mcp: {url: 'http://127.0.0.1:1/mcp', auth: {bearer: '${NONE:-}'}}}"
    declare(folder, f"  - {source}\n")
    assert run(["doctor"]) == 4
    assert "FAIL source away: The secret that the service wants is not set." in capsys.readouterr().out


def test_a_damaged_index_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    declare(folder, started("files", "Recipe"))
    (folder / ".pegboard" / "index").mkdir(parents=True)
    (folder / ".pegboard" / "index" / "index.sqlite").write_bytes(
        b"no database at all, and long enough to be read\n" * 9
    )
    assert run(["doctor"]) == 4
    assert "FAIL index:" in capsys.readouterr().out


async def test_a_server_that_never_answers_is_waited_for_no_longer_than_is_said(folder: Path) -> None:
    declare(folder, started("files", "Recipe"), started("deaf", "Product", "--deaf"))
    settings = settings_from(config=folder, environ={})
    with anyio.fail_after(30):
        found = await diagnose(settings, longest_seconds=2.0)
    told = {finding.what: finding for finding in found.findings}
    assert told["source files"].ok
    assert told["source deaf"].found == "does not answer within 2 s"

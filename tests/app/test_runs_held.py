"""What waits within a run is seen and approved from outside: by HTTP and by the command line."""

from pathlib import Path

import anyio
import httpx2
import pytest

from pegboard.edges.cli.command import run as run_command
from pegboard.text import Json
from tests.app.test_running import served

DOCUMENT = """
tools:
  - {name: calculator, read_only: true}
  - {name: clock, call: {approval: always}}
flows:
  - name: tell
    description: Tells the time with care.
    examples: [what time is it in Oslo]
    parameters: {place: name of the place}
    nodes:
      - {id: now, tool: clock, arguments: {place: "${inputs.place}"}}
sites:
  - {name: sums}
"""
PLAN: list[Json] = [
    {"id": "a", "tool": "calculator", "arguments": {"expression": "2 + 3"}},
    {"id": "t", "tool": "tell", "arguments": {"place": "Oslo"}},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.yaml").write_text(DOCUMENT, "utf-8")
    return tmp_path


async def _begun(client: httpx2.AsyncClient) -> str:
    """Begin a run, and return its id when it waits within."""
    run = str((await client.post("/runs", json={"plan": PLAN, "site": "sums"})).json()["run"])
    while True:
        if (await client.get(f"/runs/{run}")).json().get("is_held"):
            return run
        await anyio.sleep(0.02)


async def test_by_http(folder: Path) -> None:
    with anyio.fail_after(60):
        async with served(folder) as (_, client):
            run = await _begun(client)
            (listed,) = (await client.get("/runs")).json()
            (only,) = listed["approvals"]
            assert (listed["status"], listed["is_held"], "nodes" in listed) == ("running", True, False)
            assert (only["node"], only["tool"], only["arguments"]) == ("now", "clock", {"place": "Oslo"})
            given = await client.post(f"/runs/{run}/approve")
            assert (given.status_code, given.json()) == (202, {"run": only["run"], "node": "now", "granted": True})
            await client.get(f"/runs/{run}/events")
            shown = (await client.get(f"/runs/{run}")).json()
            assert (shown["status"], "approvals" in shown, "is_held" in shown) == ("succeeded", False, False)
            assert (await client.post(f"/runs/{run}/approve", json={"granted": False})).status_code == 409
            late = await client.delete(f"/runs/{run}")
            assert (late.status_code, late.json()) == (200, {"run": run, "status": "succeeded"})
            other = await _begun(client)
            ending = await client.delete(f"/runs/{other}")
            assert (ending.status_code, ending.json()) == (202, {"run": other, "status": "running"})
            await client.get(f"/runs/{other}/events")
            assert (await client.delete(f"/runs/{other}")).json() == {"run": other, "status": "cancelled"}


async def test_by_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> tuple[str, str]:
        assert run_command([*words, "-c", str(folder)]) == 0
        return capsys.readouterr()

    with anyio.fail_after(60):
        async with served(folder) as (_, client):
            run = await _begun(client)
            out, _ = await anyio.to_thread.run_sync(said, "runs", "list")
            assert f"{run}\theld\tsums\t" in out
            out, _ = await anyio.to_thread.run_sync(said, "runs", "show", run)
            assert "now clock waits for an approval until " in out
            assert '{"place":"Oslo"}' in out
            command = next(line for line in out.splitlines() if "To approve it: platform " in line)
            _, err = await anyio.to_thread.run_sync(said, *command.split("To approve it: platform ")[1].split()[:4])
            assert err.startswith("now goes on")
            await client.get(f"/runs/{run}/events")
            _, err = await anyio.to_thread.run_sync(said, "runs", "cancel", run)
            assert err == f"Run {run} has ended (succeeded): there is nothing to cancel.\n"


def test_looking_where_nothing_was_run_or_written_writes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["runs", "list", "-c", str(folder)]) == 0
    assert run_command(["runs", "show", "nobody", "-c", str(folder)]) == 2
    assert run_command(["documents", "list", "-c", str(folder)]) == 0
    assert run_command(["documents", "show", "nothing", "-c", str(folder)]) == 2
    assert run_command(["documents", "list", "-c", str(folder), "--query", "soup"]) == 0
    out, err = capsys.readouterr()
    said = ["Nothing has been run yet", "There is no run 'nobody'.", "No document is kept.\n", "There is no document"]
    assert (out, [each for each in said if each not in err]) == ("", [])
    assert err.endswith("No document fits.\n")
    assert [path.name for path in folder.iterdir()] == ["tools.yaml"]

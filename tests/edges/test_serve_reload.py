"""The command itself, on files: it serves what was edited, and goes on when an edit is wrong."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

GOOD = (
    "tools: [{{name: clock, description: {}, examples: [what time is it], read_only: true}}]\nsites: [{{name: one}}]\n"
)


class Server:
    """`platform serve` on a folder; its lines on stderr tell what it has done."""

    def __init__(self, popen: subprocess.Popen[str]) -> None:
        self.popen = popen
        self.url = self.read(" ready at ").split(" ready at ")[1].split()[0]
        self.token = self.read("admin token: ").split(": ")[1].strip()

    def read(self, words: str) -> str:
        """Return the next line that holds `words`."""
        lines = self.popen.stderr
        assert lines is not None
        seen = []
        for line in lines:
            seen.append(line)
            if words in line:
                return line
        raise AssertionError(f"{words!r} is not in {seen}")

    def get(self, path: str) -> httpx2.Response:
        return httpx2.get(f"{self.url}{path}", trust_env=False, timeout=30)

    @property
    def description(self) -> str:
        return str(self.get("/tools").json()["tools"][0]["description"])


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    (tmp_path / "tools.yaml").write_text(GOOD.format("v1"))
    with ExitStack() as stack:

        def start(*arguments: str) -> Server:
            popen = subprocess.Popen(
                [sys.executable, "-m", "pegboard", "serve", "-c", str(tmp_path), "--port", "0", *arguments],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))},
                stderr=subprocess.PIPE,
                text=True,
            )
            stack.enter_context(popen)
            stack.callback(popen.kill)
            return Server(popen)

        yield start


def test_an_edit_is_served_a_broken_one_is_refused_and_a_mended_one_is_served(
    started: Callable[..., Server], tmp_path: Path
) -> None:
    server, file = started(), tmp_path / "tools.yaml"
    assert server.description == "v1"
    file.write_text(GOOD.format("v2"))
    server.read("serves now (sites: 1; tools: 1)")
    assert server.description == "v2"
    file.write_text(GOOD.format("v3").replace("read_only", "read_onyl"))
    server.read("edit refused")
    assert "tools.yaml:1:69: error PB101" in server.read("PB101")
    assert server.description == "v2"
    assert server.get("/readyz").json()["config"]["status"] == "stale"
    file.write_text(GOOD.format("v4"))
    server.read("serves now")
    assert server.description == "v4"
    assert server.get("/readyz").json()["config"]["status"] == "current"


def test_without_reload_only_the_signal_and_the_route_reload(started: Callable[..., Server], tmp_path: Path) -> None:
    server, file = started("--no-reload"), tmp_path / "tools.yaml"
    file.write_text(GOOD.format("v2"))
    server.popen.send_signal(signal.SIGHUP)
    server.read("serves now")
    assert server.description == "v2"
    file.write_text(GOOD.format("v3"))
    headers = {"Authorization": f"Bearer {server.token}"}
    response = httpx2.post(f"{server.url}/admin/reload", headers=headers, trust_env=False, timeout=30)
    assert (response.status_code, json.loads(response.text)["status"]) == (200, "reloaded")
    assert server.description == "v3"

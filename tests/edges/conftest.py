"""An application in memory, a client of it, and a server of it in a process of its own."""

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from pegboard.edges.web.application import web_app
from tests.edges.twin import TwinApp, TwinBackend, TwinServing, twin_app


@pytest.fixture
def app(tmp_path: Path) -> TwinApp:
    return twin_app(tmp_path)


@pytest.fixture
def backend(app: TwinApp) -> TwinBackend:
    return TwinBackend(app)


@pytest.fixture
async def client(app: TwinApp) -> AsyncIterator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(web_app(TwinServing(app)), raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        yield client


@dataclass
class Process:
    """The command on the application in memory, in a process of its own."""

    popen: subprocess.Popen[str]
    ready: str = ""

    @property
    def url(self) -> str:
        found = re.search(r"http://\S+", self.ready)
        assert found is not None, self.ready
        return found[0]

    def end(self, signal: int) -> tuple[int, str]:
        """Send a signal; return the exit code and what else was written to stderr."""
        self.popen.send_signal(signal)
        _, err = self.popen.communicate(timeout=30)
        return self.popen.returncode, err


Start = Callable[..., Process]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start `platform` with arguments; all processes end with the test."""
    with ExitStack() as stack:

        def started(*arguments: str, **environ: str) -> Process:
            popen = subprocess.Popen(
                [sys.executable, "-m", "tests.edges.twin", *arguments],
                cwd=tmp_path,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environ},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            stack.enter_context(popen)
            stack.callback(popen.kill)
            return Process(popen)

        yield started


@pytest.fixture
def server(start: Start) -> Process:
    """A server that is ready."""
    return _ready(start("serve", "--port", "0"))


@pytest.fixture
def server_with_model(start: Start) -> Process:
    """A server that has a model and is ready."""
    return _ready(start("serve", "--port", "0", TWIN_MODEL="qwen"))


@pytest.fixture
def stale_server(start: Start) -> Process:
    """A server that has refused an edit and is ready."""
    return _ready(start("serve", "--port", "0", TWIN_STALE="1"))


def _ready(process: Process) -> Process:
    assert process.popen.stderr is not None
    process.ready = process.popen.stderr.readline()
    assert process.popen.stderr.readline().startswith("admin token: ")
    return process

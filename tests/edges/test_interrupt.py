"""Ctrl-C ends the command at once and quietly, whatever it is at."""

import os
import signal
import subprocess
import sys
from pathlib import Path

INTERRUPTED = 130

IMPORTING = """
import sys
from pegboard.edges.cli import main

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "pegboard.edges.cli.command":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
main()
"""

LISTENING = """
import signal
from pegboard.edges.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what it starts in the background ignore it
main()
"""

STUCK = """
import sys
import threading

import anyio.to_thread

from pegboard.catalog.contract import Context, Result, tool


@tool
async def stuck(context: Context) -> Result:
    print("stuck", file=sys.stderr, flush=True)
    await anyio.to_thread.run_sync(threading.Event().wait)
    return Result("never")
"""


def test_an_interrupt_while_modules_are_imported_is_quiet() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", IMPORTING], check=False, env=_environ(), capture_output=True, text=True, timeout=60
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (INTERRUPTED, "", "")


def test_a_thread_that_never_ends_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "never.py").write_text(STUCK)
    (tmp_path / "pegboard.toml").write_text('handler_prefixes = ["never"]\n')
    (tmp_path / "tools.yaml").write_text("tools: [{name: stuck, examples: [wait], handler: 'never:stuck'}]")
    command = [sys.executable, "-c", LISTENING, "ask", "wait", "--tool", "stuck"]
    with subprocess.Popen(command, cwd=tmp_path, env=_environ(), stderr=subprocess.PIPE, text=True) as asking:
        assert asking.stderr is not None
        try:
            assert asking.stderr.readline() == "stuck\n"
            asking.send_signal(signal.SIGINT)
            assert asking.wait(timeout=30) == INTERRUPTED
            assert asking.stderr.read() == ""
        finally:
            asking.kill()


def _environ() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

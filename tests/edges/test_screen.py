"""The picture of a run that is larger than its terminal."""

import io
import re

import pytest

from pegboard.edges.cli.screen import LivePicture
from pegboard.edges.cli.watched import Held, Watched
from pegboard.text import Json

ROWS = 40
"""Of a terminal that does not say how large it is."""


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def approving(held: Held) -> str:
    return f"platform runs approve {held.run} {held.node}"


@pytest.fixture(autouse=True)
def a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")


def chain(nodes: int) -> Watched:
    """Return a run of nodes that wait for each other."""
    watched = Watched("r")
    plan: list[Json] = [
        {"id": f"n{at}", "tool": "t", "depends_on": [f"n{at - 1}"] if at else []} for at in range(nodes)
    ]
    watched.take({"kind": "run_started", "at": 1.0, "plan": {"nodes": plan}})
    return watched


def test_what_runs_is_in_sight_however_long_the_list_is() -> None:
    watched, terminal = chain(200), Terminal()
    watched.take({"kind": "node_started", "node": "n150", "at": 1.0})
    LivePicture(terminal, approving, is_ascii=False).draw(watched)
    lines = terminal.getvalue().splitlines()
    assert len(lines) <= ROWS
    assert any("● n150  t" in line for line in lines)
    assert "... 164 more lines" in lines[-3]


def test_each_picture_takes_the_place_of_the_one_before_and_the_last_is_whole() -> None:
    watched, terminal = chain(200), Terminal()
    picture = LivePicture(terminal, approving, is_ascii=False)
    picture.draw(watched)
    rows = terminal.getvalue().count("\n")
    picture.draw(watched)
    picture.close(watched)
    assert re.findall(r"\x1b\[(\d+)A", terminal.getvalue()) == [str(rows)] * 2
    assert "n199  t" in terminal.getvalue()


def test_the_command_that_approves_stands_below_the_picture() -> None:
    watched, terminal = chain(1), Terminal()
    watched.take({"kind": "node_held", "node": "n0", "reason": "it \x1b[2J deletes\nall"})
    LivePicture(terminal, approving, is_ascii=False).draw(watched)
    said = terminal.getvalue().replace("\x1b[K", "")
    assert "n0 waits for an approval: it �[2J deletes all\n  platform runs approve r n0\n" in said

"""The handlers of docs/declarations.md can be written, checked and called."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pegboard.app import check
from pegboard.catalog.load import CheckReport
from pegboard.catalog.loading import counterparts
from pegboard.catalog.rooms import ROOMS
from tests.twins import context

TEXT = (Path(__file__).parents[2] / "docs/declarations.md").read_text("utf-8")
SECTION = TEXT.partition("\n## Handlers\n")[2].partition("\n## ")[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder with every example that names its file."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name, text in re.findall(r"^```\w+ (\S+)\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "shop"]:
        del sys.modules[name]


def report_of(folder: Path, *, imports: bool) -> CheckReport:
    return check(config=folder, environ={}, imports=imports)


def test_the_examples_are_free_of_problems_imported_or_only_read(folder: Path) -> None:
    assert report_of(folder, imports=False).problems == ()
    assert "shop" not in sys.modules
    assert report_of(folder, imports=True).problems == ()


async def test_the_examples_answer(folder: Path) -> None:
    site = report_of(folder, imports=True).catalog.sites["default"]
    hours = await site.tool("hours").run(context(), {"shop": "Elm Street"})
    stock = await site.tool("stock").run(context(), {"shop": "Elm Street"})
    wine = await site.tool("pairings").run(context(), {"dish": "trout"})
    assert hours.text == "Elm Street is open from 9 to 18 today."
    assert stock.data == {"shop": "Elm Street", "left": 3}
    assert (wine.text, [hit.score for hit in wine.items]) == ("- Riesling: Dry.", [88.0])
    assert site.tool("details").handler == "pegboard.handlers.details:details"


def test_the_table_of_counterparts_is_complete() -> None:
    rows = re.findall(r"^\| `(\w+\.\w+)` \| `(\w+)` \| (.*) \|$", SECTION, re.MULTILINE)
    for name, room, arguments in rows:
        found = counterparts.counterpart(f"methods.{name}")
        assert found is not None
        assert found.path == f"{ROOMS}.{room}:{room}"
        assert all(f"`{theirs}`" in arguments and f"`{own}`" in arguments for theirs, own in found.arguments.items())
    assert len(rows) == 5

"""What is known of our own rooms: which write, and which run others."""

from pathlib import Path

import pytest

from pegboard.catalog.load import check
from pegboard.config.server.settings import read_settings
from tests.catalog.conftest import Check

ROOM = """
tools:
  - name: t
    description: Does it.
    handler: {handler}
    {declared}
sites: [{{name: here}}]
"""
NLWEB = """<Tools><Item><Tool name="{name}"><path>/x</path><prompt>Does it fit? {{request.query}}</prompt>
<returnStruc>{{"score": "integer between 0 and 100"}}</returnStruc>
<handler>{handler}</handler></Tool></Item></Tools>"""


@pytest.mark.parametrize("spelling", ["documents:{}", "documents.{}"])
@pytest.mark.parametrize(
    ("room", "effects"),
    [
        ("write_document", {"external"}),
        ("remove_document", {"destructive"}),
        ("read_document", set()),
        ("list_documents", set()),
    ],
)
def test_a_room_that_writes_is_known_to_however_it_is_spelled(
    checked: Check, room: str, effects: set[str], spelling: str
) -> None:
    handler = f"pegboard.handlers.{spelling.format(room)}"
    report = checked(tools=ROOM.format(handler=handler, declared="pinned: false"))
    assert report.ok, report.problems
    tool = report.catalog.toolset("here").tool("t")
    assert ({*tool.effects}, tool.handler) == (effects, f"pegboard.handlers.documents:{room}")


def test_what_is_declared_of_a_room_goes_first(checked: Check) -> None:
    handler = "pegboard.handlers.documents:write_document"
    report = checked(tools=ROOM.format(handler=handler, declared="external: false"))
    assert report.catalog.toolset("here").tool("t").effects == frozenset()


def test_a_room_that_writes_cannot_be_read_only(checked: Check) -> None:
    handler = "pegboard.handlers.documents:write_document"
    report = checked(tools=ROOM.format(handler=handler, declared="read_only: true"))
    assert [(each.code, each.span.line) for each in report.problems if each.severity == "error"] == [("PB237", 6)]


@pytest.mark.parametrize(
    ("room", "only_reads"),
    [
        ("search:search", True),
        ("calculator:calculator", True),
        ("documents:read_document", True),
        ("documents:write_document", False),
        ("documents.remove_document", False),
        ("plan:plan", False),
        ("plan.plan", False),
    ],
)
def test_in_the_form_of_nlweb_a_room_reads_only_if_it_does(tmp_path: Path, room: str, only_reads: bool) -> None:
    (tmp_path / "tools.xml").write_text(NLWEB.format(name="t", handler=f"pegboard.handlers.{room}"))
    (toolset,) = check(read_settings(config=tmp_path, environ={})[0]).catalog.sites.values()
    assert toolset.tool("t").read_only is only_reads


def test_a_plan_is_one_for_parts_however_it_is_spelled(checked: Check) -> None:
    report = checked(tools=ROOM.format(handler="pegboard.handlers.plan.plan", declared="pinned: false"))
    assert report.catalog.toolset("here").tool("t").is_for_parts

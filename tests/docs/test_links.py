"""Every link of the README and the docs to a file of the project, and to a heading in it, leads there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]+))?\)")


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them, and those that are written out."""
    text = page.read_text("utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def lost(page: Path) -> Iterator[str]:
    for file, anchor in LINK.findall(page.read_text("utf-8")):
        target = page.parent / file if file else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield f"{file}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    assert list(lost(page)) == []

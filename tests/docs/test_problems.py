"""docs/problems.md lists every code, each below its anchor, as the code explains it."""

import re
import runpy
from pathlib import Path

from pegboard.config.problems import KINDS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/problems.md").read_text("utf-8")


def test_the_page_says_what_the_code_says() -> None:
    page = runpy.run_path(str(ROOT / "scripts/problems_page.py"))["page"]
    assert page() == TEXT, "run scripts/problems_page.py"


def test_every_code_has_its_anchor_and_its_row() -> None:
    assert re.findall(r'^<a id="(.*)"></a>$', TEXT, re.MULTILINE) == [code.lower() for code in sorted(KINDS)]
    assert re.findall(r"^\| \[(PB\d+)\]\(#pb\d+\)", TEXT, re.MULTILINE) == sorted(KINDS)
    assert {kind.page for kind in KINDS.values()} == {f"docs/problems.md#{code.lower()}" for code in KINDS}

"""What docs/plans.md and docs/agents.md list is what there is."""

import re
from pathlib import Path
from typing import get_args

from pegboard.handlers.agent.bounds import Bound
from pegboard.planner.reading.mend import Rule

DOCS = Path(__file__).parents[2] / "docs"


def test_every_rule_has_its_row() -> None:
    text = (DOCS / "plans.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(get_args(Rule))


def test_every_bound_of_an_agent_has_its_row() -> None:
    text = (DOCS / "agents.md").read_text("utf-8").partition("### What ends it")[2].partition("###")[0]
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(get_args(Bound))

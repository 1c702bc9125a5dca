"""The examples of docs/arguments.md are what they say."""

import json
import re
from pathlib import Path
from typing import Any

from pegboard.app import check
from pegboard.llm.projection import projected

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/arguments.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_the_projection_is_that_of_the_schema_above_it() -> None:
    _, full, strict = (json.loads(block) for block in blocks("json"))
    assert projected(full, "strict") == strict


HANDLER = """
from pegboard.catalog.contract import Result, tool


@tool
async def order_status(order_id: str) -> Result:
    return Result(order_id)
"""


def test_the_declaration_has_no_problem(tmp_path: Path) -> None:
    (tmp_path / "orders.py").write_text(HANDLER)
    (tmp_path / "pegboard.toml").write_text('handler_prefixes = ["orders"]\n')
    (tmp_path / "tools.yaml").write_text(
        blocks("yaml")[0] + 'sites: [{name: shop, default: true, route: {fallback: ""}}]\n'
    )
    report: Any = check(config=tmp_path, environ={})
    assert [str(problem) for problem in report.problems] == []

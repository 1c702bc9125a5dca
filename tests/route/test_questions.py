"""The 60 questions of `questions.jsonl`, written blind to the tools, against the shipped sites.

No model: the embedded scorer alone. The misses are listed in docs/routing.md; a question that changes sides shows up
here, for better or worse.
"""

import json
from pathlib import Path
from typing import Any

from pegboard.app import catalog_of, settings_from
from pegboard.catalog.contract import Question
from pegboard.events import silent
from pegboard.llm.embedder import SentenceEncoder
from pegboard.route.embedded import train
from pegboard.route.router import Router

ROOT = Path(__file__).parents[2]
ENOUGH = 0.90

Row = dict[str, Any]


def questions() -> list[Row]:
    text = (Path(__file__).parent / "questions.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


async def routed() -> list[tuple[Row, str | None, str]]:
    """Return each question with the tool it takes and how that was decided."""
    catalog = catalog_of(settings_from(config=ROOT, environ={}))
    every_tool = [tool for toolset in catalog.sites.values() for tool in toolset.tools]
    router = Router(train(SentenceEncoder(), every_tool))
    decided: list[tuple[Row, str | None, str]] = []
    for row in questions():
        question = Question(row["question"], row["site"])
        decision = await router.route(question, catalog.sites[row["site"]], emit=silent, model=None)
        decided.append((row, decision.tool.name if decision.tool else None, decision.decided_by))
    return decided


def is_right(row: Row, tool: str | None, decided_by: str) -> bool:
    """Tell whether the decision is right: for a question that fits no tool, that none was found good enough."""
    if row["expect"] is None:
        return decided_by in ("fallback", "none")
    return tool == row["expect"] and decided_by not in ("fallback", "none")


def test_there_are_60_questions_of_which_20_are_chinese_and_12_fit_no_tool() -> None:
    rows = questions()
    assert len({row["question"] for row in rows}) == 60
    assert sum(row["language"] == "zh" for row in rows) == 20
    assert sum(row["expect"] is None for row in rows) == 12


def test_every_tool_of_every_site_is_asked_for() -> None:
    catalog = catalog_of(settings_from(config=ROOT, environ={}))
    asked = {(row["site"], row["expect"]) for row in questions()}
    assert {(site, tool.name) for site, toolset in catalog.sites.items() for tool in toolset.tools} <= asked


async def test_nine_of_ten_questions_take_the_right_tool() -> None:
    decided = await routed()
    misses = [
        f"{row['site']}: {row['question']!r} took {tool} ({decided_by}), wanted {row['expect']}"
        for row, tool, decided_by in decided
        if not is_right(row, tool, decided_by)
    ]
    assert len(misses) <= (1 - ENOUGH) * len(decided), "\n".join(misses)

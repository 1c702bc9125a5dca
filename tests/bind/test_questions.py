"""The 60 questions of `questions.jsonl` with their arguments, written before the rules were touched.

No model: the rules alone, with the names of the demo's items. A row says for each parameter which values are right;
null: it may be left out. Nothing is tuned on a single row; docs/arguments.md has the figures and the misses.
"""

import json
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pegboard.app import catalog_of, settings_from
from pegboard.bind.bind import bind
from pegboard.errors import InvalidArguments
from pegboard.knowledge.read import find_files, read_bytes, read_document
from pegboard.text import Json

ROOT = Path(__file__).parents[2]
ENOUGH = 0.80
"""Part of the questions whose arguments are all right."""
_ARTICLES = ("the ", "a ", "an ", "my ")

Row = dict[str, Any]

pytestmark = pytest.mark.anyio


def questions() -> list[Row]:
    text = (Path(__file__).parent / "questions.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@cache
def names_of(site: str) -> tuple[str, ...]:
    """Return the names of all items of a site of the demo."""
    files, _ = find_files([ROOT / "demo" / site])
    contents = ((file, read_bytes(file)) for file in files)
    documents = [read_document(site, file, content) for file, content in contents if isinstance(content, bytes)]
    return tuple(entry.item.name for document in documents for entry in document.entries)


async def bound(row: Row) -> dict[str, Json]:
    tool = catalog_of(settings_from(config=ROOT, environ={})).sites[row["site"]].tool(row["tool"])
    try:
        found = await bind(tool, row["question"], language=row["language"], names=names_of(row["site"]))
    except InvalidArguments:
        return {}
    return found.arguments


def folded(value: object) -> str:
    text = " ".join(unicodedata.normalize("NFKC", str(value)).casefold().split())
    return next((text.removeprefix(article) for article in _ARTICLES if text.startswith(article)), text)


def is_right(value: Json, accepted: list[Json]) -> bool:
    """Tell whether `value` is one of `accepted`, where a list is right if each of its words is in an entry."""
    if value is None:
        return None in accepted
    if isinstance(value, list):
        entries = [folded(entry) for entry in value]
        wanted = [words for words in accepted if isinstance(words, list)]
        return any(all(any(folded(word) in entry for entry in entries) for word in words) for words in wanted)
    return folded(value) in {folded(one) for one in accepted if one is not None}


def misses(row: Row, arguments: dict[str, Json]) -> list[str]:
    expect = row["expect"]
    wrong = [name for name, accepted in expect.items() if not is_right(arguments.get(name), accepted)]
    return [f"{name}={arguments.get(name)!r}, wanted {expect[name]}" for name in wrong]


def test_there_are_60_questions_half_of_them_chinese() -> None:
    rows = questions()
    assert len({row["question"] for row in rows}) == 60
    assert sum(row["language"] == "zh" for row in rows) == 30


async def test_most_questions_give_all_their_arguments() -> None:
    wrong = {row["question"]: found for row in questions() if (found := misses(row, await bound(row)))}
    assert len(wrong) <= (1 - ENOUGH) * 60, "\n".join(
        f"{question}: {'; '.join(each)}" for question, each in wrong.items()
    )

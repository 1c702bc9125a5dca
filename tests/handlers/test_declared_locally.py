"""Databases, models and programs as a folder declares them: from the document to the result."""

import sqlite3
from pathlib import Path

import anyio
import pytest

from pegboard.app import open_app, settings_from
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.scripted import ScriptedModel
from pegboard.text import Json

pytestmark = pytest.mark.anyio

DOCUMENT = """
sources:
  - name: orders
    sql: {file: orders.db}
tools:
  - name: order_status
    description: Says how far an order is.
    sql: {source: orders, statement: "SELECT status FROM orders WHERE number = :number", one: true}
    parameters: {type: object, properties: {number: {type: integer}}, required: [number]}
  - name: mood
    description: Judges a review.
    ask: {template: "How is this meant? {review}"}
    output: {type: object, properties: {mood: {enum: [good, bad]}}, required: [mood]}
  - name: word_count
    description: Counts words.
    command: {argv: [wc, -w], stdin: "{text}", error_when: [1, 2], cpu: 2s}
    read_only: true
"""

CALLS: list[tuple[str, dict[str, Json]]] = [
    ("order_status", {"number": 7}),
    ("mood", {"review": "Lovely."}),
    ("word_count", {"text": "one two three"}),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.yaml").write_text(DOCUMENT, encoding="utf-8")
    (tmp_path / "pegboard.toml").write_text('commands = ["wc"]', encoding="utf-8")
    connection = sqlite3.connect(tmp_path / "orders.db")
    connection.executescript("CREATE TABLE orders (number INTEGER, status TEXT); INSERT INTO orders VALUES (7, 'sent')")
    connection.close()
    return tmp_path


async def test_each_kind_answers_by_its_declaration(folder: Path) -> None:
    settings = settings_from(config=folder, environ={})
    model = ScriptedModel('{"mood": "good"}')
    with anyio.fail_after(30):
        async with open_app(settings, embedder=HashedEmbedder(), model=model) as app:
            answers = [(await app.call("default", tool, given)).text.strip() for tool, given in CALLS]
    assert answers == ["status: sent", '{"mood":"good"}', "3"]

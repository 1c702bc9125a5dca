"""A flow that failed in part, as whoever asks by HTTP sees it."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from pegboard.app import open_serving, settings_from
from pegboard.edges.web.application import web_app
from pegboard.llm.hashed import HashedEmbedder

DOCUMENT = """
tools:
  - {name: shelf, description: Reads a book., handler: "tests.app.handlers_that_cite:shelf", read_only: true}
  - {name: press, description: Smashes., handler: "tests.app.handlers_that_fail:broken", read_only: true}
flows:
  - name: report
    description: Reports on soup and salt.
    examples: [report on soup and salt]
    nodes:
      - {id: soup, tool: shelf, arguments: {topic: soup}}
      - {id: torn, tool: press, on_failure: FAILURE}
      - {id: rest, tool: shelf, arguments: {topic: "pepper after ${torn}"}, depends_on: [torn]}
      - {id: salt, tool: shelf, arguments: {topic: salt}}
    OUTPUTS
sites: [{name: books, route: {fallback: ""}}]
"""
UNDONE = "Not everything could be done:\n- press: Tool 'press' failed inside its handler; the server's log says why."


@asynccontextmanager
async def asked(
    folder: Path, *, failure: str = "skip_dependents", outputs: str = ""
) -> AsyncIterator[httpx2.AsyncClient]:
    document = DOCUMENT.replace("FAILURE", failure).replace("OUTPUTS", outputs)
    (folder / "tools.yaml").write_text(document, "utf-8")
    (folder / "pegboard.toml").write_text('handler_prefixes = ["tests.app"]\n', "utf-8")
    settings = settings_from(config=folder, environ={})
    with anyio.fail_after(60):
        async with open_serving(settings, embedder=HashedEmbedder()) as serving:
            transport = httpx2.ASGITransport(app=web_app(serving))
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                yield client


async def told(client: httpx2.AsyncClient) -> list[dict[str, Any]]:
    response = await client.get("/ask", params={"query": "report on soup and salt", "streaming": "false"})
    found: list[dict[str, Any]] = response.json()
    return found


def said(topic: str, number: int) -> str:
    return f"There is much to say about {topic} [{number}]."


@pytest.mark.parametrize(
    ("failure", "outputs", "wanted", "cited"),
    [
        (
            "skip_dependents",
            "",
            f"{said('soup', 1)}\n\n{said('salt', 2)}\n\n{UNDONE}\n- shelf: it was left out, for it rests on press",
            ["soup", "salt"],
        ),
        (
            "continue",
            'outputs: {text: "${salt.text} ${torn.text} ${soup.text}"}',
            f"{said('salt', 2)}  {said('soup', 1)}\n\n{UNDONE}",
            ["soup", "salt"],
        ),
    ],
)
async def test_what_failed_is_said_and_the_rest_is_cited_under_one_numbering(
    tmp_path: Path, failure: str, outputs: str, wanted: str, cited: list[str]
) -> None:
    async with asked(tmp_path, failure=failure, outputs=outputs) as client:
        (answer,) = [each for each in await told(client) if each["message_type"] == "nlws"]
    assert (answer["tool"], answer["answer"]) == ("report", wanted)
    assert [(each["number"], each["name"]) for each in answer["citations"]] == [
        (number, f"The book of {topic}") for number, topic in enumerate(cited, start=1)
    ]


async def test_a_flow_that_lacks_what_it_is_for_says_why_and_gives_no_half(tmp_path: Path) -> None:
    async with asked(tmp_path, outputs='outputs: {text: "${soup.text} ${rest.text}"}') as client:
        found = await told(client)
    text = json.dumps(found)
    assert "lacks what it is for" in text
    assert "it was left out, for it rests on press" in text
    assert "There is much to say" not in text
    assert "the insides" not in text

"""The demo with a scoring model on a loopback endpoint that counts: what a request costs in model calls."""

import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pegboard.app import open_app, settings_from
from pegboard.app.application import App
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.openai import OpenAIModel
from tests.llm.loopback import Answer, Asked, Loopback, chat, delta, events, loopback

ROOT = Path(__file__).parents[2]
_SCORED = re.compile(r"Tool: (\w+)\n.*score from 0|score from 0.*?Tool: (\w+)\n", re.DOTALL)


@dataclass(frozen=True)
class Request:
    """A question to the demo's kitchen, the tool that it is for, and what a good scoring reply says."""

    question: str
    tool: str
    arguments: Mapping[str, object]
    beyond: int
    """How many calls it may take besides one a candidate."""
    nlweb: int
    """How many NLWeb takes, from its source: routing with seven tools, then its handler."""


REQUESTS = (
    Request("vegan dinner ready in under 30 minutes", "search", {"query": "vegan dinner"}, 1, 57),
    Request(
        "How long does the Rainy Sunday Lasagna take?",
        "details",
        {"item_name": "Rainy Sunday Lasagna", "details_requested": "time"},
        2,
        105,
    ),
    Request(
        "Rainy Sunday Lasagna or Forest Floor Lasagna, which is quicker?",
        "compare",
        {"item1_name": "Rainy Sunday Lasagna", "item2_name": "Forest Floor Lasagna"},
        3,
        96,
    ),
)


@dataclass
class Counted:
    """The open demo, and the endpoint that its model is at."""

    app: App
    endpoint: Loopback
    right: str = ""
    """The tool that scores 85: enough, and too little to cut the others off, so that every candidate is paid for."""
    arguments: Mapping[str, object] | None = None
    """What its scoring reply carries besides."""

    async def calls(self, request: Request, *, with_arguments: bool = True) -> int:
        """Ask, and return how many model calls the endpoint saw."""
        before = len(self.endpoint.asked)
        self.right, self.arguments = request.tool, request.arguments if with_arguments else {}
        answer = await self.app.ask(self.app.question(request.question, site="kitchen"))
        assert answer.tool == request.tool, answer
        assert not answer.degraded, answer.degraded
        return len(self.endpoint.asked) - before

    @property
    def candidates(self) -> int:
        return len(self.app.catalog.toolset("kitchen").tools)

    async def behave(self, asked: Asked) -> Answer:
        if asked.get("stream"):
            return Answer(kind="text/event-stream", pieces=events(delta("As said [1].", "stop"), "[DONE]"))
        system = _text(asked["messages"], "system")
        if (found := _SCORED.search(system)) is None:
            return chat(json.dumps(self.wanted))
        is_right = (found[1] or found[2]) == self.right
        return chat(json.dumps({"score": 85, **(self.arguments or {})} if is_right else {"score": 20}))

    @property
    def wanted(self) -> Mapping[str, object]:
        """What a call says that asks for the arguments alone."""
        return next(request.arguments for request in REQUESTS if request.tool == self.right)


def _text(messages: Sequence[Mapping[str, Any]], role: str) -> str:
    return "\n".join(str(message["content"]) for message in messages if message["role"] == role)


@asynccontextmanager
async def counted_demo(data: Path) -> AsyncIterator[Counted]:
    """Open the shipped configuration; `data` is where its index lies."""
    holder: list[Counted] = []

    async def behave(asked: Asked) -> Answer:
        return await holder[0].behave(asked)

    settings = settings_from(config=ROOT, data=data, environ={})
    async with (
        loopback(behave) as endpoint,
        OpenAIModel(name="gpt-large", base_url=endpoint.url, scoring="number") as model,
        open_app(settings, embedder=HashedEmbedder(), model=model) as app,
    ):
        holder.append(Counted(app, endpoint))
        yield holder[0]

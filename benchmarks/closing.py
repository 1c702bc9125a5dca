"""How soon a model's endpoint sees its open requests closed when nobody waits for them any more.

    python -m benchmarks.closing

A loopback endpoint counts what is open. Twelve candidates are scored at once; the endpoint answers none of them, or
one with a score that ends it. Measured from the moment at which the answer leaves the endpoint, the client leaves, or
the site's time is over, until the endpoint counts nothing open. Allowed are 200 ms.
"""

import statistics
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import anyio

from benchmarks.many_tools import make_toolset
from pegboard.catalog.contract import Question
from pegboard.catalog.tool import Routing
from pegboard.events import silent
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.openai import OpenAIModel
from pegboard.route.embedded import train
from pegboard.route.router import Router
from tests.llm.loopback import Answer, Asked, Loopback, chat, loopback

TOOLS = 12
TIMES = 30
DEADLINE_SECONDS = 0.4
ALLOWED_MILLISECONDS = 200
FIRST = "Tool: tool_0\n"

Route: TypeAlias = Callable[[float], Coroutine[Any, Any, object]]
"""Asks, and lets scoring take so many seconds."""


class Endpoint:
    """What the endpoint does, and since when nobody waits for it."""

    def __init__(self) -> None:
        self.is_deaf = False
        self.since = 0.0

    async def behave(self, asked: Asked) -> Answer:
        """Answer the first tool well once all are asked, unless deaf; the others never."""
        if FIRST in asked["messages"][0]["content"] and not self.is_deaf:
            await anyio.sleep(0.2)  # until the others are open
            self.since = time.perf_counter()
            return chat('{"score": 97}')
        await anyio.sleep_forever()
        raise AssertionError


async def early_stop(route: Route, endpoint: Endpoint, served: Loopback) -> None:
    await route(30)


async def departure(route: Route, endpoint: Endpoint, served: Loopback) -> None:
    endpoint.is_deaf = True
    async with anyio.create_task_group() as group:
        group.start_soon(route, 30)
        await served.until(lambda: served.open_requests == TOOLS)
        endpoint.since = time.perf_counter()
        group.cancel_scope.cancel()


async def deadline(route: Route, endpoint: Endpoint, served: Loopback) -> None:
    endpoint.is_deaf = True
    endpoint.since = time.perf_counter() + DEADLINE_SECONDS
    await route(DEADLINE_SECONDS)


ENDINGS = {"early stop": early_stop, "the client left": departure, "deadline": deadline}


async def main() -> None:
    endpoint = Endpoint()
    tools = make_toolset(TOOLS)
    router = Router(train(HashedEmbedder(), tools.tools))
    async with loopback(endpoint.behave) as served:
        model = OpenAIModel(name="scripted", base_url=served.url, api_key="none")

        async def route(seconds: float) -> object:
            routing = Routing(fallback="tool_0", grace_seconds=0, timeout_seconds=seconds, shortlist=TOOLS)
            question = Question("please find some trains", "benchmark")
            return await router.route(question, make_toolset(TOOLS, routing), emit=silent, model=model)

        for ending, play in ENDINGS.items():
            taken = []
            for _ in range(TIMES):
                endpoint.is_deaf = False
                await play(route, endpoint, served)
                await served.until(lambda: served.open_requests == 0)
                taken.append(1000 * (time.perf_counter() - endpoint.since))
            held = "within" if max(taken) <= ALLOWED_MILLISECONDS else "ABOVE"
            print(
                f"{ending}: {TOOLS} open requests closed after {statistics.median(taken):.1f} ms, most "
                f"{max(taken):.1f} ms of {TIMES} ({held} {ALLOWED_MILLISECONDS} ms); open afterwards: "
                f"{served.open_requests}"
            )
        await model.aclose()


if __name__ == "__main__":
    anyio.run(main)

"""Calls, attempts and tools for the tests of limits."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool
from pegboard.errors import LimitReached, PegboardError
from pegboard.events import silent
from pegboard.run.limits.call import Call
from pegboard.text import Json
from tests.twins import a_tool, context


async def nothing(given: Context, arguments: Mapping[str, Json]) -> Result:
    return Result(text="done")


def a_call(tool: Tool | None = None, *, ends_at: float = math.inf, **arguments: Json) -> Call:
    return Call(tool or a_tool("t", nothing), arguments, context(), silent, ends_at)


def refuse(key: str, why: str, after: float | None) -> LimitReached:
    return LimitReached(f"{key}: {why}", retry_after_seconds=after)


@dataclass
class Scripted:
    """An attempt that comes to what it was given, in turn; when nothing is left, to a result."""

    ends: list[PegboardError | str] = field(default_factory=list)
    calls: int = 0
    told: Callable[[], None] = lambda: None

    async def __call__(self, call: Call) -> Result:
        self.calls += 1
        self.told()
        end = self.ends.pop(0) if self.ends else "done"
        if isinstance(end, PegboardError):
            raise end
        return Result(text=end, data={"call": self.calls})


@dataclass
class Held:
    """An attempt that ends when it is let go."""

    running: int = 0
    most: int = 0
    calls: int = 0
    gate: anyio.Event = field(default_factory=anyio.Event)

    async def __call__(self, call: Call) -> Result:
        self.calls += 1
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await self.gate.wait()
        finally:
            self.running -= 1
        return Result(text="done", data=[self.calls])

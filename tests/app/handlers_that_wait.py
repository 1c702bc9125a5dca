"""A handler that says when it begins and ends, and waits until the test lets it go on."""

from dataclasses import dataclass, field

import anyio

from pegboard.catalog.contract import Context, Result, tool
from pegboard.llm.model import Prompt


@dataclass
class Stage:
    """What the test sees of the handler, and holds."""

    begun: anyio.Event = field(default_factory=anyio.Event)
    begun_again: anyio.Event = field(default_factory=anyio.Event)
    go_on: anyio.Event = field(default_factory=anyio.Event)
    queries: list[str] = field(default_factory=list)
    cancelled: int = 0
    asks_model: bool = False


stage = Stage()


def set_up(*, asks_model: bool = False) -> Stage:
    """Return a stage on which nothing has happened yet."""
    globals()["stage"] = Stage(asks_model=asks_model)
    return stage


@tool
async def find(context: Context, query: str) -> Result:
    stage.queries.append(query)
    (stage.begun_again if stage.begun.is_set() else stage.begun).set()
    try:
        if stage.asks_model and context.model is not None:
            await context.model.complete(Prompt("of the tool", query))
        await stage.go_on.wait()
    except anyio.get_cancelled_exc_class():
        stage.cancelled += 1
        raise
    return Result(text=f"found {query}")


@tool
async def endless(context: Context) -> Result:
    """Never end."""
    await anyio.sleep_forever()
    raise AssertionError

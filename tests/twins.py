"""In-memory twins that tests of several rooms share."""

import math
from dataclasses import dataclass
from typing import Any

from pegboard.catalog.contract import Found, Hit, Passage, Result
from pegboard.catalog.limits import Limits
from pegboard.catalog.tool import Routing, Run, Tool, Toolset
from pegboard.events import Emit, silent
from pegboard.llm.model import Model
from pegboard.run.context import CallContext


@dataclass(frozen=True)
class NoContent:
    """A site without content; fulfils `catalog.contract.Search`."""

    is_empty: bool = True

    async def items(self, query: str, *, limit: int = 10) -> Found:
        return Found(())

    async def named(self, name: str, *, limit: int = 3) -> list[Hit]:
        return []

    async def passages(self, query: str, *, limit: int = 6) -> list[Passage]:
        return []


def a_tool(
    name: str,
    run: Run,
    *,
    timeout_seconds: float = 10.0,
    output: dict[str, object] | None = None,
    read_only: bool = False,
    **limits: Any,
) -> Tool:
    """Return a tool that needs no declaration; it takes any arguments. `limits` are those of `catalog.limits`."""
    return Tool(
        name=name,
        type="Item",
        description="",
        examples={},
        prompt="",
        reply={},
        parameters={"type": "object", "properties": {"n": {"type": "integer"}}},
        output=output,  # type: ignore[arg-type]
        handler=f"tests:{name}",
        run=run,
        read_only=read_only,
        limits=Limits(timeout_seconds=timeout_seconds, **limits),
        identity=name,
    )


def a_toolset(*tools: Tool, site: str = "here") -> Toolset:
    """Return a toolset with the usual routing."""
    return Toolset(
        site=site,
        description="",
        domains=(),
        types=("Item",),
        tools=tools,
        routing=Routing(),
        knowledge=(),
    )


def context(
    *tools: Tool,
    question: str = "what?",
    emit: Emit = silent,
    deadline: float = math.inf,
    model: Model | None = None,
) -> CallContext:
    """Return the context of a call on a site without content."""
    return CallContext(
        question=question,
        toolset=a_toolset(*tools),
        language="en",
        search=NoContent(),
        model=model,
        emit=emit,
        deadline=deadline,
    )


def result(text: str = "done") -> Result:
    """Return a result."""
    return Result(text=text)

"""What a handler is given: the `Context` of one call, with its way to the site's other tools."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pegboard.catalog.contract import Result, Search
from pegboard.catalog.schema import faults
from pegboard.catalog.tool import Toolset
from pegboard.errors import CallFailed, InvalidArguments, UnknownTool
from pegboard.events import Emit
from pegboard.llm.model import Model
from pegboard.run.outcome import Succeeded
from pegboard.run.step import step
from pegboard.text import Json, did_you_mean

_DEEPEST = 8
"""Calls within calls; a tool that calls itself ends here."""


@dataclass(frozen=True, slots=True)
class CallContext:
    """The context of one call; fulfils `catalog.contract.Context`."""

    question: str
    toolset: Toolset
    language: str
    search: Search
    model: Model | None
    emit: Emit
    deadline: float
    depth: int = 0

    @property
    def site(self) -> str:
        return self.toolset.site

    @property
    def type(self) -> str:
        return self.toolset.types[0] if self.toolset.types else "Item"

    async def call(self, tool: str, arguments: Mapping[str, Json]) -> Result:
        """Run another tool of the site.

        Raises:
            UnknownTool, InvalidArguments, CallFailed
        """
        called = self.toolset.get(tool)
        if called is None:
            names = [other.name for other in self.toolset.tools]
            message = f"Site {self.site!r} has no tool {tool!r}."
            raise UnknownTool(message, hint=did_you_mean(tool, names, noun="tools"))
        if found := faults(dict(arguments), called.parameters):
            missing = [fault.missing for fault in found if fault.missing]
            raise InvalidArguments("; ".join(fault.message for fault in found), missing=missing)
        if self.depth >= _DEEPEST:
            raise CallFailed(f"Tool {tool!r} was called {_DEEPEST} calls deep.", hint="Does it call itself?")
        outcome = await step(called, arguments, replace(self, depth=self.depth + 1))
        if isinstance(outcome, Succeeded):
            return outcome.result
        raise CallFailed(outcome.message)

"""From a flow or an agent that a document declares by itself to the tool that it is: what it does becomes its block."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from pegboard.config.blocks.agent import AgentBlockDeclaration, AgentDeclaration
from pegboard.config.blocks.flow import FlowBlockDeclaration, FlowDeclaration
from pegboard.config.declaration import Declaration
from pegboard.config.declarations import Declared, ToolDeclaration
from pegboard.config.span import Span
from pegboard.config.syntax.node import Path

_Block: TypeAlias = type[FlowBlockDeclaration] | type[AgentBlockDeclaration]


def flow_as_tool(flow: Declared[FlowDeclaration]) -> Declared[ToolDeclaration]:
    """Return the tool that `flow` declares; each of its values keeps its place."""
    return _as_tool(flow, "flow", FlowBlockDeclaration)


def agent_as_tool(agent: Declared[AgentDeclaration]) -> Declared[ToolDeclaration]:
    """Return the tool that `agent` declares; each of its values keeps its place."""
    return _as_tool(agent, "agent", AgentBlockDeclaration)


def _as_tool(
    declared: Declared[FlowDeclaration] | Declared[AgentDeclaration], block: str, model: _Block
) -> Declared[ToolDeclaration]:
    value: Declaration = declared.value
    given = value.model_fields_set
    own = {key: getattr(value, key) for key in given if key in ToolDeclaration.model_fields}
    inside = {key: getattr(value, key) for key in given if key in model.model_fields}
    tool = ToolDeclaration(**own, **{block: model.model_construct(**inside)})  # its values have been judged
    places = _Moved(declared.spans, block, frozenset(model.model_fields))
    return Declared(tool, declared.span, declared.dialect, places, declared.folder)


class _Moved(Mapping[Path, Span]):
    """The places of a declaration's values by the paths that they have in the tool."""

    __slots__ = ("_block", "_inside", "_places")

    def __init__(self, places: Mapping[Path, Span], block: str, inside: frozenset[str]) -> None:
        self._places = places
        self._block = block
        self._inside = inside

    def __getitem__(self, path: Path) -> Span:
        return self._places[path[1:] if path[:1] == (self._block,) else path]

    def __iter__(self) -> Iterator[Path]:
        for path in self._places:
            yield (self._block, *path) if path[0] in self._inside else path

    def __len__(self) -> int:
        return len(self._places)

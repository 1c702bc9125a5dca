"""From a flow that a document declares to the tool that it is: its steps become the tool's block `flow`."""

from collections.abc import Iterator, Mapping

from pegboard.config.blocks.flow import FlowBlockDeclaration, FlowDeclaration
from pegboard.config.declarations import Declared, ToolDeclaration
from pegboard.config.span import Span
from pegboard.config.syntax.node import Path

BLOCK = "flow"


def as_tool(flow: Declared[FlowDeclaration]) -> Declared[ToolDeclaration]:
    """Return the tool that `flow` declares; each of its values keeps its place."""
    value, given = flow.value, flow.value.model_fields_set
    own = {key: getattr(value, key) for key in given if key in ToolDeclaration.model_fields}
    steps = {key: getattr(value, key) for key in given if key in FlowBlockDeclaration.model_fields}
    tool = ToolDeclaration(**own, **{BLOCK: FlowBlockDeclaration(**steps)})
    return Declared(tool, flow.span, flow.dialect, _Moved(flow.spans), flow.folder)


class _Moved(Mapping[Path, Span]):
    """The places of a flow's values by the paths that they have in the tool."""

    __slots__ = ("_places",)

    def __init__(self, places: Mapping[Path, Span]) -> None:
        self._places = places

    def __getitem__(self, path: Path) -> Span:
        return self._places[path[1:] if path[:1] == (BLOCK,) else path]

    def __iter__(self) -> Iterator[Path]:
        for path in self._places:
            yield (BLOCK, *path) if path[0] in FlowBlockDeclaration.model_fields else path

    def __len__(self) -> int:
        return len(self._places)

"""`OnceByToolset`: what is judged of a toolset is judged once, whichever of the sites that share it asks first."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pegboard.catalog.tool import Tool
from pegboard.catalog.toolsets.inheritance import Inherited
from pegboard.catalog.toolsets.layers import Stack
from pegboard.config.declarations import Declared, SiteDeclaration

_Judge: TypeAlias = Callable[
    [Declared[SiteDeclaration], Inherited, Sequence[Stack], tuple[Tool, ...]], tuple[Tool, ...]
]


class OnceByToolset:
    """Judges the tools of one configuration that have the block `key`."""

    def __init__(self, key: str, judge: _Judge) -> None:
        self._key = key
        self._judge = judge
        self._judged: dict[int, tuple[tuple[Tool, ...], tuple[Tool, ...]]] = {}

    def checked(
        self, site: Declared[SiteDeclaration], inherited: Inherited, tools: tuple[Tool, ...]
    ) -> tuple[Tool, ...]:
        """Return what is left of `tools`, and what they are now known to do."""
        if id(tools) not in self._judged:
            stacks = [stack for stack in inherited.enabled if stack.giver(self._key) is not None]
            found = self._judge(site, inherited, stacks, tools) if stacks else tools
            self._judged[id(tools)] = (tools, found)  # kept, so that no other has this id
        return self._judged[id(tools)][1]

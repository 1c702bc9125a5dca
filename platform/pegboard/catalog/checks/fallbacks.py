"""Tools that stand in for others: each is there, and none comes back to where it began."""

from collections.abc import Mapping

from pegboard.catalog.findings import Findings
from pegboard.catalog.tool import Tool
from pegboard.catalog.toolsets.inheritance import Inherited
from pegboard.catalog.toolsets.mentions import Mentions
from pegboard.config.declarations import Declared, SiteDeclaration

_KEY = "call.fallback"


class Fallbacks:
    """Judges the toolsets of one configuration; those that several sites share, once."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._judged: dict[int, tuple[Tool, ...]] = {}

    def check(self, site: Declared[SiteDeclaration], inherited: Inherited, tools: tuple[Tool, ...]) -> None:
        """Report fallbacks among `tools` that are not there, and those that lead in a circle."""
        if id(tools) in self._judged:
            return
        self._judged[id(tools)] = tools
        leading = {tool.name: tool for tool in tools if tool.limits.fallback}
        if not leading:
            return
        mentions = Mentions(site, inherited, [tool.name for tool in tools], self._findings)
        for tool in leading.values():
            whose = f"tool {tool.name!r} falls back to {tool.limits.fallback!r}"
            place = tool.origin[_KEY]
            mentions.check(tool.limits.fallback, place, whose=whose, missing=f"{whose}, which its site lacks")
        for circle in _circles(leading):
            names = " -> ".join([*(tool.name for tool in circle), circle[0].name])
            also = tuple(tool.origin[_KEY] for tool in circle[1:])
            self._findings.add("PB225", circle[0].origin[_KEY], f"tools fall back in a circle: {names}", also=also)


def _circles(leading: Mapping[str, Tool]) -> list[list[Tool]]:
    """Return each circle once, beginning with the tool of it that was declared first."""
    circles: list[list[Tool]] = []
    done: set[str] = set()
    for first in leading:
        name, way = first, list[str]()
        while name in leading and name not in done and name not in way:
            way.append(name)
            name = leading[name].limits.fallback
        if name in way:
            circles.append([leading[each] for each in way[way.index(name) :]])
        done.update(way)
    return circles

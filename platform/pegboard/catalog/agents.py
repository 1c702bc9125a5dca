"""Agents that sites are given by their names: declared ones first, then those that ship.

Not here: what their tools are at each site (`checks/agents.py`), nor how they run (`handlers/agent`).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from pegboard.catalog.findings import Findings
from pegboard.config.declarations import Declared, SiteDeclaration, ToolDeclaration
from pegboard.config.shipped import NAME, shipped_agents

Tool = Declared[ToolDeclaration]


def is_shipped(tool: Declared[ToolDeclaration]) -> bool:
    """Tell whether a declaration is one of those that ship."""
    return tool.span.file == NAME


class Agents:
    """Those that one configuration can name; `tools` are all that its documents declare for types."""

    def __init__(self, tools: Iterable[Declared[ToolDeclaration]], findings: Findings) -> None:
        self._tools = list(tools)
        self._findings = findings

    @cached_property
    def _declared(self) -> Mapping[str, Tool]:
        """The declared ones by name; of several types' the first."""
        found: dict[str, Tool] = {}
        for tool in self._tools:
            if tool.value.agent is not None:
                found.setdefault(tool.value.name, tool)
        return found

    def of_site(self, site: Declared[SiteDeclaration]) -> Sequence[Tool]:
        """Return the agents that `site` names and that there are."""
        named = [self._find(name) for name in dict.fromkeys(site.value.agents)] if site.gives("agents") else []
        return [agent for agent in named if agent is not None]

    def check(self, site: Declared[SiteDeclaration]) -> None:
        """Report names that are no agent's."""
        for index, name in enumerate(site.value.agents):
            place = site.at("agents", index)
            if name in site.value.agents[:index]:
                message = f"site {site.value.name!r} is given the agent {name!r} twice"
                self._findings.add("PB201", place, message, also=(site.at("agents", site.value.agents.index(name)),))
            elif self._find(name) is None:
                self._report(site, name, index)

    def _find(self, name: str) -> Tool | None:
        return self._declared.get(name) or shipped_agents().get(name)

    def _report(self, site: Declared[SiteDeclaration], name: str, index: int) -> None:
        message, place = f"site {site.value.name!r} is given the agent {name!r}", site.at("agents", index)
        other = next((tool for tool in self._tools if tool.value.name == name), None)
        if other is not None:
            hint = "A site has the tools of its types; one of another type is declared in the site's `tools`."
            self._findings.add("PB232", place, f"{message}, which is a tool and no agent", hint=hint)
            return
        if name == "plan":
            hint = "Planning is a tool: declare one with `handler: pegboard.handlers.plan:plan` in the site's `tools`."
            self._findings.add("PB232", place, f"{message}, which is no agent", hint=hint)
            return
        hint = self._findings.near(name, [*self._declared, *shipped_agents()], noun="agents")
        self._findings.unknown("PB232", place, f"{message}, which neither ships nor is declared", hint=hint)

"""Agents and the tools of the sites that get them: what an agent may use is there, and whether it only reads.

A list that a document writes names what there is; of the lists that ship, each site's agents have what the site has.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from pegboard.catalog.agents import is_shipped
from pegboard.catalog.checks.once import OnceByToolset
from pegboard.catalog.findings import Findings
from pegboard.catalog.tool import Tool
from pegboard.catalog.toolsets.inheritance import Inherited
from pegboard.catalog.toolsets.layers import Stack
from pegboard.catalog.toolsets.mentions import Mentions
from pegboard.config.blocks.agent import AgentBlockDeclaration
from pegboard.config.declarations import Declared, SiteDeclaration
from pegboard.config.span import Span
from pegboard.text import named

_KEY = "agent"


class AgentTools:
    """Judges the agents of one configuration; toolsets that several sites share, once."""

    def __init__(self, findings: Findings, broken: set[Span]) -> None:
        self._findings = findings
        self._broken = broken
        self._once = OnceByToolset(_KEY, self._judge)

    def checked(
        self, site: Declared[SiteDeclaration], inherited: Inherited, tools: tuple[Tool, ...]
    ) -> tuple[Tool, ...]:
        """Return `tools` without the agents that cannot work there, and are reported; the others know what they do."""
        return self._once.checked(site, inherited, tools)

    def _judge(
        self, site: Declared[SiteDeclaration], inherited: Inherited, stacks: Sequence[Stack], tools: tuple[Tool, ...]
    ) -> tuple[Tool, ...]:
        by_name = {tool.name: tool for tool in tools}
        mentions = Mentions(site, inherited, list(by_name), self._findings)
        broken = {stack.name for stack in inherited.enabled if stack.name not in by_name}  # that is told where they are
        bad = {stack.name for stack in stacks if not self._has_its_tools(site, stack, {*by_name, *broken}, mentions)}
        for stack in stacks:
            if stack.name in bad:
                self._broken.update(layer.tool.span for layer in stack.layers)
        blocks = {stack.name: _block(stack) for stack in stacks if stack.name in by_name and stack.name not in bad}
        silent = {stack.name for stack in stacks if stack.giver("read_only") is None}
        return tuple(
            replace(tool, read_only=_only_reads(tool.name, blocks, by_name, frozenset()))
            if tool.name in blocks and tool.name in silent
            else tool
            for tool in tools
            if tool.name not in bad
        )

    def _has_its_tools(
        self, site: Declared[SiteDeclaration], stack: Stack, known: Collection[str], mentions: Mentions
    ) -> bool:
        """Tell whether an agent has what its list names, or, of one that ships, some of it."""
        giver, wanted = stack.giver(_KEY), _block(stack).tools
        assert giver is not None
        missing = [name for name in wanted if name not in known]
        if not is_shipped(giver):
            for name in missing:
                whose = f"agent {stack.name!r} may use {name!r}"
                place = giver.at(_KEY, "tools", wanted.index(name))
                mentions.check(name, place, whose=whose, missing=f"{whose}, which its site lacks")
            return not missing
        if wanted and len(missing) == len(wanted):
            message = f"agent {stack.name!r} finds none of its tools at site {site.value.name!r}: {named(wanted)}"
            hint = "Give the site one of them, or declare an agent of your own under `agents:`."
            if any("document" in name for name in wanted):
                hint += " docs/documents.md says how a site gets those that keep documents."
            self._findings.add("PB234", _given_at(site, stack.name), message, hint=hint)
            return False
        return True


def _block(stack: Stack) -> AgentBlockDeclaration:
    block: AgentBlockDeclaration = stack.value(_KEY)
    return block


def _given_at(site: Declared[SiteDeclaration], name: str) -> Span:
    """Return where `site` names an agent; where another site does that it extends, what says so."""
    names = site.value.agents
    return site.at("agents", names.index(name)) if name in names else site.at("extends")


def _only_reads(
    name: str, blocks: Mapping[str, AgentBlockDeclaration], tools: Mapping[str, Tool], above: frozenset[str]
) -> bool:
    """Tell whether all tools that an agent may use only read; agents among them are looked through."""
    return all(
        tools[used].read_only or used in above or (used in blocks and _only_reads(used, blocks, tools, above | {name}))
        for used in blocks[name].tools
        if used in tools and used != name
    )

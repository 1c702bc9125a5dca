"""Flows and the tools of the sites that get them: each step has its tool, arguments that fit, and no flow in itself.

What is wrong with a flow whatever tools there are is found where it is made (`catalog/flows.py`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pegboard.catalog.allowed import wrong
from pegboard.catalog.checks.once import OnceByToolset
from pegboard.catalog.findings import Findings
from pegboard.catalog.flows import plan_of, uses
from pegboard.catalog.schema import returns
from pegboard.catalog.schema.agreement import disagreement
from pegboard.catalog.tool import Tool
from pegboard.catalog.toolsets.inheritance import Inherited
from pegboard.catalog.toolsets.layers import Stack
from pegboard.catalog.toolsets.mentions import Mentions
from pegboard.config.blocks.flow import FlowBlockDeclaration
from pegboard.config.declarations import Declared, SiteDeclaration, ToolDeclaration
from pegboard.config.span import Span
from pegboard.plan.circles import circles
from pegboard.plan.graph import Node
from pegboard.plan.references import INPUTS, references_in
from pegboard.text import Json

_KEY = "flow"


@dataclass(frozen=True, slots=True)
class _Flow:
    """A flow of a site, with the places of its steps."""

    name: str
    giver: Declared[ToolDeclaration]
    block: FlowBlockDeclaration
    nodes: tuple[Node, ...]
    inputs: Mapping[str, Json]
    """The schema of each input; empty where nobody says."""

    def place(self, index: int, *path: str | int) -> Span:
        return self.giver.at(_KEY, "nodes", index, *path)

    @property
    def calls(self) -> set[str]:
        """The tools of its steps."""
        return {node.tool for node in self.nodes}

    def named_at(self, index: int) -> Span:
        """Return where a step names its tool."""
        return self.place(index, "tool" if self.block.nodes[index].agent is None else "agent")


class Flows:
    """Judges the flows of one configuration; toolsets that several sites share, once."""

    def __init__(self, findings: Findings, broken: set[Span]) -> None:
        self._findings = findings
        self._broken = broken
        self._once = OnceByToolset(_KEY, self._judge)

    def checked(
        self, site: Declared[SiteDeclaration], inherited: Inherited, tools: tuple[Tool, ...]
    ) -> tuple[Tool, ...]:
        """Return `tools` without the flows that cannot work there, which are reported; the others know what they do."""
        return self._once.checked(site, inherited, tools)

    def _judge(
        self, site: Declared[SiteDeclaration], inherited: Inherited, stacks: Sequence[Stack], tools: tuple[Tool, ...]
    ) -> tuple[Tool, ...]:
        by_name = {tool.name: tool for tool in tools}
        flows = {stack.name: _flow(stack, by_name.get(stack.name)) for stack in stacks}
        mentions = Mentions(site, inherited, list(by_name), self._findings)
        bad = {name for name, flow in flows.items() if not self._fits(flow, by_name, mentions)}
        bad |= self._in_circles(flows)
        while more := {name for name, flow in flows.items() if name not in bad and flow.calls & bad}:
            bad |= more
        for stack in stacks:
            self._check_inputs(stack, flows[stack.name])
            if stack.name in bad:
                self._broken.update(layer.tool.span for layer in stack.layers)
        made = {name: flow for name, flow in flows.items() if name in by_name and name not in bad}
        return tuple(_told(tool, made, by_name, stacks) for tool in tools if tool.name not in bad)

    # Steps

    def _fits(self, flow: _Flow, tools: Mapping[str, Tool], mentions: Mentions) -> bool:
        """Tell whether the site has the tools of all steps, and they take what they are given."""
        fits = True
        for index, node in enumerate(flow.nodes):
            tool = tools.get(node.tool)
            if tool is None:
                whose = f"flow {flow.name!r} calls {node.tool!r} in its step {node.id!r}"
                mentions.check(node.tool, flow.named_at(index), whose=whose, missing=f"{whose}, which its site lacks")
                fits = False
                continue
            if node.type == "sub_agent" and not tool.runs_others:
                message = f"flow {flow.name!r}, step {node.id!r}: {node.tool!r} is no agent"
                self._findings.add("PB226", flow.named_at(index), message, hint="It is a tool: name it as `tool`.")
                fits = False
            for path, message in _wrong(flow, node, tool, tools):
                place = flow.place(index, *_in_document(path, node))
                self._findings.add("PB226", place, f"flow {flow.name!r}, step {node.id!r}: {message}")
                fits = False
        return fits

    def _in_circles(self, flows: Mapping[str, _Flow]) -> set[str]:
        """Return the flows that contain themselves, and report each circle once."""
        edges = {
            name: [node.tool for node in flow.nodes if node.tool in flows]  # each as often as it is called
            for name, flow in flows.items()
        }
        found: set[str] = set()
        for circle in circles(edges):
            found.update(circle)
            places = [_calls(flows[name], circle) for name in circle]
            message = f"flow {circle[0]!r} contains itself"
            if len(circle) > 1:
                message = f"flows contain each other: {', '.join(circle)}"
            self._findings.add("PB227", places[0], message, also=tuple(places[1:]))
        return found

    # Inputs

    def _check_inputs(self, stack: Stack, flow: _Flow) -> None:
        giver = stack.giver("parameters")
        if giver is None or giver.value.parameters is None:
            return
        inside = () if returns.is_short(giver.value.parameters) else ("properties",)
        for name in flow.inputs:
            if not uses(flow.block, name):
                place = giver.at_key("parameters", *inside, name)
                self._findings.add("PB228", place, f"flow {flow.name!r} has the input {name!r}, which no step uses")


def _flow(stack: Stack, made: Tool | None) -> _Flow:
    giver, block = stack.giver(_KEY), stack.value(_KEY)
    assert giver is not None
    declared = stack.value("parameters")
    schema = made.parameters if made is not None else returns.formal(declared) if declared else {}
    properties = schema.get("properties")
    return _Flow(stack.name, giver, block, plan_of(block).nodes, properties if isinstance(properties, Mapping) else {})


def _calls(flow: _Flow, circle: list[str]) -> Span:
    """Return where `flow` first calls one of `circle`."""
    return next(flow.named_at(index) for index, node in enumerate(flow.nodes) if node.tool in circle)


def _wrong(
    flow: _Flow, node: Node, tool: Tool, tools: Mapping[str, Tool]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield what is wrong with the arguments of a step as far as they are known, each with its path."""
    for fault in wrong(tool, node.arguments):
        yield fault.path, fault.message
    taken = tool.parameters.get("properties")
    if not isinstance(taken, Mapping):
        return
    for name, value in node.arguments.items():
        given, wanted = _schema_of(value, flow, tools), taken.get(name, {})
        if given is not None and (types := disagreement(given, wanted)) is not None:
            yield (name,), f"{value} is {types[0]}, and {tool.name!r} takes {types[1]} as {name!r}"


def _schema_of(value: Json, flow: _Flow, tools: Mapping[str, Tool]) -> Json:
    """Return what is known of the value that a whole reference stands for; None: nothing."""
    if not isinstance(value, str) or not value.startswith("${") or not value.endswith("}"):
        return None
    references = list(references_in(value))
    if len(references) != 1 or str(references[0]) != value or len(references[0].path) != 1:
        return None
    name, key = references[0].name, str(references[0].path[0])
    if name == INPUTS:
        return flow.inputs.get(key)
    giving = next((tools.get(node.tool) for node in flow.nodes if node.id == name and not node.fallback), None)
    properties = giving.output.get("properties") if giving is not None and giving.output is not None else None
    return properties.get(key) if isinstance(properties, Mapping) else None


def _in_document(path: tuple[str | int, ...], node: Node) -> tuple[str | int, ...]:
    """Return where a document has an argument: an agent's goal may stand beside the others."""
    return path if path == ("goal",) and node.type == "sub_agent" else ("arguments", *path)


def _told(tool: Tool, flows: Mapping[str, _Flow], tools: Mapping[str, Tool], stacks: Sequence[Stack]) -> Tool:
    """Return a tool that, as a flow, knows where its steps stand and whether it only reads."""
    flow = flows.get(tool.name)
    if flow is None:
        return tool
    places = {f"{_KEY}.nodes.{node.id}": flow.place(index) for index, node in enumerate(flow.nodes)}
    stack = next(stack for stack in stacks if stack.name == tool.name)
    only_reads = tool.read_only if stack.giver("read_only") is not None else _only_reads(tool.name, flows, tools)
    return replace(tool, read_only=only_reads, origin={**tool.origin, **places})


def _only_reads(name: str, flows: Mapping[str, _Flow], tools: Mapping[str, Tool]) -> bool:
    """Tell whether all tools that a flow calls only read; flows in it are looked through."""
    return all(
        tools[node.tool].read_only or (node.tool in flows and _only_reads(node.tool, flows, tools))
        for node in flows[name].nodes
    )

"""Recognise files of other tools by what they hold, and say what to do with them."""

from typing import NamedTuple

from pegboard.config.node import Entry, Map, Node, Scalar
from pegboard.config.xml_reader import Element


class Foreign(NamedTuple):
    """A file that is not ours."""

    name: str
    """What it is."""
    hint: str
    """What to do."""


_SITES = Foreign("NLWeb's sites.xml", "Declare each site under `sites:` in tools.d/, with its `types` (itemType).")
_PROMPTS = Foreign(
    "NLWeb's prompts (site_type.xml, prompts.xml)",
    "Scoring prompts stand in each tool's `prompt`; the others have no counterpart. Remove the file.",
)
_NLWEB_NET = Foreign(
    "nlweb-net's ToolDefinitions",
    "Declare each tool under `tools:` with name, examples, prompt and handler.",
)
_TOOLBOX = Foreign(
    "an MCP Toolbox configuration (sources, tools, toolsets by name)",
    "Write `tools:` as a list of declarations; databases are not among the sources that this version serves.",
)
_MCP_CLIENT = Foreign("the configuration of an MCP client", "MCP servers are not among what this version serves.")
_OPENAPI = Foreign("an OpenAPI document", "Declare each operation that you need as a tool with a handler.")
_KUBERNETES = Foreign("a Kubernetes manifest", "Put the value of its data key into a file of its own.")
_SCHEMA = Foreign("a JSON Schema", "Put it under `parameters` or `output` of a tool.")

_TOOLBOX_KINDS = frozenset({"source", "sources", "tool", "tools", "toolset", "toolsets", "authservice", "authservices"})
_BY_KEY = {
    "toolsets": _TOOLBOX,
    "authServices": _TOOLBOX,
    "authSources": _TOOLBOX,
    "mcpServers": _MCP_CLIENT,
    "ToolDefinitions": _NLWEB_NET,
    "openapi": _OPENAPI,
    "swagger": _OPENAPI,
    "apiVersion": _KUBERNETES,
    "properties": _SCHEMA,
}


def recognise_element(root: Element) -> Foreign | None:
    """Tell what an XML file is, if it is not a document of ours."""
    if root.name in {"Tools", "tools"}:
        return None
    if root.name == "Sites":
        return _SITES
    if root.name == "ToolDefinitions":
        return _NLWEB_NET
    if any(element.name == "Prompt" for element in _within(root, 3)):
        return _PROMPTS
    return Foreign(f"XML with the root element <{root.name}>", "The root element of a document is <Tools>.")


def recognise(node: Node) -> Foreign | None:
    """Tell what a YAML or JSON document is, if it is not one of ours."""
    if not isinstance(node, Map):
        return Foreign("no mapping of keys", "A document holds keys such as `tools:` and `sites:`.")
    kind = node.get("kind")
    if isinstance(kind, Scalar) and str(kind.value).lower() in _TOOLBOX_KINDS:
        return _TOOLBOX
    for key in ("tools", "sources"):
        if any("kind" in entry.value.entries for entry in _entries(node.get(key)) if isinstance(entry.value, Map)):
            return _TOOLBOX
    return next((foreign for key, foreign in _BY_KEY.items() if key in node.entries), None)


def _entries(node: Node | None) -> list[Entry]:
    return list(node.entries.values()) if isinstance(node, Map) else []


def _within(element: Element, levels: int) -> list[Element]:
    if levels == 0:
        return []
    return [each for child in element.elements for each in (child, *_within(child, levels - 1))]

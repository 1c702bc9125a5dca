"""Recognise files of other tools by what they hold, and say what to do with them."""

from typing import NamedTuple

from pegboard.config.nlweb.prompts import NAMESPACE
from pegboard.config.syntax.node import Entry, List, Map, Node, Scalar
from pegboard.config.syntax.xml_reader import Element


class Foreign(NamedTuple):
    """A file that is not ours."""

    name: str
    """What it is."""
    hint: str
    """What to do."""


PROMPTS = Foreign(
    "NLWeb's prompts (prompts.xml, site_type.xml)",
    "Let it lie beside tools.xml, and name that folder with -c. What scores a tool stands in its `prompt`.",
)
_NLWEB_SETTINGS = Foreign(
    "a file that sets up NLWeb's own server",
    "Name the folder with tools.xml and sites.xml with -c; models, ports and content are set as docs/nlweb.md says.",
)
_NLWEB_NET = Foreign(
    "nlweb-net's ToolDefinitions",
    "Declare each tool under `tools:`: its id is the `name`, its Description the `description`, "
    "its TriggerPatterns are `examples`.",
)
_TOOLBOX = Foreign(
    "an MCP Toolbox configuration (sources, tools, toolsets by name)",
    "Write `tools:` as a list of declarations; databases are not among the sources that this version serves.",
)
_MCP_CLIENT = Foreign("the configuration of an MCP client", "MCP servers are not among what this version serves.")
_OPENAPI = Foreign("an OpenAPI document", "Declare each operation that you need as a tool with a handler.")
_KUBERNETES = Foreign("a Kubernetes manifest", "Put the value of its data key into a file of its own.")
_SCHEMA = Foreign("a JSON Schema", "Put it under `parameters` or `output` of a tool.")

_TOOLBOX_KINDS = frozenset(
    kind
    for word in ("source", "tool", "toolset", "prompt", "authservice", "embeddingmodel")
    for kind in (word, f"{word}s")
)
_BY_KEY = {
    "toolsets": _TOOLBOX,
    "authServices": _TOOLBOX,
    "authSources": _TOOLBOX,
    "embeddingModels": _TOOLBOX,
    "mcpServers": _MCP_CLIENT,
    "ToolDefinitions": _NLWEB_NET,
    "openapi": _OPENAPI,
    "swagger": _OPENAPI,
    "apiVersion": _KUBERNETES,
    "properties": _SCHEMA,
    **dict.fromkeys(("preferred_endpoint", "preferred_provider", "write_endpoint"), _NLWEB_SETTINGS),
    **dict.fromkeys(("tool_selection_enabled", "decontextualize_enabled", "data_folders"), _NLWEB_SETTINGS),
    **dict.fromkeys(("static_directory", "storage_endpoints"), _NLWEB_SETTINGS),
}


def recognise_element(root: Element) -> Foreign | None:
    """Tell what an XML file is, if it is neither `tools.xml` nor `sites.xml`."""
    if root.name in {"Tools", "tools", "Sites"}:
        return None
    if root.name == "ToolDefinitions":
        return _NLWEB_NET
    namespace = root.attribute("xmlns")
    is_nlweb = namespace is not None and namespace.value.strip() == NAMESPACE
    if is_nlweb or any(element.name == "Prompt" for element in _within(root, 3)):
        return PROMPTS
    return Foreign(f"XML with the root element <{root.name}>", "The root element of a document is <Tools>.")


def _keys_hint(node: Node) -> str:
    """Say what is missing to what is no mapping: the key above a list, or the suffix of XML."""
    if isinstance(node, Scalar) and str(node.value).startswith("<"):
        return "It looks like XML: a document in XML is called *.xml."
    if isinstance(node, List):
        return "A document holds keys: `tools:` stands above a list of tools."
    return "A document holds keys such as `tools:` and `sites:`."


def recognise(node: Node) -> Foreign | None:
    """Tell what a YAML or JSON document is, if it is not one of ours."""
    if not isinstance(node, Map):
        return Foreign("no mapping of keys", _keys_hint(node))
    kind = node.get("kind")
    if isinstance(kind, Scalar) and str(kind.value).lower() in _TOOLBOX_KINDS:
        return _TOOLBOX
    if any(_is_toolbox(entry.value) for key in ("tools", "sources") for entry in _entries(node.get(key))):
        return _TOOLBOX
    return next((foreign for key, foreign in _BY_KEY.items() if key in node.entries), None)


def _is_toolbox(node: Node) -> bool:
    """Tell whether this is a tool or a source of MCP Toolbox, which declares them by name."""
    return isinstance(node, Map) and ("kind" in node.entries or {"type", "source"} <= node.entries.keys())


def _entries(node: Node | None) -> list[Entry]:
    return list(node.entries.values()) if isinstance(node, Map) else []


def _within(element: Element, levels: int) -> list[Element]:
    if levels == 0:
        return []
    return [each for child in element.elements for each in (child, *_within(child, levels - 1))]

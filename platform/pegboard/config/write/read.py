"""Read a file for writing it again: what its documents mean, raw, with their comments, and what is wrong with it."""

import os
from collections.abc import Mapping as Table
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from pegboard.config.declare import Collected, Declarer
from pegboard.config.foreign import Foreign, recognise, recognise_element
from pegboard.config.markup import dedented
from pegboard.config.nlweb.join import join_sites
from pegboard.config.nlweb.sites import read_sites
from pegboard.config.nlweb.tools import read_tools
from pegboard.config.problems import Problems
from pegboard.config.secret.files import SecretFiles
from pegboard.config.sources import Fence
from pegboard.config.syntax.json_reader import read_json, read_json_text
from pegboard.config.syntax.node import Entry, List, Map, Node, Scalar
from pegboard.config.syntax.source import Source, as_far_as_readable, decode
from pegboard.config.syntax.xml_reader import Element, read_xml, text_of
from pegboard.config.syntax.yaml_reader import read_yaml
from pegboard.config.values import Values
from pegboard.config.variables import Variables
from pegboard.config.write.comments import Attacher, between, xml_comments, yaml_comments
from pegboard.config.write.grow import grow
from pegboard.config.write.tree import Mapping

Syntax: TypeAlias = Literal["xml", "yaml", "json"]

SYNTAXES: Table[str, Syntax] = {".xml": "xml", ".yaml": "yaml", ".yml": "yaml", ".json": "json"}
"""What a file's name says."""
_ELSEWHERE = frozenset({"PB105", "PB107", "PB109", "PB120", "PB121", "PB305"})
"""Problems that depend on where a document is read: its variables, secrets and files."""
_EVERYWHERE = Fence((os.sep,))


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as it was read."""

    source: Source
    syntax: Syntax
    roots: tuple[Mapping, ...]
    """Its documents."""
    problems: Problems
    """What is wrong with it wherever it is read."""


def read(data: bytes, name: str, syntax: Syntax) -> Reading:
    """Read the bytes of a file; `name` is how problems call it."""
    problems = Problems()
    source = decode(data, name, problems, is_xml=syntax == "xml")
    if source is None:
        return Reading(as_far_as_readable(data, name), syntax, (), problems)
    nodes = _documents(source, syntax, problems)
    if any(problem.severity == "error" for problem in problems):
        return Reading(source, syntax, (), problems)
    if syntax == "xml":
        join_sites(nodes, problems)
        for node in nodes:
            _say_dialect(node, source)
    values = Values(problems, Variables({}, ()), SecretFiles(None))
    declarer = Declarer(values, problems, Path(os.devnull).parent, _EVERYWHERE, Collected())
    for node in nodes:
        declarer.document(node)
    if syntax == "xml":
        for node in nodes:
            _add_own_keys(node, source, problems)
    kept = Problems(problem for problem in problems if problem.code not in _ELSEWHERE)
    roots = tuple(grow(node, syntax) for node in nodes) or (Mapping(start=len(source.text)),)
    _attach(source, syntax, roots)
    return Reading(source, syntax, roots, kept)


def _documents(source: Source, syntax: Syntax, problems: Problems) -> list[Map]:
    """Return the documents in a file; what is none is a problem."""
    if syntax == "xml":
        root = read_xml(source, problems)
        foreign = recognise_element(root) if root else None
        if root is None or foreign is not None:
            _refuse(foreign, source, root.start if root else 0, problems)
            return []
        return [(read_sites if root.name == "Sites" else read_tools)(root, source, problems)]
    nodes = read_json(source, problems) if syntax == "json" else read_yaml(source, problems)
    for node in nodes:
        _refuse(recognise(node), source, node.start, problems)
    return [node for node in nodes if isinstance(node, Map)]


def _say_dialect(document: Map, source: Source) -> None:
    """Say in the document what only NLWeb's form of it says: the dialect, and what its own tools do otherwise."""
    tools = document.get("tools")
    sites = document.get("sites")
    listed = [each for held in (tools, sites) if isinstance(held, List) for each in held.items if isinstance(each, Map)]
    if all(each.dialect == "own" for each in listed):
        return
    _imply(document, "dialect", "nlweb", source)
    for tool in tools.items if isinstance(tools, List) else ():
        if isinstance(tool, Map) and tool.dialect == "own" and "override" not in tool.entries:
            _imply(tool, "override", "merge", source)


def _imply(owner: Map, key: str, value: str, source: Source) -> None:
    owner.entries[key] = Entry(source, owner.start, owner.start, Scalar(source, owner.start, owner.start, value))


def _refuse(foreign: Foreign | None, source: Source, start: int, problems: Problems) -> None:
    if foreign is not None:
        message = f"this is {foreign.name}, not a pegboard document"
        problems.add("PB006", source.span(start), message, hint=foreign.hint)


def _attach(source: Source, syntax: Syntax, roots: tuple[Mapping, ...]) -> None:
    """Put the comments into the documents: each has those from its own `---` to the next."""
    if syntax == "json" or not roots:
        return
    found = xml_comments(source) if syntax == "xml" else yaml_comments(source)
    begins = [0, *(_begin(source.text, root.start) for root in roots[1:])]
    for root, begin, end in zip(roots, begins, [*begins[1:], len(source.text) + 1], strict=True):
        Attacher(source.text, root).attach(between(found, begin, end))


def _begin(text: str, start: int) -> int:
    """Return the offset of the last `---` before a document."""
    begin = max(text.rfind("\n---", 0, start), 0)
    return max(begin, text.rfind("\r---", begin, start))


def _add_own_keys(document: Map, source: Source, problems: Problems) -> None:
    """Add the keys that begin with `x-`, which are read over where documents are served."""
    root = read_xml(source, Problems())
    for element in root.elements if root else ():
        if element.name.startswith("x-"):
            name = element.attribute("name")
            key = name.value if element.name == "x-" and name else element.name
            entry = Entry(source, element.start + 1, element.start + 1 + len(element.name), _own(element, source))
            if (first := document.entries.setdefault(key, entry)) is not entry:
                hint = "Rename one of the two."
                problems.add("PB005", entry.span, f"{key!r} stands here a second time", hint=hint, also=(first.span,))


def _own(element: Element, source: Source) -> Node:
    """Return what an element of the author's own holds: JSON, or else its text."""
    text = text_of(element, source)
    found = Problems()
    node = read_json_text(text.value, source, text.offset, found)
    if node is not None and not found:
        return node
    start = element.inner if not element.is_empty_tag else element.start
    return Scalar(source, start, max(element.end - 1, start), dedented(text.value))

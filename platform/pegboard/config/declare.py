"""Make declarations of a document's nodes: each for itself, so that a bad one does not hide the others."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import TypeVar

from pydantic import ValidationError

from pegboard.config.as_tool import agent_as_tool, flow_as_tool
from pegboard.config.blocks.agent import AgentDeclaration
from pegboard.config.blocks.flow import FlowDeclaration
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.calling import CallDeclaration
from pegboard.config.declaration import Declaration
from pegboard.config.declarations import (
    Declared,
    Document,
    KnowledgeDeclaration,
    ModelDeclaration,
    SiteDeclaration,
    ToolDeclaration,
    TypeDeclaration,
)
from pegboard.config.faults import explain, paths_of
from pegboard.config.problems import Dialect, Problem, Problems, Severity, shown_safely
from pegboard.config.shape import document_shape
from pegboard.config.sources import Fence, Look, absolute, near
from pegboard.config.syntax.node import Entry, List, Map, Node, Path, Places, Scalar, value_at
from pegboard.config.values import Values

Kind = TypeVar("Kind", bound=Declaration)

_MOST_DECLARED = 20_000
"""Declarations of one file: what is done for each takes longer than reading it."""
_LONGEST_SHOWN = 500
"""Characters of a path in a message."""


@dataclass(slots=True)
class Collected:
    """The declarations of all documents so far."""

    tools: list[Declared[ToolDeclaration]] = field(default_factory=list)
    sites: list[Declared[SiteDeclaration]] = field(default_factory=list)
    types: list[Declared[TypeDeclaration]] = field(default_factory=list)
    knowledge: list[Declared[KnowledgeDeclaration]] = field(default_factory=list)
    models: list[Declared[ModelDeclaration]] = field(default_factory=list)
    services: list[Declared[SourceDeclaration]] = field(default_factory=list)
    calls: list[Declared[CallDeclaration]] = field(default_factory=list)


class Declarer:
    """Reads the documents of one file."""

    def __init__(self, values: Values, problems: Problems, folder: FilePath, fence: Fence, into: Collected) -> None:
        self._values = values
        self._problems = problems
        self._folder = folder
        """Where relative paths of the document start."""
        self._fence = fence
        self._into = into
        self._look = Look()
        self._left = _MOST_DECLARED

    def document(self, node: Map) -> None:
        """Add what one document declares."""
        _mark(node)
        plain = self._values.read(node, document_shape())
        assert isinstance(plain, dict)
        self._into.types += self._each(plain, node, "types", TypeDeclaration)
        self._into.tools += self._each(plain, node, "tools", ToolDeclaration)
        self._into.tools += [flow_as_tool(flow) for flow in self._each(plain, node, "flows", FlowDeclaration)]
        self._into.tools += [agent_as_tool(agent) for agent in self._each(plain, node, "agents", AgentDeclaration)]
        self._into.sites += self._each(plain, node, "sites", SiteDeclaration)
        knowledge = self._each(plain, node, "knowledge", KnowledgeDeclaration)
        self._into.knowledge += [self._with_paths(declared) for declared in knowledge]
        self._into.models += self._each(plain, node, "models", ModelDeclaration)
        self._into.services += self._each(plain, node, "sources", SourceDeclaration)
        self._into.calls += self._one(plain, node, "call", CallDeclaration)
        _, error = _validated(Document, plain)
        if error is not None:
            self._explain(error, node, ())

    def _each(self, plain: dict[str, object], node: Map, key: str, model: type[Kind]) -> list[Declared[Kind]]:
        """Take the list at `key` out of `plain`; what is no list stays, to be reported with the rest."""
        items, nodes = plain.get(key), node.get(key)
        if not isinstance(items, list) or not isinstance(nodes, List):
            return []
        del plain[key]
        self._left -= len(items)
        if self._left < 0:
            message = f"the file declares more than {_MOST_DECLARED:,} tools, sites, types and knowledge"
            self._problems.add("PB004", nodes.span, message, hint="Split it into several files.")
            return []
        found = [
            self._declared(model, item, below, (key, index))
            for index, (item, below) in enumerate(zip(items, nodes.items, strict=True))
        ]
        return [declared for declared in found if declared is not None]

    def _one(self, plain: dict[str, object], node: Map, key: str, model: type[Kind]) -> list[Declared[Kind]]:
        """Take the declaration at `key` out of `plain`; what is no mapping stays, to be reported with the rest."""
        item, below = plain.get(key), node.get(key)
        if not isinstance(item, dict) or not isinstance(below, Map):
            return []
        del plain[key]
        declared = self._declared(model, item, below, (key,))
        return [] if declared is None else [declared]

    def _declared(self, model: type[Kind], plain: object, node: Node, path: Path) -> Declared[Kind] | None:
        value, error = _validated(model, plain)
        if error is not None:
            self._explain(error, node, path)
            plain = _without_faults(plain, error)
            value, error = _validated(model, plain)
            if error is not None and model is SiteDeclaration:
                plain, node = _without_bad_tools(plain, node, error)
                value, _ = _validated(model, plain)
        if value is None:
            return None
        return Declared(value, node.span, _dialect(node), Places(node), self._folder)

    def _explain(self, error: ValidationError, node: Node, path: Path) -> None:
        explain(error, node, path, self._problems, reported=self._values.reported, dialect=_dialect(node))

    def _with_paths(self, declared: Declared[KnowledgeDeclaration]) -> Declared[KnowledgeDeclaration]:
        """Make the sources absolute, and leave out those that may not be read; what is not there is a problem."""
        value = declared.value
        if not value.sources:
            return declared
        paths: list[str] = []
        for position, source in enumerate(value.sources):
            path = absolute(source, self._folder)
            span = declared.at("sources", position)
            whose = f"source {source[:_LONGEST_SHOWN]!r} of knowledge {value.name!r}"
            if source.strip() and not self._fence.holds(path):
                message = f"{whose} lies outside the configuration's folder"
                self._problems.add("PB109", span, message, hint=self._fence.hint)
                continue
            if not source.strip() or not self._look.is_there(path):
                severity: Severity = "error" if value.on_error == "fail" else "warning"
                message = f"{whose} does not exist below {self._folder}"
                self._problems.append(Problem(span, "PB107", severity, shown_safely(message), shown_safely(near(path))))
            if source.strip():
                paths.append(path)
        kept = value.model_copy(update={"sources": paths})
        return replace(declared, value=kept)


def _validated(model: type[Kind], plain: object) -> tuple[Kind | None, ValidationError | None]:
    try:
        return model.model_validate(plain, strict=True), None
    except ValidationError as error:
        return None, error


def _mark(document: Map) -> None:
    """Let the tools and sites of a document that says so be judged as NLWeb's are."""
    dialect = document.get("dialect")
    if not isinstance(dialect, Scalar) or dialect.value != "nlweb":
        return
    for key in ("tools", "sites"):
        listed = document.get(key)
        for each in listed.items if isinstance(listed, List) else ():
            if isinstance(each, Map):
                each.dialect = "nlweb"


def _dialect(node: Node) -> Dialect:
    return node.dialect if isinstance(node, Map) else "own"


def _without_faults(plain: object, error: ValidationError) -> object:
    """Return a declaration without the values that are wrong, so that the rest of it is still judged."""
    for path in filter(None, paths_of(error)):
        plain = _without(plain, path)
    return plain


def _without(plain: object, path: Path) -> object:
    """Return `plain` without the value at `path`; of a list with a bad value in it nothing is kept."""
    key, *rest = path
    if isinstance(plain, dict) and key in plain:
        if _leads_on(plain[key], rest):
            return {**plain, key: _without(plain[key], tuple(rest))}
        return {each: value for each, value in plain.items() if each != key}
    if isinstance(plain, list) and isinstance(key, int):
        return [*plain[:key], _without(plain[key], tuple(rest)), *plain[key + 1 :]]
    return plain


def _leads_on(value: object, rest: Sequence[str | int]) -> bool:
    """Tell whether what is wrong at `rest` can be left out of `value` alone: it is a mapping, or in one of a list."""
    match value, rest:
        case dict(), [_, *_]:
            return True
        case list(), [int(index), _, *_]:
            return isinstance(value[index], dict)
        case _:
            return False


def _without_bad_tools(plain: object, node: Node, error: ValidationError) -> tuple[object, Node]:
    """Return a site without the tools that are wrong, so that the others are still judged."""
    tools = value_at(node, ("tools",))
    if not isinstance(plain, dict) or not isinstance(node, Map) or not isinstance(tools, List):
        return plain, node
    if "tools" not in plain:
        return plain, node
    bad = {path[1] for path in paths_of(error) if path[0] == "tools" and len(path) > 1}
    kept = [index for index in range(len(tools.items)) if index not in bad]
    items = List(tools.source, tools.start, tools.end, [tools.items[index] for index in kept])
    entry = node.entries["tools"]
    entries = {**node.entries, "tools": Entry(entry.source, entry.start, entry.end, items)}
    site = Map(node.source, node.start, node.end, entries, node.dialect)
    return {**plain, "tools": [plain["tools"][index] for index in kept]}, site

"""NLWeb's `tools.xml`, read whole: every dialect of it, into the tree that YAML would give.

    <Tools>
      <Site id="default">                   any other id is a site that inherits nothing
        <Recipe>                            any element is a type; tools may also stand directly below <Tools>
          <Tool name="details" enabled="yes">
            <method>code</method>           `handler` says what runs; `url` and `path`: a warning
            <argument name="item">…</argument>      what the reply holds, where there is no `returnStruc`
            <description>, <example lang="zh">, <prompt>, <returnStruc>, <parameters>, <output>, <handler>

An override replaces the inherited tool whole, as NLWeb has it. Elements that begin with a small letter are
keys of our own (`markup`).
"""

from pegboard.config.declarations import ToolDeclaration
from pegboard.config.markup import Markup, is_foreign
from pegboard.config.nlweb.sites import read_name
from pegboard.config.problems import Problems
from pegboard.config.shape import Record, document_shape, record_of
from pegboard.config.syntax.node import Entry, Map, Scalar
from pegboard.config.syntax.source import Source
from pegboard.config.syntax.xml_reader import Attribute, Element, text_of

_METHODS = frozenset({"builtin", "code", "extension"})
_EXTRAS = frozenset({"path", "method", "argument"})
_SCORE = "integer between 0 and 100"


def read_tools(root: Element, source: Source, problems: Problems) -> Map:
    """Read the root element `<Tools>`."""
    return _Tools(source, problems).document(root)


class _Tools:
    def __init__(self, source: Source, problems: Problems) -> None:
        self._source = source
        self._problems = problems
        self._markup = Markup(source, problems)

    def document(self, root: Element) -> Map:
        header = Element(root.name, root.start, root.inner, root.end, root.is_empty_tag, root.attributes)
        found = self._markup.record(header, document_shape())
        for element in root.elements:
            if element.name.startswith("x-"):
                continue
            if element.name == "Site":
                self._site(found, element)
            elif element.name[:1].islower():
                self._markup.fill(found, [element], document_shape())
            else:
                self._type_or_tool(found, element)
        self._markup.stray_text(root)
        return found

    def _site(self, document: Map, element: Element) -> None:
        id_ = element.attribute("id")
        self._only_attributes(element, {"id"})
        if id_ is None:
            self._problems.add(
                "PB102", self._source.span(element.start), "<Site> has no 'id'", hint='Write <Site id="…">.'
            )
            return
        if id_.value == "default":
            into = document
        else:
            into = self._own_site(element, id_)
            self._markup.append(document, "sites", element, into)
        for child in element.elements:
            self._type_or_tool(into, child)
        if into is not document:
            self._add_types(into, element.elements)
        self._markup.stray_text(element)

    def _own_site(self, element: Element, id_: Attribute) -> Map:
        site = Map(self._source, element.start, element.end, {}, "nlweb")
        self._markup.put(site, "name", id_.start, "id", read_name(id_, self._source, self._problems))
        inherit = Scalar(self._source, element.start, element.end, False)
        self._markup.put(site, "inherit", element.start + 1, element.name, inherit)
        return site

    def _add_types(self, site: Map, elements: list[Element]) -> None:
        """Let a site be about the types that it has tools for."""
        first = dict[str, Element]()
        for element in elements:
            if element.name not in {"Tool", "tool"} and first.setdefault(element.name, element) is element:
                self._markup.append(site, "types", element, self._name(element))

    def _name(self, element: Element) -> Scalar:
        return Scalar(self._source, element.start + 1, element.start + 1 + len(element.name), element.name)

    def _type_or_tool(self, into: Map, element: Element) -> None:
        if element.name in {"Tool", "tool"}:
            self._markup.append(into, "tools", element, self._tool(element, None))
            return
        self._only_attributes(element, set())
        for child in element.elements:
            if child.name in {"Tool", "tool"}:
                self._markup.append(into, "tools", child, self._tool(child, element))
            else:
                self._markup.ignored(child.name, child.start + 1, f"<{element.name}>", "A type holds <Tool> elements.")
        self._markup.stray_text(element)

    def _only_attributes(self, element: Element, known: set[str]) -> None:
        for attribute in element.attributes:
            if attribute.name not in known and not is_foreign(attribute.name):
                self._markup.ignored(attribute.name, attribute.start, f"<{element.name}>")

    def _tool(self, element: Element, type_: Element | None) -> Map:
        extras = [child for child in element.elements if child.name in _EXTRAS]
        rest = [part for part in element.content if not (isinstance(part, Element) and part.name in _EXTRAS)]
        bare = Element(
            element.name,
            element.start,
            element.inner,
            element.end,
            element.is_empty_tag,
            element.attributes,
            rest,
        )
        tool = self._markup.record(bare, _tool_shape(), is_nlweb=True)
        if type_ is not None:
            self._markup.put(tool, "type", type_.start + 1, type_.name, self._name(type_))
        if "override" not in tool.entries:
            whole = Scalar(self._source, element.start, element.end, "replace")
            self._markup.put(tool, "override", element.start + 1, element.name, whole)
        for extra in extras:
            if extra.name != "argument":
                self._habit(extra)
        self._arguments(tool, [extra for extra in extras if extra.name == "argument"])
        return tool

    def _habit(self, element: Element) -> None:
        """Report `path` and `method` where they do not say what happens anyway."""
        value = text_of(element, self._source).value.strip()
        if element.name == "method" and value in _METHODS:
            return
        shown = f"{element.name} {value!r}"
        hint = "Remove it: what runs is named by <handler>, or is the room of the tool's name."
        self._problems.add("PB106", self._markup.scalar(element).span, f"{shown} is ignored", hint=hint)

    def _arguments(self, tool: Map, arguments: list[Element]) -> None:
        """Let the arguments be what the scoring reply holds, where nothing else says that."""
        if not arguments:
            return
        if "returns" in tool.entries:
            names = ", ".join(_argument_name(each) for each in arguments)
            hint = "Remove the arguments, or describe them in <returnStruc>."
            span = self._source.span(arguments[0].start)
            self._problems.add(
                "PB106",
                span,
                f"<returnStruc> says what the tool takes: argument {names} is ignored",
                hint=hint,
            )
            return
        first = arguments[0]
        returns = Map(self._source, first.start, arguments[-1].end, {}, "nlweb")
        score = Scalar(self._source, first.start, first.start, _SCORE)
        returns.entries["score"] = Entry(self._source, first.start, first.start, score)
        for element in arguments:
            self._argument(returns, element)
        self._markup.put(tool, "returns", first.start + 1, first.name, returns)

    def _argument(self, returns: Map, element: Element) -> None:
        name = element.attribute("name")
        self._only_attributes(element, {"name"})
        if name is None:
            span = self._source.span(element.start)
            self._problems.add("PB102", span, "<argument> has no 'name'", hint='Write <argument name="…">.')
            return
        self._markup.put(returns, name.value, name.value_start, name.value, self._markup.scalar(element))


def _argument_name(element: Element) -> str:
    name = element.attribute("name")
    return repr(name.value) if name else "without a name"


def _tool_shape() -> Record:
    return record_of(ToolDeclaration)

"""Turn XML elements into the tree that the same document has in YAML.

The rule: a key is an element (or, for a single value, an attribute); a list is its singular element repeated;
a map with free keys is `<entry name="">` repeated; a schema is JSON text. So

    sites:                                     <site name="kitchen" default="true">
      - name: kitchen                            <domain>kitchen.example</domain>
        default: true                            <domain>*.kitchen.example</domain>
        domains: [kitchen.example, "*.…"]        <route early_stop="90"/>
        route: {early_stop: 90}                </site>

stands directly below `<Tools>`, as do `<tool>`, `<type>`, `<knowledge>` and `<version>`. Singulars drop the
last `s`; `extends`, `exclude` and `knowledge` are their own; an empty list is an empty attribute, `types=""`.
Examples are `<example lang="zh">`. Blank space around a text and the indentation of its lines are not part of it,
unless the element says `xml:space="preserve"`; attributes are verbatim.

NLWeb's elements begin with a capital (`<Item>`, `<Site id>`, `<Tool>`): see `nlweb`, which uses this module.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from pegboard.config.problems import Problems
from pegboard.config.shape import Free, Languages, Leaf, ListOf, MapOf, Record, Shape, singular
from pegboard.config.syntax.json_reader import read_json_text
from pegboard.config.syntax.node import Allowance, Entry, List, Map, Node, Scalar, most_nodes
from pegboard.config.syntax.source import Source
from pegboard.config.syntax.xml_reader import Attribute, Chunk, Element, Text, text_of
from pegboard.config.values import NOT_SERVED_HINT, not_served
from pegboard.text import did_you_mean, nearest

_ALIASES = {"returnStruc": "returns"}
"""NLWeb's word for a key of ours."""
_FOREIGN_PREFIXES = ("xml:", "xmlns:", "xsi:")


class Markup:
    """Reads the elements of one file."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self.source = source
        self.problems = problems
        self._allowance = Allowance(most_nodes(len(source.text)))

    def record(self, element: Element, shape: Record, *, is_nlweb: bool = False) -> Map:
        """Read an element whose keys are known."""
        found = Map(self.source, element.start, element.end, {}, "nlweb" if is_nlweb else "own")
        for attribute in element.attributes:
            self._attribute(attribute, shape, found)
        self.fill(found, element.elements, shape)
        self.stray_text(element)
        return found

    def fill(self, into: Map, elements: Iterable[Element], shape: Record) -> None:
        """Add the keys that are written as elements."""
        keys = _keys_of(shape)
        for element in elements:
            key = keys.get(element.name)
            if key is None and element.name in shape.later:
                span = self.source.span(element.start + 1, element.start + 1 + len(element.name))
                self.problems.add("PB101", span, not_served(element.name), hint=NOT_SERVED_HINT)
            elif key is None:
                self._slip(into, element, keys, shape)
            else:
                self._element(into, key, element, shape.keys[key])

    def _slip(self, into: Map, element: Element, keys: Mapping[str, str], shape: Record) -> None:
        """Report an unknown element; one that is a slip of another then counts as that."""
        self.unknown(element.name, element.start + 1, keys, into)
        meant = keys.get(nearest(element.name, keys) or "")
        if meant is not None and meant not in into.entries:
            self._element(into, meant, element, shape.keys[meant])

    def put(self, into: Map, key: str, start: int, name: str, value: Node) -> None:
        """Add a key; a second one is a problem at its place."""
        entry = Entry(self.source, start, start + len(name), value)
        if (first := into.entries.setdefault(key, entry)) is not entry:
            message = f"{name!r} is given here a second time"
            self.problems.add("PB005", entry.span, message, hint="Remove one.", also=(first.span,))

    def append(self, into: Map, key: str, element: Element, value: Node) -> None:
        """Add a value to the list at `key`."""
        entry = into.entries.get(key)
        if entry is None:
            items = List(self.source, value.start, value.end, [])
            entry = Entry(self.source, element.start + 1, element.start + 1 + len(element.name), items)
            into.entries[key] = entry
        if isinstance(entry.value, List):
            entry.value.items.append(value)
            entry.value.end = value.end

    def scalar(self, element: Element) -> Scalar:
        """Read an element that holds one value."""
        for attribute in element.attributes:
            if not is_foreign(attribute.name) and attribute.name not in {"lang", "name"}:
                self.ignored(attribute.name, attribute.start, f"<{element.name}>")
        text = text_of(element, self.source)
        space = element.attribute("xml:space")
        value = text.value if space and space.value == "preserve" else dedented(text.value)
        if inner := element.elements:
            message = f"<{inner[0].name}> stands in the text of <{element.name}>: it is read as text"
            hint = "Write &lt; for <, or put the text into <![CDATA[ ]]>."
            self.problems.add("PB106", self.source.span(inner[0].start), message, hint=hint)
        return Scalar(self.source, *_extent(element, text), value, is_untyped=True)

    def unknown(self, name: str, start: int, known: Iterable[str], owner: Map) -> None:
        """Report an element or attribute that means nothing here.

        NLWeb reads over what it does not know, so there it is a warning, unless it looks like a slip.
        """
        choices = list(known)
        span = self.source.span(start, start + len(name))
        if owner.dialect == "nlweb" and nearest(name, choices) is None:
            self.problems.add("PB106", span, f"{name!r} means nothing here and is ignored")
            return
        hint = did_you_mean(name, choices)
        if name.endswith("s") and name[:-1] in choices:
            hint = f"A list is its singular element repeated: <{name[:-1]}>."
        self.problems.add("PB101", span, f"{name!r} is not known here", hint=hint)

    def ignored(self, name: str, start: int, owner: str, hint: str = "") -> None:
        """Report what is read over."""
        span = self.source.span(start, start + len(name))
        self.problems.add("PB106", span, f"{name!r} of {owner} is ignored", hint=hint)

    def stray_text(self, element: Element) -> None:
        """Report text between the elements of an element that has keys."""
        for part in element.content:
            text = part.text(self.source) if isinstance(part, Chunk) else ""
            if text.strip():
                start = part.start + len(text) - len(text.lstrip())
                message = f"this text in <{element.name}> is ignored"
                self.problems.add("PB106", self.source.span(start, part.end), message, hint="Put it into an element.")
                return

    def _attribute(self, attribute: Attribute, shape: Record, into: Map) -> None:
        key, name = _ALIASES.get(attribute.name, attribute.name), attribute.name
        if is_foreign(name):
            return
        wanted = shape.keys.get(key)
        if isinstance(wanted, ListOf | Languages) and not attribute.value.strip():
            empty = List(self.source, attribute.value_start, attribute.value_end, [])
            self.put(into, key, attribute.start, name, empty)
            return
        if not isinstance(wanted, Leaf):
            if wanted is None:
                self.unknown(name, attribute.start, shape.keys, into)
            else:
                hint = f"Write it as an element: <{tag_of(key, wanted)}>."
                span = self.source.span(attribute.start, attribute.start + len(name))
                self.problems.add("PB101", span, f"{name!r} cannot be an attribute", hint=hint)
            return
        value = Scalar(self.source, attribute.value_start, attribute.value_end, attribute.value, is_untyped=True)
        self.put(into, key, attribute.start, name, value)

    def _element(self, into: Map, key: str, element: Element, shape: Shape) -> None:
        match shape:
            case Languages():
                self._example(into, key, element)
            case ListOf(item=item):
                self.append(into, key, element, self._value(element, item))
            case _:
                self.put(into, key, element.start + 1, element.name, self._value(element, shape))

    def _value(self, element: Element, shape: Shape) -> Node:
        match shape:
            case Record():
                return self.record(element, shape)
            case Free():
                return self._json(element)
            case MapOf(value=value):
                return self._free_keys(element, value)
            case _:
                return self.scalar(element)

    def _json(self, element: Element) -> Node:
        """Read JSON text; where it is none, the problem stands at its place and the key counts as empty."""
        text = text_of(element, self.source)
        what, allowance = f"<{element.name}> holds JSON", self._allowance
        node = read_json_text(text.value, self.source, text.offset, self.problems, what=what, allowance=allowance)
        return node or Map(self.source, element.inner, element.end, {})

    def _free_keys(self, element: Element, shape: Shape) -> Map:
        found = Map(self.source, element.start, element.end, {})
        for entry in element.elements:
            name = entry.attribute("name")
            if entry.name != "entry" or name is None:
                hint = 'Write <entry name="…">.'
                self.problems.add("PB102", self.source.span(entry.start), f"<{entry.name}> has no 'name'", hint=hint)
            else:
                self.put(found, name.value, name.value_start, name.value, self._value(entry, shape))
        self.stray_text(element)
        return found

    def _example(self, into: Map, key: str, element: Element) -> None:
        """Add an example: to a plain list, or, once one names its language, to lists by language."""
        language = element.attribute("lang") or element.attribute("xml:lang")
        value = self.scalar(element)
        entry = into.entries.get(key)
        if language is None and (entry is None or isinstance(entry.value, List)):
            self.append(into, key, element, value)
            return
        if entry is None or isinstance(entry.value, List):
            by_language = Map(self.source, element.start, element.end, {})
            if entry is not None:
                by_language.start = entry.value.start
                by_language.entries[""] = Entry(self.source, entry.start, entry.end, entry.value)
            start = entry.start if entry is not None else element.start + 1
            into.entries[key] = entry = Entry(self.source, start, start + len(element.name), by_language)
        if isinstance(entry.value, Map):
            name = language.value if language else ""
            self.append(entry.value, name, element, value)
            if language and len(_items(entry.value, name)) == 1:
                entry.value.entries[name].start = language.value_start
                entry.value.entries[name].end = language.value_end


@cache
def _keys_of(shape: Record) -> Mapping[str, str]:
    """Return the keys of a shape by the elements that they are written as."""
    keys = {tag_of(key, wanted): key for key, wanted in shape.keys.items()}
    return keys | {alias: key for alias, key in _ALIASES.items() if key in shape.keys}


def tag_of(key: str, shape: Shape) -> str:
    """Return the element that the key is written as."""
    return singular(key) if isinstance(shape, ListOf | Languages) else key


def is_foreign(attribute: str) -> bool:
    """Tell whether an attribute belongs to XML itself, or to an editor."""
    return attribute == "xmlns" or attribute.startswith(_FOREIGN_PREFIXES)


def dedented(text: str) -> str:
    """Remove blank space around a text and the indentation that all its lines but the first share."""
    first, *rest = text.split("\n")
    if not rest:
        return first.strip()
    indents = [len(line) - len(line.lstrip()) for line in rest if line.strip()]
    margin = min(indents, default=0)
    return "\n".join([first.strip(), *(line[margin:].rstrip() for line in rest)]).strip()


def _extent(element: Element, text: Text) -> tuple[int, int]:
    """Return where the text of an element begins and ends; of one without text, where it could begin."""
    stripped = text.value.strip()
    if not stripped:
        start = element.start if element.is_empty_tag else element.inner
        return start, start
    first = len(text.value) - len(text.value.lstrip())
    return text.offset(first), text.offset(first + len(stripped) - 1) + 1


def _items(node: Map, key: str) -> list[Node]:
    value = node.get(key)
    return value.items if isinstance(value, List) else []

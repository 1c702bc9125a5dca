"""NLWeb's `sites.xml`, and the names of its sites.

    <Sites>
      <Site name="kutani-ware.jp">          a name like a domain answers for that domain as well (`join`)
        <itemType>Product</itemType>        all of them count; NLWeb itself read only the first
        <description>Porcelain</description>
      </Site>
    </Sites>

What a site has in `tools.xml` is joined to it in `join`.
"""

from pegboard.config.markup import Markup, is_foreign
from pegboard.config.problems import Problems
from pegboard.config.syntax.node import List, Map, Scalar
from pegboard.config.syntax.source import Source
from pegboard.config.syntax.xml_reader import Attribute, Element

SITES = "sites.xml"
"""How the file is called beside `tools.xml`."""


def read_sites(root: Element, source: Source, problems: Problems) -> Map:
    """Read the root element `<Sites>` into a document that declares these sites."""
    return _Sites(source, problems).document(root)


def read_name(attribute: Attribute, source: Source, problems: Problems) -> Scalar:
    """Read the name of a site; `-` stands where NLWeb had blanks, and both spellings are answered."""
    name = "-".join(attribute.value.split())
    found = Scalar(source, attribute.value_start, attribute.value_end, name, is_untyped=True)
    if name and name != attribute.value:
        message = f"the site {attribute.value!r} is called {name!r} here; requests may name it either way"
        problems.add("PB115", found.span, message, hint=f"Write {name!r}.", dialect="nlweb")
    return found


class _Sites:
    def __init__(self, source: Source, problems: Problems) -> None:
        self._source = source
        self._problems = problems
        self._markup = Markup(source, problems)

    def document(self, root: Element) -> Map:
        found = Map(self._source, root.start, root.end, {}, "nlweb")
        self._ignore_attributes(root, set())
        for element in root.elements:
            if element.name == "Site":
                self._site(found, element)
            else:
                hint = 'It holds <Site name="…"> elements.'
                self._markup.ignored(element.name, element.start + 1, f"<{root.name}>", hint)
        self._markup.stray_text(root)
        return found

    def _site(self, document: Map, element: Element) -> None:
        name = element.attribute("name")
        self._ignore_attributes(element, {"name"})
        if name is None:
            span = self._source.span(element.start)
            self._problems.add("PB102", span, "<Site> has no 'name'", hint='Write <Site name="…">.', dialect="nlweb")
            return
        site = Map(self._source, element.start, element.end, {}, "nlweb")
        self._markup.put(site, "name", name.start, "name", read_name(name, self._source, self._problems))
        known = set[str]()
        for child in element.elements:
            if child.name == "itemType":
                self._type(site, child, known)
            elif child.name == "description":
                self._markup.put(site, "description", child.start + 1, child.name, self._markup.scalar(child))
            else:
                hint = "A site holds <itemType> and <description>; its tools stand in tools.xml."
                self._markup.ignored(child.name, child.start + 1, "<Site>", hint)
        self._markup.stray_text(element)
        self._markup.append(document, "sites", element, site)

    def _type(self, site: Map, element: Element, known: set[str]) -> None:
        """Add a type of the site, unless it is among those that are `known`."""
        value = self._markup.scalar(element)
        name = str(value.value)
        if name and name not in known:
            known.add(name)
            self._markup.append(site, "types", element, value)
            return
        why = f"{name} stands there already" if name else "it is empty"
        self._problems.add("PB106", value.span, f"this <itemType> is ignored: {why}", hint="Remove it.")

    def _ignore_attributes(self, element: Element, known: set[str]) -> None:
        for attribute in element.attributes:
            if attribute.name not in known and not is_foreign(attribute.name):
                self._markup.ignored(attribute.name, attribute.start, f"<{element.name}>")


def values_of(owner: Map, key: str) -> list[str]:
    """Return the texts in the list at `key`."""
    found = owner.get(key)
    items = found.items if isinstance(found, List) else []
    return [item.value for item in items if isinstance(item, Scalar) and isinstance(item.value, str)]

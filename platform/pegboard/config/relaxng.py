"""RELAX NG for documents in XML, NLWeb's form included.

It follows the rule of `markup` and what `nlweb` accepts: any other element below `<Tools>` is a type.
"""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pegboard.config.declarations import ToolDeclaration
from pegboard.config.markup import tag_of
from pegboard.config.shape import (
    Free,
    Languages,
    Leaf,
    ListOf,
    MapOf,
    Record,
    Shape,
    document_shape,
)

_NAMESPACE = "http://relaxng.org/ns/structure/1.0"
_DATATYPES = "http://www.w3.org/2001/XMLSchema-datatypes"
_FLAG = r"\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff]|1|0)\s*"
_VARIABLE = r"[\s\S]*\$\{[\s\S]*"
_DURATION = r"\s*\d+(\.\d+)?\s*(ms|s|m|h)\s*"
_NUMBER = r"\s*[\-+]?\d+(\.\d+)?([eE][\-+]?\d+)?\s*"
_EMPTY = r"\s*"


def xml_schema() -> str:
    """Return the RELAX NG schema of documents in XML."""
    grammar = Element("grammar", {"xmlns": _NAMESPACE, "datatypeLibrary": _DATATYPES})
    SubElement(SubElement(grammar, "start"), "ref", name="Document")
    _document(grammar)
    _nlweb(grammar)
    for record in _records(document_shape()):
        if record.model is not document_shape().model:
            _keys(_define(grammar, record.model.__name__), record)
    _editors_attributes(grammar)
    indent(grammar)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(grammar, encoding="unicode") + "\n"


def _define(grammar: Element, name: str) -> Element:
    return SubElement(grammar, "define", name=name)


def _records(shape: Shape) -> list[Record]:
    """Return every kind of record below `shape`, each once."""
    found = dict[str, Record]()

    def visit(each: Shape) -> None:
        match each:
            case ListOf(item=below) | MapOf(value=below):
                visit(below)
            case Record() if each.model.__name__ not in found:
                found[each.model.__name__] = each
                for below in each.keys.values():
                    visit(below)
            case _:
                pass

    visit(shape)
    return list(found.values())


def _document(grammar: Element) -> None:
    body = SubElement(SubElement(_define(grammar, "Document"), "element", name="Tools"), "interleave")
    record = document_shape()
    for key, shape in record.keys.items():
        _key(body, key, shape, is_required=False)
    _many(body, "Site")
    _many(body, "Tool")
    _many(body, "Type")
    SubElement(body, "ref", name="EditorsAttributes")


def _many(owner: Element, name: str) -> None:
    SubElement(SubElement(owner, "zeroOrMore"), "ref", name=name)


def _nlweb(grammar: Element) -> None:
    site = SubElement(_define(grammar, "Site"), "element", name="Site")
    SubElement(site, "attribute", name="id")
    body = SubElement(site, "interleave")
    _many(body, "Tool")
    _many(body, "Type")
    _type(grammar)
    tool = SubElement(SubElement(_define(grammar, "Tool"), "element", name="Tool"), "interleave")
    SubElement(tool, "ref", name=ToolDeclaration.__name__)
    for name in ("path", "method"):
        SubElement(SubElement(SubElement(tool, "optional"), "element", name=name), "text")
    argument = SubElement(SubElement(tool, "zeroOrMore"), "element", name="argument")
    SubElement(argument, "attribute", name="name")
    SubElement(argument, "text")


def _type(grammar: Element) -> None:
    """Any element that is nothing else is a type."""
    element = SubElement(_define(grammar, "Type"), "element")
    excepted = SubElement(SubElement(element, "anyName"), "except")
    own = [tag_of(key, shape) for key, shape in document_shape().keys.items()]
    for name in ("Tools", "Site", "Tool", *own):
        SubElement(excepted, "name").text = name
    _many(element, "Tool")


def _keys(define: Element, record: Record) -> None:
    body = SubElement(define, "interleave")
    for key, shape in record.keys.items():
        _key(body, key, shape, is_required=key in record.required)


def _key(owner: Element, key: str, shape: Shape, *, is_required: bool) -> None:
    match shape:
        case ListOf(item=item):
            element = SubElement(_repeated(owner, key, is_required=is_required), "element")
            element.set("name", tag_of(key, shape))
            _value(element, item)
        case Languages():
            element = SubElement(_repeated(owner, key, is_required=False), "element", name=tag_of(key, shape))
            SubElement(SubElement(element, "optional"), "attribute", name="lang")
            _text(element)
        case _:
            choice = owner if is_required else SubElement(owner, "optional")
            choice = SubElement(choice, "choice")
            if isinstance(shape, Leaf):
                _leaf(SubElement(choice, "attribute", name=key), shape)
            for name in (key, "returnStruc") if key == "returns" else (key,):
                _value(SubElement(choice, "element", name=name), shape)


def _repeated(owner: Element, key: str, *, is_required: bool) -> Element:
    """Return what takes the elements of a list; an empty one is an empty attribute."""
    if is_required:
        return SubElement(owner, "oneOrMore")
    choice = SubElement(owner, "choice")
    _data(SubElement(choice, "attribute", name=key), _EMPTY)
    return SubElement(choice, "zeroOrMore")


def _value(element: Element, shape: Shape) -> None:
    match shape:
        case Record(model=model):
            SubElement(element, "ref", name=model.__name__)
        case MapOf(value=value):
            entry = SubElement(SubElement(element, "zeroOrMore"), "element", name="entry")
            SubElement(entry, "attribute", name="name")
            _value(entry, value)
        case Leaf(kind="text", choices=()):
            _text(element)
        case Leaf():
            _leaf(element, shape)
        case Free() | Languages() | ListOf():
            SubElement(element, "text")


def _text(element: Element) -> None:
    SubElement(SubElement(element, "optional"), "attribute", name="xml:space")
    SubElement(element, "text")


def _leaf(owner: Element, leaf: Leaf) -> None:
    if leaf.choices:
        choice = SubElement(owner, "choice")
        for word in leaf.choices:
            SubElement(choice, "value").text = word
        _data(choice, _VARIABLE)
        return
    patterns = {"flag": _FLAG, "number": _NUMBER, "duration": _DURATION}
    if leaf.kind == "text":
        SubElement(owner, "text")
    else:
        choice = SubElement(owner, "choice")
        _data(choice, patterns[leaf.kind])
        _data(choice, _VARIABLE)


def _data(owner: Element, pattern: str) -> None:
    data = SubElement(owner, "data", type="string")
    SubElement(data, "param", name="pattern").text = pattern


def _editors_attributes(grammar: Element) -> None:
    """Attributes of other namespaces, such as xsi:schemaLocation, are nobody's business."""
    attribute = SubElement(SubElement(_define(grammar, "EditorsAttributes"), "zeroOrMore"), "attribute")
    excepted = SubElement(SubElement(attribute, "anyName"), "except")
    SubElement(excepted, "nsName", ns="")

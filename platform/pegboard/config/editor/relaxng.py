"""RELAX NG for documents in XML, NLWeb's form included.

It follows the rule of `markup` and what `nlweb` accepts: any other element below `<Tools>` is a type. What editors
say of each element and attribute stands beside it (`a:documentation`). A name class cannot say "begins with x-", so
elements of one's own (`<x-…>`), which the reader reads over, are not in it.
"""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pegboard.config.declarations import ToolDeclaration
from pegboard.config.duration import PATTERN as DURATION
from pegboard.config.editor.described import described
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
    singular,
)
from pegboard.config.sizes import PATTERN as SIZE
from pegboard.text import Json, to_json

_NAMESPACE = "http://relaxng.org/ns/structure/1.0"
_ANNOTATIONS = "http://relaxng.org/ns/compatibility/annotations/1.0"
_DATATYPES = "http://www.w3.org/2001/XMLSchema-datatypes"
_XML = "http://www.w3.org/XML/1998/namespace"
_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
_FLAG = r"\s*([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff]|1|0)\s*"
_VARIABLE = r"[\s\S]*[$]\{[\s\S]*"  # XML Schema's expressions know no escape of $
_NUMBER = r"\s*[\-+]?\d+(\.\d+)?([eE][\-+]?\d+)?\s*"
_EMPTY = r"\s*"
_PATTERNS = {"flag": _FLAG, "number": _NUMBER, "duration": rf"\s*({DURATION})\s*", "size": rf"\s*({SIZE})\s*"}
_USUAL_TYPES = ("Item", "Article", "Book", "Event", "Movie", "Podcast", "Product", "Recipe", "Restaurant", "Thing")
"""Offered by editors; any other name is a type as well."""


def xml_schema() -> str:
    """Return the RELAX NG schema of documents in XML."""
    grammar = Element("grammar", {"xmlns": _NAMESPACE, "xmlns:a": _ANNOTATIONS, "datatypeLibrary": _DATATYPES})
    SubElement(SubElement(grammar, "start"), "ref", name="Document")
    _document(grammar)
    _nlweb(grammar)
    for record in records_below(document_shape()):
        if record.model is not document_shape().model:
            _keys(_define(grammar, record.model.__name__), record)
    _foreign(grammar)
    indent(grammar)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(grammar, encoding="unicode") + "\n"


def records_below(shape: Shape) -> list[Record]:
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


def _define(grammar: Element, name: str) -> Element:
    return SubElement(grammar, "define", name=name)


def _element(owner: Element, name: str, about: str) -> Element:
    """Add an element, with what editors say of it and room for attributes that stand anywhere."""
    element = SubElement(owner, "element", name=name)
    SubElement(element, "a:documentation").text = about
    SubElement(element, "ref", name="Foreign")
    return element


def _attribute(owner: Element, name: str, about: str) -> Element:
    attribute = SubElement(owner, "attribute", name=name)
    SubElement(attribute, "a:documentation").text = about
    return attribute


def _document(grammar: Element) -> None:
    about = "A document: types with their tools (as NLWeb has them), sites, knowledge, types of your own."
    body = SubElement(_element(_define(grammar, "Document"), "Tools", about), "interleave")
    record = document_shape()
    for key in record.keys:
        _key(body, key, record)
    for name in ("Site", "Tool", "Type"):
        _many(body, name)


def _many(owner: Element, name: str) -> None:
    SubElement(SubElement(owner, "zeroOrMore"), "ref", name=name)


def _nlweb(grammar: Element) -> None:
    about = "A site as NLWeb has it: the types in it are its own. Any id but `default` inherits nothing."
    site = _element(_define(grammar, "Site"), "Site", about)
    _attribute(site, "id", "Name of the site; `default`: the tools are those of all sites.")
    body = SubElement(site, "interleave")
    _many(body, "Tool")
    _many(body, "Type")
    _type(grammar)
    about = "A tool, as NLWeb has it: it replaces an inherited one of its name whole, unless override is `merge`."
    tool = SubElement(_element(_define(grammar, "Tool"), "Tool", about), "interleave")
    SubElement(tool, "ref", name=ToolDeclaration.__name__)
    ignored = "Of NLWeb, which ignores it as well: what runs is named by <handler>."
    for name in ("path", "method"):
        SubElement(_element(SubElement(tool, "zeroOrMore"), name, ignored), "text")
    about = "An argument in NLWeb's form: it counts where there is no <returnStruc>."
    argument = _element(SubElement(tool, "zeroOrMore"), "argument", about)
    _attribute(argument, "name", "Name of the argument.")
    SubElement(argument, "text")


def _type(grammar: Element) -> None:
    """Any element that is nothing else is a type."""
    element = SubElement(_define(grammar, "Type"), "element")
    choice = SubElement(element, "choice")
    for name in _USUAL_TYPES:
        SubElement(choice, "name").text = name
    excepted = SubElement(SubElement(choice, "anyName"), "except")
    own = [tag_of(key, shape) for key, shape in document_shape().keys.items()]
    for name in ("Tools", "Site", "Tool", *own, *_USUAL_TYPES):
        SubElement(excepted, "name").text = name
    SubElement(element, "a:documentation").text = (
        "A type: a schema.org class, Item (all types), or a type of your own. "
        "Sites of this type, and of more specific ones, take the tools in it."
    )
    SubElement(element, "ref", name="Foreign")
    _many(element, "Tool")


def _keys(define: Element, record: Record) -> None:
    body = SubElement(define, "interleave")
    for key in record.keys:
        _key(body, key, record)


def _key(owner: Element, key: str, record: Record) -> None:
    shape, about = record.keys[key], _about(record, key)
    is_required = key in record.required
    match shape:
        case ListOf(item=item):
            owner = _repeated(owner, key, is_required=is_required)
            _value(_element(owner, tag_of(key, shape), about), item)
        case Languages():
            element = _element(_repeated(owner, key, is_required=False), tag_of(key, shape), about)
            _attribute(SubElement(element, "optional"), "lang", "Its language, such as en or zh.")
            SubElement(element, "text")
        case _:
            choice = SubElement(owner if is_required else SubElement(owner, "optional"), "choice")
            if isinstance(shape, Leaf):
                _leaf(_attribute(choice, key, about), shape)
            for name in (key, "returnStruc") if key == "returns" else (key,):
                _value(_element(choice, name, about), shape)


def _repeated(owner: Element, key: str, *, is_required: bool) -> Element:
    """Return what takes the elements of a list; an empty one is an empty attribute."""
    if is_required:
        return SubElement(owner, "oneOrMore")
    choice = SubElement(owner, "choice")
    _data(_attribute(choice, key, f"Empty, for an empty list; its values are elements: <{singular(key)}>."), _EMPTY)
    return SubElement(choice, "zeroOrMore")


def _about(record: Record, key: str) -> str:
    """Return what editors say of a key: what it is, its choices, default and samples, one a line."""
    said, shape = described(record, key), record.keys[key]
    lines = [said.text, *(f"{choice}: {meaning}" for choice, meaning in said.choices.items())]
    if said.default is not None and isinstance(shape, Leaf):
        lines.append(f"Default: {_written(said.default)}")
    if not isinstance(shape, Record) and not (isinstance(shape, ListOf) and isinstance(shape.item, Record)):
        samples = [_written(value) for sample in said.samples for value in _values(sample, shape)]
        told = {"", _written(said.default), *said.choices}
        lines += [f"Example: {sample}" for sample in dict.fromkeys(samples) if sample not in told]
    return "\n".join(lines)


def _values(sample: Json, shape: Shape) -> list[Json]:
    """Return what a sample is in XML, where a list is its element repeated."""
    match shape, sample:
        case Languages(), dict():
            return [text for texts in sample.values() if isinstance(texts, list) for text in texts]
        case ((Languages() | ListOf()), list()):
            return sample
        case _:
            return [sample]


def _written(value: Json) -> str:
    return " ".join(value.split()) if isinstance(value, str) else to_json(value)


def _value(element: Element, shape: Shape) -> None:
    match shape:
        case Record(model=model):
            SubElement(element, "ref", name=model.__name__)
        case MapOf(value=value):
            entry = _element(SubElement(element, "zeroOrMore"), "entry", "One key and its value.")
            _attribute(entry, "name", "The key.")
            _value(entry, value)
        case Leaf():
            _leaf(element, shape)
        case Free() | Languages() | ListOf():
            SubElement(element, "text")


def _leaf(owner: Element, leaf: Leaf) -> None:
    if leaf.choices:
        choice = SubElement(owner, "choice")
        for word in leaf.choices:
            SubElement(choice, "value").text = word
        _data(choice, _VARIABLE)
    elif (pattern := _PATTERNS.get(leaf.kind)) is not None:
        choice = SubElement(owner, "choice")
        if leaf.kind == "flag":
            SubElement(choice, "value").text = "true"
            SubElement(choice, "value").text = "false"
        _data(choice, pattern)
        _data(choice, _VARIABLE)
    else:
        SubElement(owner, "text")


def _data(owner: Element, pattern: str) -> None:
    data = SubElement(owner, "data", type="string")
    SubElement(data, "param", name="pattern").text = pattern


def _foreign(grammar: Element) -> None:
    """Attributes of XML itself, and of editors (xsi:schemaLocation), stand anywhere."""
    define = _define(grammar, "Foreign")
    space = _attribute(SubElement(define, "optional"), "xml:space", "`preserve` keeps blank space around a text.")
    choice = SubElement(space, "choice")
    SubElement(choice, "value").text = "preserve"
    SubElement(choice, "value").text = "default"
    attribute = SubElement(SubElement(define, "zeroOrMore"), "attribute")
    names = SubElement(attribute, "choice")
    SubElement(names, "nsName", ns=_INSTANCE)
    excepted = SubElement(SubElement(names, "nsName", ns=_XML), "except")
    SubElement(excepted, "name").text = "xml:space"
    SubElement(attribute, "text")

"""Documents in JSON and XML, and of any bytes, that cost as much as possible; makers of such documents.

Each is made when it is asked for: together they hold hundreds of megabytes.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

Document: TypeAlias = Callable[[], bytes]

SIZE = 1 << 20
"""Bytes of a document that is still read with default settings."""


def filled(piece: str, *, before: str = "", after: str = "") -> Document:
    """Return a maker of a document full of `piece`; it takes the size in bytes."""
    return partial(_filled, piece, before, after)


def _filled(piece: str, before: str, after: str, size: int = SIZE) -> bytes:
    room = size - len((before + after).encode())
    return (before + piece * (room // len(piece.encode())) + after).encode()


def counted(piece: Callable[[int], str], *, before: str = "", after: str = "") -> Document:
    """Return a maker of a document full of `piece(0)`, `piece(1)` and so on; it takes the size in bytes."""
    return partial(_counted, piece, before, after)


def _counted(piece: Callable[[int], str], before: str, after: str, size: int = SIZE) -> bytes:
    room, pieces = size - len((before + after).encode()), list[str]()
    while room > 0:
        pieces.append(piece(len(pieces)))
        room -= len(pieces[-1].encode())
    return "".join((before, *pieces[:-1], after)).encode()


JSON_TOKENS = (
    *("[", "{", ",", '"', "\\", "1", "null", " ", "\n", "[1,", '{"a":', '{"a":[', '"a",', "[],", "{},", "-", ".", "/"),
    *('[{"a":[', "'", "tru", "\\u0041", "\x01", "\ufeff"),
)

JSON_DOCUMENTS: dict[str, Document] = {
    "a list of numbers": filled("1,", before='{"x-a":[', after="1]}"),
    "a list of lists": filled("[],", before='{"x-a":[', after="1]}"),
    "a list of texts": filled('"",', before='{"x-a":[', after="1]}"),
    "a list of mappings": filled("{},", before='{"x-a":[', after="1]}"),
    "a mapping": counted(lambda i: f'"{i:x}":1,', before='{"x-a":{', after='"":1}}'),
    "a mapping of the same key": filled('"":1,', before='{"x-a":{', after='"":1}}'),
    "a text": filled("x", before='{"x-a":"', after='"}'),
    "a text of escapes": filled("\\u0041", before='{"x-a":"', after='"}'),
    "a text of halves": filled("\\ud800", before='{"x-a":"', after='"}'),
    "a text that is not closed": filled("\\u0041", before='{"x-a":"'),
    "a text that ends in a bad escape": filled("\\n", before='{"x-a":"', after="\\x"),
    "a number": filled("1", before='{"x-a":', after="}"),
    "a number with an exponent": filled("1", before='{"x-a":1e', after="}"),
    "a number with a fraction": filled("1", before='{"x-a":1.', after="}"),
    "spaces": filled(" ", before='{"x-a":', after="1}"),
    "unknown keys": counted(lambda i: f'"toolz{i}":1,', before="{", after='"":1}'),
    "tools": counted(lambda i: f'{{"name":"t{i}"}},', before='{"tools":[', after="1]}"),
    "the same tool": filled('{"name":"a"},', before='{"tools":[', after="1]}"),
    "depth of 64": filled("[" * 60 + "]" * 60 + ",", before='{"x-a":[', after="1]}"),
    "depth over 64 at the end": filled("1,", before='{"x-a":[', after="[" * 100),
}

XML_TOKENS = (
    *("<", "<a/>", "<a>", "</a>", "&", "&amp;", "x", " ", "\n", "\r", "<![CDATA[", "]]>", "<!--", "-->", "<?a?>"),
    *("<Tools>", "<!DOCTYPE a [", "<a b='", "\x01", "é", "\ufeff"),
)


def _in_tools(piece: str) -> Document:
    return filled(piece, before="<Tools>", after="</Tools>")


def _in_returns(piece: str, *, before: str = "", after: str = "") -> Document:
    tool, end = "<Tools><Tool name='clock'><returnStruc>", "</returnStruc></Tool></Tools>"
    return filled(piece, before=tool + before, after=after + end)


XML_DOCUMENTS: dict[str, Document] = {
    "empty elements": _in_tools("<a/>"),
    "empty types": _in_tools("<A/>"),
    "empty sites": _in_tools("<Site/>"),
    "sites of NLWeb": counted(lambda i: f"<Site id='s{i}'/>", before="<Tools>", after="</Tools>"),
    "one site of types": counted(lambda i: f"<T{i}/>", before="<Tools><Site id='a'>", after="</Site></Tools>"),
    "empty tools": _in_tools("<Tool/>"),
    "tools in types": counted(lambda i: f"<T{i}><Tool name='a'/></T{i}>", before="<Tools>", after="</Tools>"),
    "the same tool": _in_tools("<Tool name='a'/>"),
    "different tools": counted(lambda i: f"<Tool name='t{i}'/>", before="<Tools>", after="</Tools>"),
    "wide different tools": counted(
        lambda i: f"<Tool name='tttttttttttttttt{i}'/>", before="<Tools>", after="</Tools>"
    ),
    "wide own tools": counted(lambda i: f"<tool name='tttttttttttttttt{i}'/>", before="<Tools>", after="</Tools>"),
    "wide tools in types": counted(
        lambda i: f"<Tttttttttttt{i}><Tool name='a'/></Tttttttttttt{i}>", before="<Tools>", after="</Tools>"
    ),
    "own tools": counted(lambda i: f"<tool name='t{i}'/>", before="<Tools>", after="</Tools>"),
    "unknown elements": _in_tools("<toolz/>"),
    "different unknown elements": counted(lambda i: f"<toolz{i}/>", before="<Tools>", after="</Tools>"),
    "unknown elements in a tool": counted(
        lambda i: f"<k{i}/>", before="<Tools><Tool name='a'>", after="</Tool></Tools>"
    ),
    "the same element in a tool": filled("<prompt/>", before="<Tools><Tool name='a'>", after="</Tool></Tools>"),
    "examples": filled("<example>a</example>", before="<Tools><Tool name='clock'>", after="</Tool></Tools>"),
    "examples by language": counted(
        lambda i: f"<example lang='l{i}'>a</example>", before="<Tools><Tool name='clock'>", after="</Tool></Tools>"
    ),
    "arguments": counted(
        lambda i: f"<argument name='a{i}'/>", before="<Tools><Tool name='clock'>", after="</Tool></Tools>"
    ),
    "methods": filled("<method>x</method>", before="<Tools><Tool name='clock'>", after="</Tool></Tools>"),
    "text between elements": _in_tools("x<a/>"),
    "one text": filled("x", before="<Tools><x-a>", after="</x-a></Tools>"),
    "one text of references": filled("&amp;", before="<Tools><version>", after="</version></Tools>"),
    "one text of character references": filled("&#65;", before="<Tools><version>", after="</version></Tools>"),
    "one text of lines": filled("x\n", before="<Tools><version>", after="</version></Tools>"),
    "one text of carriage returns": filled("x\r", before="<Tools><version>", after="</version></Tools>"),
    "one text of elements": filled("x<b/>", before="<Tools><version>", after="</version></Tools>"),
    "one text of CDATA": filled("<![CDATA[]]>", before="<Tools><version>", after="</version></Tools>"),
    "one text of CDATA with text": filled("<![CDATA[a]]>", before="<Tools><version>", after="</version></Tools>"),
    "one text of comments": filled("<!---->a", before="<Tools><version>", after="</version></Tools>"),
    "one text of indented lines": filled("\n   ", before="<Tools><version>", after="x</version></Tools>"),
    "attributes": counted(lambda i: f"a{i}='' ", before="<Tools ", after="/>"),
    "attributes of a tool": counted(lambda i: f"a{i}='' ", before="<Tools><Tool ", after="/></Tools>"),
    "attributes of many": _in_tools("<a b='' c='' d='' e='' f='' g=''/>"),
    "one attribute": filled("x", before="<Tools a='", after="'/>"),
    "one attribute of references": filled("&lt;", before="<Tools version='", after="'/>"),
    "one attribute name": filled("x", before="<Tools ", after="=''/>"),
    "one element name": filled("x", before="<Tools><", after="/></Tools>"),
    "spaces in a tag": filled(" ", before="<Tools", after="/>"),
    "spaces around =": filled(" ", before="<Tools a", after="=''/>"),
    "namespaces": counted(lambda i: f"xmlns:a{i}='b' ", before="<Tools ", after="/>"),
    "depth of 64": _in_tools("<a>" * 60 + "</a>" * 60),
    "depth over 64": _in_tools("<a>" * 70 + "</a>" * 70),
    "JSON in a tool": filled(
        "1,", before='<Tools><Tool name="clock"><returnStruc>{"a":[', after="1]}</returnStruc></Tool></Tools>"
    ),
    "JSON of references in a tool": filled(
        "&quot;&quot;,",
        before='<Tools><Tool name="clock"><returnStruc>{"a":[',
        after="1]}</returnStruc></Tool></Tools>",
    ),
    "JSON that is broken in a tool": filled(
        "[", before='<Tools><Tool name="clock"><returnStruc>', after="</returnStruc></Tool></Tools>"
    ),
    "JSON of many nodes in many tools": _in_tools(f"<Tool name='a'><output>{{\"a\":[{'1,' * 9900}1]}}</output></Tool>"),
    "JSON broken in many tools": _in_tools("<Tool name='a'><output>[</output></Tool>"),
    "entries": counted(lambda i: f"<entry name='a{i}'>b</entry>", before="<Tools><x>", after="</x></Tools>"),
    "processing instructions": _in_tools("<?a?>"),
    "comments": _in_tools("<!---->"),
    "a billion laughs": (
        "<!DOCTYPE a [<!ENTITY a0 'ha'>"
        + "".join(f"<!ENTITY a{i + 1} '{f'&a{i};' * 10}'>" for i in range(12))
        + "]><Tools>&a12;</Tools>"
    ).encode,
    "quadratic blowup": f"<!DOCTYPE a [<!ENTITY a '{'x' * 9999}'>]><Tools>{'&a;' * 99_999}</Tools>".encode,
    "an external entity": lambda: b"<!DOCTYPE a [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><Tools>&a;</Tools>",
    "an encoding that is not there": lambda: b"<?xml version='1.0' encoding='" + b"x" * 900 + b"'?><Tools/>",
    "a declaration without an end": filled(" encoding", before="<?xml "),
}

ANY_DOCUMENTS: dict[str, Document] = {
    "zeros": lambda: bytes(SIZE),
    "all ones": lambda: b"\xff" * SIZE,
    "every byte": lambda: bytes(range(256)) * (SIZE // 256),
    "UTF-16 of brackets": lambda: b"\xff\xfe" + "[".encode("utf-16-le") * (SIZE // 2 - 1),
    "UTF-32 of brackets": lambda: b"\xff\xfe\x00\x00" + "[".encode("utf-32-le") * (SIZE // 4 - 1),
    "UTF-8 that ends in half a character": lambda: ("中" * (SIZE // 3)).encode()[:-1],
    "byte order marks": lambda: b"\xef\xbb\xbf" * (SIZE // 3),
    "Latin-1": lambda: ("é" * SIZE).encode("latin-1"),
    "over the cap": lambda: b"#" * (SIZE + 1),
}

"""Put a declaration into a document that is there, without touching anything else in it.

Text is inserted between two lines; nothing is parsed and written anew, so comments, quotes and indentation stay as
their author has them. What cannot be extended so (a list in brackets, an alias) is refused.
"""

import re
from collections.abc import Sequence

from pegboard.config.problems import Problems
from pegboard.config.starter.yaml_text import item_lines
from pegboard.config.syntax.node import List, Map, Node, Scalar
from pegboard.config.syntax.source import Source
from pegboard.config.syntax.xml_reader import Element, read_xml
from pegboard.config.syntax.yaml_reader import read_yaml
from pegboard.errors import UsageError

_COMMENT = re.compile(r"( *)#[^\n]*(?:\n|\Z)")


def added_to_yaml(source: Source, key: str, lines: Sequence[str], *, site_at: int | None = None) -> str:
    """Return the text of `source` with one item more in its list `key`.

    The list is that of the last document in the file; with `site_at`, that of the site that starts at this offset.

    Raises:
        UsageError: the list is written in a form that cannot be extended line by line.
    """
    problems = Problems()
    nodes = read_yaml(source, problems)
    if problems:
        raise UsageError(
            f"{problems[0].span}: nothing can be added: {problems[0].message}.", hint="See platform check."
        )
    documents = [node for node in nodes if isinstance(node, Map)]
    if not nodes and site_at is None:
        return _put(source.text, len(source.text), [f"\n{key}:\n", *item_lines(lines, "  ")])
    owner = _site_in(documents, site_at) if site_at is not None else documents[-1] if documents else None
    if owner is None or source.text[owner.start] == "{":
        raise _refusal(source, owner, key)
    text = _inserted(source, owner, key, lines)
    _verify(source, text, key, owner)
    return text


def _site_in(documents: Sequence[Map], start: int) -> Map | None:
    for document in documents:
        sites = document.get("sites")
        for site in sites.items if isinstance(sites, List) else ():
            if isinstance(site, Map) and site.start == start:
                return site
    return None


def _inserted(source: Source, owner: Map, key: str, lines: Sequence[str]) -> str:
    entry = owner.entries.get(key)
    column = owner.span.column - 1
    match entry.value if entry else None:
        case None:
            gap = "\n" if column == 0 else ""
            block = [f"{gap}{' ' * column}{key}:\n", *item_lines(lines, " " * (column + 2))]
            return _put(source.text, _end_of(source.text, _last_offset(owner), column), block)
        case Scalar(value=None) if entry is not None:
            return _put(source.text, _line_after(source.text, entry.end), item_lines(lines, " " * (column + 2)))
        case List(items=[_, *_]) as items if entry and items.start > entry.end and source.text[items.start] == "-":
            dash = items.span.column - 1
            return _put(source.text, _end_of(source.text, _last_offset(items), dash + 1), item_lines(lines, " " * dash))
        case _:
            raise _refusal(source, owner, key)


def _refusal(source: Source, owner: Map | None, key: str) -> UsageError:
    entry = owner.entries.get(key) if owner else None
    place = entry.span if entry else source.span(owner.start if owner else 0)
    hint = "Write its items below each other, each behind a dash; or leave --file out, for a file of its own."
    return UsageError(f"{place}: `{key}` is written in a form that nothing can be added to.", hint=hint)


def _last_offset(node: Node) -> int:
    """Return where the last value below `node` ends; what an alias or `<<` stands for lies elsewhere."""
    match node:
        case List(items=[*_, last]) if last.start >= node.start:
            return max(_last_offset(last), node.start)
        case Map(entries=entries):
            own = [each for each in entries.values() if node.start <= each.start < max(node.end, node.start + 1)]
            ends = [_last_offset(each.value) if each.value.start >= each.end else each.end for each in own]
            return max(ends, default=node.end)
        case _:
            return node.end


def _end_of(text: str, offset: int, column: int) -> int:
    """Return where what ends at `offset` is over, with the comments below it that begin at `column` or deeper."""
    offset = _line_after(text, offset)
    while (match := _COMMENT.match(text, offset)) and len(match[1]) >= max(column, 1):
        offset = match.end()
    return offset


def _line_after(text: str, offset: int) -> int:
    """Return where the line behind `offset` begins; a block of text ends at the start of a line already."""
    if offset > 0 and text[offset - 1] == "\n":
        return offset
    end = text.find("\n", offset)
    return len(text) if end < 0 else end + 1


def _put(text: str, offset: int, lines: Sequence[str]) -> str:
    before = text[:offset]
    if before and not before.endswith("\n"):
        before += "\n"
    block = "".join(lines)
    return before + (block.replace("\n", "\r\n") if "\r\n" in text else block) + text[offset:]


def _verify(source: Source, text: str, key: str, owner: Map) -> None:
    """Make sure that the document says what it said, and one item more."""
    problems = Problems()
    before = [_plain(node) for node in read_yaml(source, Problems())]
    after = [_plain(node, without_last=(owner.start, key)) for node in read_yaml(Source(source.name, text), problems)]
    if problems or before != after:
        raise _refusal(source, owner, key)


def _plain(node: Node, without_last: tuple[int, str] | None = None) -> object:
    """Return the value of a node; of the list in a mapping that `without_last` names, without the last item."""
    match node:
        case Map(entries=entries):
            plain = {name: _plain(entry.value, without_last) for name, entry in entries.items()}
            if without_last and node.start == without_last[0] and isinstance(found := plain.get(without_last[1]), list):
                plain[without_last[1]] = found[:-1] or None
            return {name: value for name, value in plain.items() if value is not None}
        case List(items=items):
            return [_plain(each, without_last) for each in items]
        case Scalar(value=value):
            return value


def added_to_xml(source: Source, lines: Sequence[str], *, site_at: int | None = None) -> str:
    """Return the text of `source` with these elements at its end; with `site_at`, at the end of that site.

    Raises:
        UsageError: there is no room for them.
    """
    root = read_xml(source, Problems())
    owner = root if site_at is None else xml_site(source, site_at)
    if owner is None or owner.is_empty_tag:
        place = source.span(owner.start if owner else 0)
        raise UsageError(
            f"{place}: nothing can be put in here.", hint="Write it with an end tag, on a line of its own."
        )
    text = source.text
    closing = text.rindex("</", 0, owner.end)
    line_start = text.rfind("\n", 0, closing) + 1
    indent = text[line_start:closing]
    if indent.strip():
        return _put(text[:closing] + "\n" + text[closing:], closing + 1, [f"  {line}\n" for line in lines])
    return _put(text, line_start, [f"{indent}  {line}\n" for line in lines])


def xml_site(source: Source, start: int) -> Element | None:
    """Return the element that starts at an offset, of those directly below the root."""
    root = read_xml(source, Problems())
    return next((each for each in root.elements if each.start == start), None) if root else None

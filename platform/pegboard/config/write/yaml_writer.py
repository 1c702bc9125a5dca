"""Write trees as YAML: blocks of two spaces, comments where they belong."""

from collections.abc import Iterable, Sequence

from pegboard.config.write import yaml_text
from pegboard.config.write.tree import Alias, Branch, Collection, Comment, Mapping, Part, Scalar, walk

HEADER = "yaml-language-server:"
"""How the comment begins that names the schema for editors."""


def write_yaml(documents: Sequence[Branch]) -> str:
    """Return the text of the documents of one file."""
    writer = _Writer()
    for number, root in enumerate(documents):
        if number:
            writer.lines.append("---")
        writer.document(root)
    return "".join(f"{line}\n" for line in writer.lines)


class _Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def document(self, root: Branch) -> None:
        begin = len(self.lines)
        for part in reversed(list(walk(root))):  # from within, for what is moved out may have to go further
            _settle(part)
        if not root.parts or root.properties:
            self._comments(_header_first(root.before), 0, begin)
            self._value(root, "", 0)
            return
        first = root.parts[0]
        self._comments(_header_first([*root.before, *first.before]), 0, begin)
        first.before = []
        self._parts(root, 0, begin)
        self._comments(root.below, 0, begin)

    def _parts(self, owner: Collection, indent: int, begin: int) -> None:
        """Write what is in a collection; `begin` is the first line of it, above which no gap is left."""
        for part in owner.parts:
            self._above(part, indent, begin)
            self._part(part, owner, indent)

    def _above(self, part: Part, indent: int, begin: int) -> None:
        self._comments(part.before, indent, begin)
        if part.has_gap:
            self._gap(begin)

    def _part(self, part: Part, owner: Collection, indent: int) -> None:
        if isinstance(owner, Mapping):
            self._value(part, f"{part.spelled_key or yaml_text.key(part.key)}:", indent)
        elif isinstance(part, Mapping) and part.parts and not part.properties:
            self._item(part, indent)
        else:
            self._value(part, "-", indent)

    def _item(self, part: Mapping, indent: int) -> None:
        """Write a mapping that is an item of a list: its first key stands behind the dash."""
        begin = len(self.lines)
        self._parts(part, indent + 2, begin)
        self.lines[begin] = f"{' ' * indent}- {self.lines[begin][indent + 2 :]}"
        self._comments(part.below, indent + 2, begin)

    def _value(self, part: Part, head: str, indent: int) -> None:
        """Write a value behind its key or dash, and the lines below it."""
        first, rest = _text(part)
        words = " ".join(word for word in (head, part.properties, first) if word)
        beside = f"  {_marked(part.beside)}" if part.beside else ""
        self.lines += [" " * indent + line for line in (words + beside).split("\n")]
        self.lines += [f"{' ' * indent}  {line}" if line else "" for line in rest]
        if isinstance(part, Collection) and part.parts:
            inner = indent + 2 if head else indent
            self._parts(part, inner, len(self.lines))
            self._comments(part.below, inner, 0)

    def _comments(self, comments: Iterable[Comment], indent: int, begin: int) -> None:
        for number, comment in enumerate(comments):
            if comment.has_gap or number:
                self._gap(begin)
            self.lines += [" " * indent + _marked(line) for line in comment.lines]

    def _gap(self, begin: int) -> None:
        """Leave one empty line, but none above the first part."""
        if len(self.lines) > begin and self.lines[-1]:
            self.lines.append("")


def _text(part: Part) -> tuple[str, list[str]]:
    """Return how a value begins, and the lines of a block scalar."""
    match part:
        case Alias(name=name):
            return f"*{name}", []
        case Collection(parts=parts):
            return "" if parts else "{}" if isinstance(part, Mapping) else "[]", []
        case Scalar(value=str(value), spelled=spelled):
            return yaml_text.text(value, spelled)
        case Scalar(value=value):
            return yaml_text.scalar(value), []


def _settle(part: Part) -> None:
    """Move the comments that have no place of their own in YAML to the nearest that is one."""
    if not isinstance(part, Collection):
        return
    if not part.parts:
        part.before += part.below
        part.below = []
    for each in part.parts:
        if isinstance(part, Mapping) or not isinstance(each, Collection) or not each.parts:
            continue
        if not isinstance(each, Mapping):
            if each.beside and not each.properties:
                each.before.append(Comment((each.beside,)))
                each.beside = ""
            _raise(each)
        elif not each.properties:
            _settle_item(each)


def _settle_item(item: Mapping) -> None:
    first = item.parts[0]
    if item.beside and first.beside:
        item.before.append(Comment((item.beside,)))
    first.beside = first.beside or item.beside
    item.beside = ""
    _raise(item)


def _raise(item: Collection) -> None:
    """Put what stands above the first part of an item above the item: there it is read."""
    first = item.parts[0]
    item.before += first.before
    first.before = []


def _marked(line: str) -> str:
    """Return a line of a comment with its mark; one that begins with `#` was written as `##`."""
    return f"#{line}" if line.startswith("#") else f"# {line}".rstrip()


def _header_first(comments: Sequence[Comment]) -> list[Comment]:
    """Put the line that names the schema for editors first."""
    if not comments or _is_header(comments[0].lines[0]):
        return list(comments)
    found: list[Comment] = []
    others: list[Comment] = []
    for comment in comments:
        rest = tuple(line for line in comment.lines if not _is_header(line))
        found += [Comment((line,)) for line in comment.lines if _is_header(line)]
        others += [Comment(rest, comment.has_gap)] if rest else []
    return [*found, *others]


def _is_header(line: str) -> bool:
    return line.strip().startswith(HEADER)

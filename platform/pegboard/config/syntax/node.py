"""The tree behind all syntaxes: what a document says, with the place of each key and value.

A node keeps offsets into its source; its span is worked out when somebody asks. Nodes that YAML aliases name
are shared, so a tree is not changed after it was read; only a misspelt key gets a second entry, under the
right word.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, Union

from pegboard.config.credentials import masked
from pegboard.config.problems import Dialect
from pegboard.config.span import Span
from pegboard.config.syntax.source import Source

Path: TypeAlias = tuple[str | int, ...]
"""Where a value stands below another: `("tools", 0, "handler")`."""

MAX_DEPTH = 64
"""Nodes inside nodes; a deeper document is refused."""
MAX_NODES = 2_000_000
"""Nodes of one file, however large."""
_NODES_IN_ANY = 100_000
"""Nodes that every file may hold."""
_CHARACTERS_OF_NODE = 10
"""Real documents have one node for each 11 to 35 characters; only beyond `_NODES_IN_ANY` does it matter."""
MAX_ALIASED = 100_000
"""Nodes that the aliases and merges of one file may add."""


def most_nodes(characters: int) -> int:
    """Return how many nodes a document of so many characters may hold."""
    return min(MAX_NODES, max(_NODES_IN_ANY, characters // _CHARACTERS_OF_NODE))


@dataclass(slots=True)
class Allowance:
    """How many more nodes the JSON in a file may hold, all of it together."""

    nodes: int


@dataclass(slots=True, eq=False)
class Placed:
    """What every node has: where it stands."""

    source: Source = field(repr=False)
    start: int
    """Offset of its first character, in code points."""
    end: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.source.span(self.start, self.end)


@dataclass(slots=True, eq=False)
class Scalar(Placed):
    """A text, a number, true, false or null."""

    value: bool | int | float | str | None
    written: str = ""
    """A value that is no text, as the file spells it."""
    is_ambiguous: bool = False
    """YAML 1.1 reads it as another thing than YAML 1.2 does: `no`, `1_000`, `1:30`, a date (kept as text)."""
    is_untyped: bool = False
    """Its syntax has no types (XML): the schema says whether the text is a number or a truth value."""
    is_reported: bool = False
    """Its reader has reported it already."""


@dataclass(slots=True, eq=False)
class List(Placed):
    """Values in order."""

    items: list["Node"]


@dataclass(slots=True, eq=False)
class Entry(Placed):
    """A key and its value; the place is the key's."""

    value: "Node"
    is_reported: bool = False
    """The reader has reported the key already."""


@dataclass(slots=True, eq=False)
class Map(Placed):
    """Values by key, in the order of the file."""

    entries: dict[str, Entry]
    dialect: Dialect = "own"
    """`nlweb` for what stands in NLWeb's XML."""

    def get(self, key: str) -> "Node | None":
        """Return the value of `key`, or None."""
        entry = self.entries.get(key)
        return entry.value if entry else None


Node: TypeAlias = Union[Scalar, List, Map]  # noqa: UP007 (recursive)


def child(node: Node, step: str | int) -> Node | None:
    """Return the value below `node` at one step, or None.

    A list of examples stands where the declaration has lists by language: the step `""` stays at it.
    """
    if isinstance(node, Map) and isinstance(step, str):
        return node.get(step)
    if isinstance(node, List):
        if isinstance(step, int):
            return node.items[step] if 0 <= step < len(node.items) else None
        return node if step == "" else None
    return None


def value_at(node: Node, path: Path) -> Node | None:
    """Return the value at `path`, or None."""
    found: Node | None = node
    for step in path:
        if found is None:
            return None
        found = child(found, step)
    return found


def nearest_at(node: Node, path: Path) -> Node:
    """Return the value at `path`, or its nearest owner that is there."""
    for step in path:
        below = child(node, step)
        if below is None:
            return node
        node = below
    return node


def entry_at(node: Node, path: Path) -> Entry | None:
    """Return the entry (key and value) at `path`, or None."""
    owner = value_at(node, path[:-1]) if path else None
    return owner.entries.get(str(path[-1])) if isinstance(owner, Map) else None


class Places(Mapping[Path, Span]):
    """The start of each value below a node by its path, and of each key by the path and one more `""`."""

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    def __getitem__(self, path: Path) -> Span:
        if path and path[-1] == "" and (entry := entry_at(self._node, path[:-1])) is not None:
            return entry.span
        if (node := value_at(self._node, path)) is not None:
            return node.span
        raise KeyError(path)

    def below(self, path: Path) -> "Places":
        """Return the places below the value at `path`, which is there."""
        node = value_at(self._node, path)
        if node is None:
            raise KeyError(path)
        return Places(node)

    def __iter__(self) -> Iterator[Path]:
        yield from _paths(self._node, ())

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _paths(node: Node, path: Path) -> Iterator[Path]:
    if path:
        yield path
    match node:
        case Map(entries=entries):
            for key, entry in entries.items():
                yield (*path, key, "")
                yield from _paths(entry.value, (*path, key))
        case List(items=items):
            for index, item in enumerate(items):
                yield from _paths(item, (*path, index))
        case Scalar():
            pass


def describe(node: Node) -> str:
    """Say what a node is: `the text 'x'`, `a list`, `nothing`."""
    match node:
        case Map():
            return "a mapping"
        case List():
            return "a list"
        case Scalar(value=None):
            return "nothing"
        case Scalar() if node.source.hides(node.start, node.end):
            return "a text that is hidden"
        case Scalar(value=str(text), is_ambiguous=False):
            text = masked(text)
            return f"the text {text if len(text) <= 40 else text[:39] + '…'!r}"
        case _:
            return f"`{node.written}`"

"""The house order: keys as in the declarations' types, gaps between tools and sites."""

from collections.abc import Sequence as Items

from pegboard.config.shape import Free, Languages, Leaf, ListOf, MapOf, Record, Shape, document_shape
from pegboard.config.syntax.yaml_scalars import kind_of, read_plain
from pegboard.config.write.syntax import alias_names
from pegboard.config.write.tree import Alias, Collection, Mapping, Part, Scalar

_APART = frozenset({"tools", "sites"})
"""Lists whose items stand apart, with an empty line between."""
_ON_TOP = ("$schema", "<<", "version", "dialect")


def in_order(root: Part) -> None:
    """Put a document into the house order; keys keep theirs where an alias would come before its anchor."""
    _visit(root, document_shape())
    if isinstance(root, Mapping):
        for before, part in zip(root.parts, root.parts[1:], strict=False):
            if isinstance(part, Collection) or isinstance(before, Collection):
                leave_gap(part)


def leave_gap(part: Part) -> None:
    """Leave an empty line above a part and its comments."""
    if part.before:
        part.before[0] = type(part.before[0])(part.before[0].lines, has_gap=True)
    else:
        part.has_gap = True


def rank(key: str, shape: Record) -> tuple[int, int]:
    """Return where a key stands among others; what is not known comes last, and keeps its order."""
    if key in _ON_TOP:
        return 0, _ON_TOP.index(key)
    if key.startswith("x-"):
        return 1, 0
    return (2, [*shape.keys].index(key)) if key in shape.keys else (3, 0)


def _visit(part: Part, shape: Shape) -> None:
    match part, shape:
        case Mapping(), Record(keys=keys):
            _sort(part, shape)
            for each in part.parts:
                _visit(each, keys.get(each.key, Free()))
                if each.key in _APART and isinstance(each, Collection):
                    _space(each.parts)
        case Collection(parts=parts), ListOf(item=below) | MapOf(value=below):
            for each in parts:
                _visit(each, below)
        case Scalar(), Leaf(kind="flag"):
            _say_plainly(part)
        case _, Leaf() | Free() | Languages() | ListOf() | MapOf() | Record():
            pass


def _space(parts: Items[Part]) -> None:
    for part in parts[1:]:
        leave_gap(part)


def _sort(mapping: Mapping, shape: Record) -> None:
    wanted = sorted(mapping.parts, key=lambda part: rank(part.key, shape))
    if _resolved(wanted) == _resolved(mapping.parts):
        mapping.parts = wanted


def _resolved(parts: Items[Part]) -> tuple[set[tuple[int, int, int]], dict[str, int]]:
    """Return which anchor each alias in `parts` means, and which anchors are in force behind them.

    Anchors and aliases are told by the part that they stand in and their number there, whatever its place.
    """
    pairs: set[tuple[int, int, int]] = set()
    last: dict[str, int] = {}
    for part in parts:
        for number, name in enumerate(alias_names(part)):
            if name.startswith("&"):
                last[name[1:]] = hash((id(part), number))
            else:
                pairs.add((id(part), number, last.get(name[1:], 0)))
    return pairs, last


def _say_plainly(part: Scalar | Alias) -> None:
    """Write `yes` and its like, which YAML 1.2 reads as texts, as the truth value that they are."""
    if not isinstance(part, Scalar) or not isinstance(part.value, str) or part.spelled != part.value:
        return
    if kind_of(part.value) == "bool":
        value, is_ambiguous = read_plain(part.value)
        if is_ambiguous and isinstance(value, bool):
            part.value, part.spelled = value, ""

"""The tree that is written: values in their order, with the comments that belong to each.

Not the tree that was read (`config.node`): here an alias may stand for itself, and a value may keep its spelling.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, Union

from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Comment:
    """Lines of a comment that stand together, without their marks."""

    lines: tuple[str, ...]
    has_gap: bool = False
    """An empty line stands above it."""


@dataclass(slots=True, eq=False, kw_only=True)
class Placed:
    """What every part has: its key, its comments, and where it stood."""

    start: int = 0
    """Offset of its key, or of the value in a list, in the text that was read."""
    end: int = 0
    mark: int | None = None
    """Offset behind which a comment on the same line belongs to it; None: no comment can."""
    key: str = ""
    """Its key, where it stands in a mapping."""
    spelled_key: str = ""
    """The key as it is to be written; empty: as `key` must be written."""
    before: list[Comment] = field(default_factory=list)
    beside: str = ""
    """The comment on its line."""
    has_gap: bool = False
    """An empty line stands above it, below its comments."""
    properties: str = ""
    """Anchor and tag, as YAML writes them."""


@dataclass(slots=True, eq=False, kw_only=True)
class Scalar(Placed):
    """A text, a number, true, false or null."""

    value: bool | int | float | str | None
    spelled: str = ""
    """How it is to be written in the syntax it was read from; empty: as the value must be written."""


@dataclass(slots=True, eq=False, kw_only=True)
class Alias(Placed):
    """A place where YAML writes `*name`."""

    name: str


@dataclass(slots=True, eq=False, kw_only=True)
class Collection(Placed):
    """What a list and a mapping have."""

    parts: list["Part"] = field(default_factory=list)
    below: list[Comment] = field(default_factory=list)
    """Comments behind the last part."""
    column: int | None = None
    """How far its parts stood from the left, from 0, where indentation says where it ends."""


class Sequence(Collection):
    """A list."""


class Mapping(Collection):
    """Parts that each have a key."""

    def get(self, key: str) -> "Part | None":
        """Return the part with that key, or None."""
        return next((part for part in self.parts if part.key == key), None)


Branch: TypeAlias = Sequence | Mapping
Part: TypeAlias = Union[Scalar, Alias, Sequence, Mapping]  # noqa: UP007 (recursive)


def walk(part: Part) -> Iterator[Part]:
    """Yield a part and all below it, in order."""
    yield part
    if isinstance(part, Collection):
        for below in part.parts:
            yield from walk(below)


def comments_of(part: Part) -> Iterator[Comment]:
    """Yield all comments of a part and of those below it."""
    for each in walk(part):
        yield from each.before
        if each.beside:
            yield Comment((each.beside,))
        if isinstance(each, Collection):
            yield from each.below


def plain(part: Part) -> Json:
    """Return what a part means; it holds no alias."""
    match part:
        case Scalar(value=value):
            return value
        case Sequence(parts=parts):
            return [plain(each) for each in parts]
        case Mapping(parts=parts):
            return {each.key: plain(each) for each in parts}
        case _:
            raise TypeError(f"an alias has no meaning of its own: {part}")

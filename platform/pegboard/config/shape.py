"""The shape of documents as a small grammar, read off the declarations' types.

XML has no types and no lists of its own, variables may stand for numbers, and a wrong key needs its
neighbours: whatever has to know what is wanted at a place asks here. `declarations.py` stays the only place
where it is said.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator
from pydantic.fields import FieldInfo

from pegboard.config.declaration import NAME_PATTERN, SITE_NAME_PATTERN, TAKES_REFERENCES
from pegboard.config.declarations import Document, ToolDeclaration
from pegboard.config.duration import read_seconds
from pegboard.config.secret.value import Secret
from pegboard.config.sizes import read_bytes

LeafKind: TypeAlias = Literal["text", "flag", "number", "duration", "size", "secret"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value: a text, a truth value, a number, a duration, a size, a secret."""

    kind: LeafKind
    takes_variables: bool = True
    """False for names and handlers: a variable never says what a thing is or what runs."""
    choices: tuple[str, ...] = ()
    """The only texts that are allowed; empty: any."""
    takes_references: bool = False
    """`${node.path}` may stand in it, and is left as it is."""


@dataclass(frozen=True, slots=True)
class Free:
    """Any JSON: a schema, or what a scoring reply holds."""

    takes_references: bool = False
    """As for a leaf, in all texts below it."""


@dataclass(frozen=True, slots=True)
class Languages:
    """Texts by language, or a plain list."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list."""

    item: "Shape"


@dataclass(frozen=True, slots=True)
class MapOf:
    """A mapping with keys of the author's own."""

    value: "Shape"


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """A mapping with known keys."""

    model: type[BaseModel]
    keys: Mapping[str, "Shape"]
    required: frozenset[str]
    later: frozenset[str] = frozenset()
    """Keys of the shape that this version does not serve."""


Shape: TypeAlias = Union[Leaf, Free, Languages, ListOf, MapOf, Record]  # noqa: UP007 (recursive)

_SINGULARS = {"extends": "extends", "exclude": "exclude", "knowledge": "knowledge"}


def singular(key: str) -> str:
    """Return the element that one value of the list `key` is in XML: `domains` is `<domain>` repeated."""
    return _SINGULARS.get(key, key.removesuffix("s"))


_LATER: dict[type[BaseModel], frozenset[str]] = {
    Document: frozenset({"rules"}),
    ToolDeclaration: frozenset({"plan"}),
}
_NAME_PATTERNS = frozenset({NAME_PATTERN, SITE_NAME_PATTERN})
_FIXED = frozenset({"handler", "type", "types", "parents", "fallback", "tags", "include_tags", "exclude_tags"})
"""Besides names: what says what a thing is, what is taken, or what runs."""


@cache
def record_of(model: type[BaseModel]) -> Record:
    """Return the shape of a declaration's type."""
    keys = {name: _field(name, info) for name, info in model.model_fields.items()}
    required = frozenset(name for name, info in model.model_fields.items() if info.is_required())
    return Record(model, keys, required, _LATER.get(model, frozenset()))


def document_shape() -> Record:
    """Return the shape of a whole document."""
    return record_of(Document)


def _field(name: str, info: FieldInfo) -> Shape:
    shape = _shape(info.annotation, tuple(info.metadata))
    fixed = Leaf("text", takes_variables=False)
    match shape:
        case Leaf() if name in _FIXED:
            return fixed
        case ListOf(item=Leaf()) if name in _FIXED:
            return ListOf(fixed)
        case _:
            return shape


def _shape(annotation: Any, metadata: tuple[object, ...] = ()) -> Shape:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _shape(arguments[0], tuple(arguments[1:]))
    if origin in {Union, UnionType}:
        return _shape(next(argument for argument in arguments if argument is not NoneType), metadata)
    if origin is list:
        return ListOf(_shape(arguments[0]))
    if origin is dict:
        return _mapping(arguments[1], takes_references=TAKES_REFERENCES in metadata)
    if origin is Literal:
        return Leaf("text", choices=tuple(str(argument) for argument in arguments))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return record_of(annotation)
    return _leaf(annotation, metadata)


def _mapping(value: Any, *, takes_references: bool) -> Shape:
    if value is Any:
        return Free(takes_references)
    return Languages() if get_origin(value) is list else MapOf(_shape(value))


def _leaf(annotation: Any, metadata: tuple[object, ...]) -> Leaf:
    readers = {entry.func for entry in metadata if isinstance(entry, BeforeValidator)}
    if read_seconds in readers:
        return Leaf("duration")
    if read_bytes in readers:
        return Leaf("size")
    if annotation is Secret:
        return Leaf("secret")
    if annotation is bool:
        return Leaf("flag")
    if annotation in {int, float}:
        return Leaf("number")
    is_name = any(_pattern(entry) in _NAME_PATTERNS for entry in metadata)
    return Leaf("text", takes_variables=not is_name, takes_references=TAKES_REFERENCES in metadata)


def _pattern(entry: object) -> str | None:
    """Return the pattern that a field's metadata holds; pydantic keeps it one level down."""
    if isinstance(entry, FieldInfo):
        return next((found for each in entry.metadata if (found := _pattern(each))), None)
    found = getattr(entry, "pattern", None)
    return found if isinstance(found, str) else None

"""Typed dictionaries as pydantic reads them: before Python 3.12 it wants those of `typing_extensions`."""

import sys
import types
import typing
from typing import Any

import typing_extensions

_IS_READ = sys.version_info >= (3, 12)
_MOST_NESTED = 32


def readable(annotation: Any, depth: int = 0) -> Any:
    """Return `annotation` with typed dictionaries, also those inside of generics, of the kind that pydantic reads."""
    if _IS_READ or depth > _MOST_NESTED:
        return annotation
    if isinstance(annotation, type) and typing.is_typeddict(annotation):
        return _modern(annotation, depth)
    arguments = typing.get_args(annotation)
    inner = tuple(readable(each, depth + 1) for each in arguments)
    if inner == arguments:
        return annotation
    origin: Any = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return typing.Union[inner]  # noqa: UP007 (made of a tuple)
    if origin is typing.Annotated:
        return typing.Annotated[inner]
    return origin[inner]


def _modern(kind: Any, depth: int) -> Any:
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = {
        name: typing_extensions.Required[readable(hint, depth + 1)]
        if name in kind.__required_keys__
        else typing_extensions.NotRequired[readable(hint, depth + 1)]
        for name, hint in hints.items()
    }
    return typing_extensions.TypedDict(kind.__name__, fields)  # type: ignore[operator]

"""What may be a handler: is an object marked, where does it come from, and can it be called.

The object is only looked at: no attribute is asked for in a way that could run its author's code, and nothing is
called. Above it: `resolve`, which imports the module that holds the object.
"""

import functools
import inspect
from collections.abc import Mapping
from types import FunctionType
from typing import Any

from pegboard.catalog.contract import MARK, Handler

_CACHED = type(functools.cache(lambda: None))
"""What `functools.cache` makes of a function."""

CALL = "call"
"""What does the work of a `Handler`."""
DO = "do"
"""What does the work of a class of NLWeb's."""


def is_class(value: object) -> bool:
    """Tell whether `value` is a class; `isinstance` would believe what an object says of itself."""
    return issubclass(type(value), type)


def is_marked(value: object) -> bool:
    """Tell whether `@tool` was put on this very function, or whether it is a class below `Handler`.

    A mark that was copied onto a wrapper, and a class that was only registered as a `Handler`, do not count.
    """
    if is_class(value):
        return value is not Handler and any(kind is Handler for kind in _line(value))
    return type(value) in {FunctionType, _CACHED} and vars(value).get(MARK) is value


def homes(value: Any, method: str = CALL) -> tuple[str, ...]:
    """Return the modules that a function, or a class and its `method`, were defined in.

    Two, because what an object says of itself (`__module__`) may be copied or forged, and its code has another home.
    """
    if not is_class(value):
        return _said(vars(value).get("__module__", getattr(value, "__module__", None))), _home_of_code(value)
    found = attribute_of(value, method)
    said = _said(_own(value).get("__module__"))
    return (said, _home_of_code(found)) if found is not None else (said,)


def unfit(value: Any, method: str = CALL) -> str:
    """Say why a class cannot be called, in words that go on from its name; empty when it can, or is a function."""
    if not is_class(value):
        return ""
    found = attribute_of(value, method)
    if found is None or (method == CALL and found is vars(Handler)[CALL]):
        return f"has no method `async def {method}`"
    inner = _innermost(found)
    if type(inner) is not FunctionType or not inspect.iscoroutinefunction(inner):
        return f"has a method {method!r} that is no `async def`"
    return ""


def kind_of(value: object) -> str:
    """Say what an object is that is no handler."""
    if is_class(value):
        return "a class that is not below Handler"
    if type(value) in {FunctionType, _CACHED}:
        return "a function without the mark, or a wrapper that only carries a copy of it"
    return f"an object of class {type(value).__name__!r}; a handler is a function or a class"


def attribute_of(value: Any, name: str) -> object | None:
    """Return what the class `value` has under `name`, as it stands there; None when it has nothing."""
    return next((_own(kind)[name] for kind in _line(value) if name in _own(kind)), None)


def _line(value: Any) -> tuple[type, ...]:
    """Return the class and those above it, whatever its metaclass says."""
    line: tuple[type, ...] = type.__dict__["__mro__"].__get__(value)
    return line


def _own(value: Any) -> Mapping[str, object]:
    """Return what stands in the body of a class."""
    own: Mapping[str, object] = type.__dict__["__dict__"].__get__(value)
    return own


def _innermost(value: Any) -> object:
    """Return the function that wrappers were put around."""
    for _ in range(_MOST_WRAPPERS):
        if type(value) not in {FunctionType, _CACHED} or "__wrapped__" not in vars(value):
            break
        value = vars(value)["__wrapped__"]
    return value


_MOST_WRAPPERS = 50


def _home_of_code(value: object) -> str:
    function = _innermost(value)
    return _said(function.__globals__.get("__name__")) if isinstance(function, FunctionType) else "no module"


def _said(name: object) -> str:
    return name if type(name) is str else "no module"

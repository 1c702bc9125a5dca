"""One form for every handler: what it takes by its signature, and a `Run` that calls it."""

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from pegboard.catalog.calling.handlers import blocks, call_class, call_function
from pegboard.catalog.contract import Context, Handler
from pegboard.catalog.loading.docstrings import said_in
from pegboard.catalog.loading.resolve import Found, Unresolved
from pegboard.catalog.loading.typed import Convert, typed
from pegboard.catalog.tool import Run
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Signature:
    """What a handler takes."""

    properties: Mapping[str, dict[str, Json]]
    """The schema of each argument, as far as its annotation tells."""
    required: frozenset[str]
    """Arguments without a default."""
    takes_any: bool
    """It takes arguments of any name."""
    context: str
    """The parameter that gets the context; empty for none."""
    definitions: Mapping[str, Json] = field(default_factory=dict)
    """What the properties refer to under `$defs`."""
    summary: str = ""
    """The first sentence of its docstring."""
    conversions: Mapping[str, Convert] = field(default_factory=dict, compare=False)
    """For the arguments that it does not take as JSON has them."""


ANYTHING = Signature({}, frozenset(), takes_any=True, context="")
"""Of a handler that takes any arguments and checks them itself, and of one that cannot be known."""


def signature_of(handler: Found) -> Signature:
    """Read what `handler` takes; a class of handler takes any arguments and checks them itself.

    Raises:
        Unresolved: it takes arguments by position, and tools are called by name; or its class cannot be made.
    """
    if isinstance(handler, type):
        _check_constructor(handler)
        return ANYTHING
    parameters = inspect.signature(handler).parameters.values()
    for parameter in parameters:
        if parameter.kind in _BY_POSITION:
            whose = f"{handler.__module__}:{getattr(handler, '__name__', type(handler).__name__)}"
            raise positional(whose, parameter.name, is_any=parameter.kind is parameter.VAR_POSITIONAL)
    hints = _hints(handler)
    context = next((p.name for p in parameters if hints.get(p.name) is Context or p.name == "context"), "")
    named = [p for p in parameters if p.name != context and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    required = frozenset(p.name for p in named if p.default is p.empty)
    annotations = {p.name: hints.get(p.name, kind_of_default(p.default)) for p in named}
    found = typed(annotations, optional=frozenset(annotations) - required)
    said = said_in(handler.__doc__)
    return Signature(
        properties={
            p.name: described(found.schemas[p.name], said.parameters.get(p.name, ""), p.default) for p in named
        },
        required=required,
        takes_any=any(p.kind is p.VAR_KEYWORD for p in parameters),
        context=context,
        definitions=found.definitions,
        summary=said.summary,
        conversions=found.conversions,
    )


_SCALARS = (bool, int, float, str)


def kind_of_default(default: object) -> type:
    """Return what a parameter without annotation takes: what its default is, else text."""
    return type(default) if type(default) in _SCALARS else str


def described(schema: dict[str, Json], words: str, default: object) -> dict[str, Json]:
    """Return `schema` with what the docstring says, unless its annotation says it, and with a default that is plain."""
    told: dict[str, Json] = {"description": words} if words and "description" not in schema else {}
    if type(default) in _SCALARS and "default" not in schema:
        told["default"] = default  # type: ignore[assignment]
    return {**schema, **told}


def signature_from(schema: Mapping[str, Json]) -> Signature:
    """Return what is taken by a handler whose arguments have this schema."""
    properties, required = schema.get("properties"), schema.get("required")
    known = properties if isinstance(properties, Mapping) else {}
    return Signature(
        properties={name: inner if isinstance(inner, dict) else {} for name, inner in known.items()},
        required=frozenset(map(str, required)) if isinstance(required, list) else frozenset(),
        takes_any=schema.get("additionalProperties", True) is not False,
        context="",
    )


def _check_constructor(handler: type[Handler]) -> None:
    whose = f"{handler.__module__}:{handler.__name__}"
    if missing := sorted(getattr(handler, "__abstractmethods__", ())):
        raise Unresolved("PB404", f"{whose} is abstract: it lacks {', '.join(missing)}", "Write the methods it lacks.")
    try:
        inspect.signature(handler).bind()
    except ValueError:  # a signature that cannot be told
        return
    except TypeError as error:
        hint = "One instance is made for each call, with no arguments: give each parameter of `__init__` a default."
        raise Unresolved("PB405", f"{whose} cannot be made without arguments: {error}", hint) from error


_BY_POSITION = frozenset({inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL})


def positional(whose: str, name: str, *, is_any: bool) -> Unresolved:
    """Say that a handler takes `name` by position; `is_any`: any number of arguments (`*name`)."""
    message = f"{whose} takes {'*' * is_any + name!r} by position, and is called by name"
    hint = (
        f"Name each parameter, or take a list: `{name}: list[str]`."
        if is_any
        else "Remove the `/` from its parameters."
    )
    return Unresolved("PB405", message, hint)


def _hints(handler: Callable[..., Any]) -> dict[str, Any]:
    """Return the types of parameters; one that cannot be had (a name that only type checkers see) is any."""
    try:
        return typing.get_type_hints(handler, include_extras=True)
    except Exception:  # noqa: BLE001 (an annotation is the author's code)
        return {name: _hint(handler, name, hint) for name, hint in _annotations(handler).items()}


def _annotations(handler: Callable[..., Any]) -> dict[str, Any]:
    parameters = inspect.signature(handler).parameters.values()
    return {each.name: each.annotation for each in parameters if each.annotation is not each.empty}


def _hint(handler: Callable[..., Any], name: str, annotation: object) -> Any:
    holder = types.SimpleNamespace(__annotations__={name: annotation})
    try:
        return typing.get_type_hints(holder, globalns=getattr(handler, "__globals__", {}), include_extras=True)[name]
    except Exception:  # noqa: BLE001 (the same)
        return Any


def runner(handler: Found, signature: Signature) -> Run:
    """Return a `Run` for `handler`, whatever it is; see `catalog.calling`."""
    if isinstance(handler, type):
        made = cast("type[Handler]", handler)
        return partial(call_class, made, blocks(made.call))
    return partial(call_function, handler, signature.context, blocks(handler))

"""What a function takes, from the text of its definition: the schemas that its annotations mean.

As `typed` makes them of the annotations themselves, as far as the text tells: of a class that stands elsewhere
nothing is known.
"""

import ast
from collections.abc import Callable
from typing import Any

from pegboard.catalog.loading.docstrings import said_in
from pegboard.catalog.loading.handler import Signature, described, kind_of_default, positional
from pegboard.catalog.loading.typed import SCHEMAS
from pegboard.text import Json

_BY_TEXT = {kind.__name__ if isinstance(kind, type) else str(kind): schema for kind, schema in SCHEMAS.items()}
_UNKNOWN = object()
"""A default that the text does not tell."""
_LISTS = ("list", "List", "Sequence", "Iterable", "tuple", "Tuple", "set", "Set", "frozenset", "FrozenSet")
_OBJECTS = ("dict", "Dict", "Mapping", "MutableMapping")
_SETS = ("set", "Set", "frozenset", "FrozenSet")
_FORMATS = {"datetime": "date-time", "date": "date", "UUID": "uuid", "Path": "path", "Decimal": "decimal"}
"""Classes of the standard library that JSON says by a text of a format."""


def signature_in(
    found: ast.FunctionDef | ast.AsyncFunctionDef, whose: str, *, is_context: Callable[[ast.AST], bool]
) -> Signature:
    """Return what the function `found` takes, as `handler.signature_of` would of the function itself.

    Raises:
        Unresolved: it takes arguments by position.
    """
    taken = found.args
    for by_position in taken.posonlyargs:
        raise positional(whose, by_position.arg, is_any=False)
    if taken.vararg is not None:
        raise positional(whose, taken.vararg.arg, is_any=True)
    every = [*taken.args, *taken.kwonlyargs]
    context = next((each.arg for each in every if each.arg == "context" or is_context(_hint(each, None))), "")
    named = [each for each in every if each.arg != context]
    defaults = _defaults(taken)
    said = said_in(ast.get_docstring(found, clean=False))
    return Signature(
        properties={each.arg: _property(each, defaults, said.parameters.get(each.arg, "")) for each in named},
        required=frozenset(each.arg for each in named) - defaults.keys(),
        takes_any=taken.kwarg is not None,
        context=context,
        summary=said.summary,
    )


def _defaults(taken: ast.arguments) -> dict[str, object]:
    """Return the default of each argument that has one."""
    late = taken.args[len(taken.args) - len(taken.defaults) :]
    given = [*zip(late, taken.defaults, strict=True), *zip(taken.kwonlyargs, taken.kw_defaults, strict=True)]
    return {each.arg: _value(default) for each, default in given if default is not None}


def _value(expression: ast.expr) -> object:
    try:
        return ast.literal_eval(expression)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return _UNKNOWN


def _property(argument: ast.arg, defaults: dict[str, object], words: str) -> dict[str, Json]:
    default = defaults.get(argument.arg, _UNKNOWN)
    hint = _hint(argument, default)
    return described(_schema(hint, is_optional=argument.arg in defaults), words, default)


def _hint(argument: ast.arg, default: object) -> ast.expr:
    """Return the annotation; one in quotes is read."""
    hint = argument.annotation
    if hint is None:
        return ast.Name(kind_of_default(default).__name__)
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        try:
            return ast.parse(hint.value, mode="eval").body
        except (SyntaxError, ValueError):
            return hint
    return hint


def _schema(hint: ast.expr, *, is_optional: bool = False) -> dict[str, Json]:
    """Return the schema of an annotation; of one that is optional, null is left out."""
    match hint:
        case ast.BinOp(op=ast.BitOr()):
            return _union(_alternatives(hint), is_optional=is_optional)
        case ast.Subscript(value=kind, slice=inner) if (usual := _BY_TEXT.get(ast.unparse(hint))) is None:
            return _of_typing(_last_name(kind), inner, is_optional=is_optional)
        case _:
            usual = _BY_TEXT.get(ast.unparse(hint))
    if usual is None and (named := _FORMATS.get(_last_name(hint))):
        return {"type": "string", "format": named}
    return dict(usual) if usual is not None else _bare(_last_name(hint))


def _bare(name: str) -> dict[str, Json]:
    """Return the schema of a generic class that says nothing of what it holds."""
    if name in _OBJECTS:
        return {"type": "object", "additionalProperties": True}
    return {"type": "array"} if name in _LISTS else {}


def _alternatives(hint: ast.expr) -> list[ast.expr]:
    match hint:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*_alternatives(left), *_alternatives(right)]
    return [hint]


def _union(hints: list[ast.expr], *, is_optional: bool) -> dict[str, Json]:
    """Return the schema of one of several types, null the last; nothing where one of them is not known."""
    others = [hint for hint in hints if not (isinstance(hint, ast.Constant) and hint.value is None)]
    forms = [_schema(hint) for hint in others]
    if len(others) < len(hints) and not is_optional:
        forms.append({"type": "null"})
    if not all(forms):
        return {}
    return forms[0] if len(forms) == 1 else {"anyOf": [*forms]}


def _of_typing(name: str, inner: ast.expr, *, is_optional: bool) -> dict[str, Json]:
    inside = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if name == "Optional":
        return _union([inner, ast.Constant(None)], is_optional=is_optional)
    if name == "Union":
        return _union(inside, is_optional=is_optional)
    if name == "Annotated":
        return _with_words(_schema(inside[0], is_optional=is_optional), inside[1:])
    if name == "Literal":
        return _choices(inside)
    if name in _OBJECTS:
        return {"type": "object", "additionalProperties": _schema(inside[-1]) or True}
    if name not in _LISTS:
        return {}
    rest: dict[str, Json] = {"uniqueItems": True} if name in _SETS else {}
    if name in ("list", "List", "Sequence", *_SETS) and len(inside) == 1 and (items := _schema(inside[0])):
        rest["items"] = items
    return {"type": "array", **rest}


def _choices(inside: list[ast.expr]) -> dict[str, Json]:
    found: list[Any] = [each.value for each in inside if isinstance(each, ast.Constant)]
    are_plain = len(found) == len(inside) and all(type(each) in (str, int, bool) for each in found)
    return {"enum": found} if are_plain else {}


def _with_words(schema: dict[str, Json], metadata: list[ast.expr]) -> dict[str, Json]:
    """Return `schema` with what stands beside the type: a text, or the description of a `Field`."""
    for each in metadata:
        match each:
            case ast.Constant(value=str(words)):
                return {**schema, "description": words}
            case ast.Call(keywords=keywords) if _last_name(each.func) == "Field":
                said = next((_value(each.value) for each in keywords if each.arg == "description"), None)
                return {**schema, "description": said} if isinstance(said, str) else schema
    return schema


def _last_name(kind: ast.expr) -> str:
    return kind.attr if isinstance(kind, ast.Attribute) else kind.id if isinstance(kind, ast.Name) else ""

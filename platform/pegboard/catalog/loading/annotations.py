"""What a function takes, from the text of its definition: the schemas that its annotations mean."""

import ast
from collections.abc import Callable

from pegboard.catalog.loading.handler import SCHEMAS, Signature, positional
from pegboard.text import Json

_BY_TEXT = {kind.__name__ if isinstance(kind, type) else str(kind): schema for kind, schema in SCHEMAS.items()}


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
    context = next((each.arg for each in every if each.arg == "context" or is_context(_hint(each))), "")
    named = [each for each in every if each.arg != context]
    return Signature(
        properties={each.arg: _schema(_hint(each)) for each in named},
        required=frozenset(each.arg for each in named) - _with_default(taken),
        takes_any=taken.kwarg is not None,
        context=context,
    )


def _with_default(taken: ast.arguments) -> set[str]:
    late = taken.args[len(taken.args) - len(taken.defaults) :]
    named = (each for each, default in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if default is not None)
    return {each.arg for each in (*late, *named)}


def _hint(argument: ast.arg) -> ast.expr:
    """Return the annotation; one in quotes is read."""
    hint = argument.annotation
    if hint is None:
        return ast.Name("str")
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        try:
            return ast.parse(hint.value, mode="eval").body
        except (SyntaxError, ValueError):
            return hint
    return hint


def _schema(hint: ast.expr) -> dict[str, Json]:
    match hint:
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return _schema(left)
        case ast.BinOp(left=ast.Constant(value=None), op=ast.BitOr(), right=right):
            return _schema(right)
        case ast.Subscript(value=kind, slice=inner) if (name := _last_name(kind)) != "list":
            return _of_typing(name, inner)
    return dict(_BY_TEXT.get(ast.unparse(hint), {}))


def _of_typing(name: str, inner: ast.expr) -> dict[str, Json]:
    inside = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if name == "Optional":
        return _schema(inner)
    if name == "Annotated":
        return _schema(inside[0])
    choices = [each.value for each in inside if isinstance(each, ast.Constant) and isinstance(each.value, str | int)]
    return {"enum": [*choices]} if name == "Literal" and len(choices) == len(inside) else {}


def _last_name(kind: ast.expr) -> str:
    return kind.attr if isinstance(kind, ast.Attribute) else kind.id if isinstance(kind, ast.Name) else ""

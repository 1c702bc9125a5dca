"""A function that a new declaration can name: it runs as it stands, and says where to go on."""

import ast
from pathlib import Path

from pegboard.errors import UsageError

_IMPORT = "from pegboard.catalog.contract import tool\n"
_HEAD = f'"""Tools of our own; declarations name them."""\n\n{_IMPORT}'


def with_function(text: str | None, path: Path, name: str, description: str) -> str | None:
    """Return the text of the module at `path` with a function `name` more; None where it has one already.

    `text` is what the module holds now, None where there is none.

    Raises:
        UsageError: the module cannot be read.
    """
    if text is None:
        return _HEAD + _function(name, description)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise UsageError(f"{path}:{line}: nothing can be added to this module: {error}.") from error
    if name in _defined(tree):
        return None
    if "tool" not in _defined(tree):
        text = _with_import(text, tree)
    return text.rstrip("\n") + "\n" + _function(name, description)


def _function(name: str, description: str) -> str:
    said = " ".join(description.split()).replace("\\", "\\\\").replace('"', '\\"') or f"Answer for {name}."
    return f'''

@tool
def {name}(query: str) -> str:
    """{said}"""
    # Its parameters are what the tool takes, and are found in the question; annotations say which values fit: str, int,
    # float, bool, a list of these, Literal["a", "b"]. Return the answer as text, or any JSON value.
    return f"{name}: {{query}}"
'''


def _defined(tree: ast.Module) -> set[str]:
    """Return the names that a module binds at its top."""
    names = set[str]()
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name for alias in aliases}
            case ast.Assign(targets=targets):
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
            case _:
                pass
    return names


def _with_import(text: str, tree: ast.Module) -> str:
    """Put the import behind the module's own imports, or behind its docstring."""
    lines = text.splitlines(keepends=True)
    last = 0
    for number, node in enumerate(tree.body):
        is_docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_docstring or isinstance(node, ast.Import | ast.ImportFrom):
            last = node.end_lineno or last
    before = "".join(lines[:last])
    gap = "\n" if before and not isinstance(_statement_at(tree, last), ast.Import | ast.ImportFrom) else ""
    if before and not before.endswith("\n"):
        before += "\n"
    return f"{before}{gap}{_IMPORT}{''.join(lines[last:])}"


def _statement_at(tree: ast.Module, line: int) -> ast.stmt | None:
    return next((node for node in tree.body if node.end_lineno == line), None)

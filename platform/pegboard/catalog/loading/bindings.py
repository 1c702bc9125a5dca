"""What the names of a module stand for, read from its text."""

import ast
from collections import deque
from collections.abc import Iterator
from typing import TypeAlias

Binding: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr | str
"""What a name stands for; a text is the dotted origin of what was imported."""

_DYNAMIC = frozenset({"globals", "locals", "vars", "exec", "eval", "setattr", "__dict__", "modules"})
"""Names by which a module may hold what its text does not show."""


class Source:
    """The names that a module binds at its top."""

    def __init__(self, tree: ast.Module, name: str, *, is_package: bool) -> None:
        self.name = name
        self._package = name if is_package else name.rpartition(".")[0]
        self.bound: dict[str, list[Binding]] = {}
        self.takes_all = False
        """`from … import *` stands in it."""
        for statement in _statements(tree.body):
            self._bind(statement)
        nodes = list(ast.walk(tree))
        self.is_dynamic = any(_name_in(node) in _DYNAMIC for node in nodes)
        self.passed = {
            argument.id
            for node in nodes
            if isinstance(node, ast.Call)
            for argument in node.args
            if isinstance(argument, ast.Name)
        }
        """Names that are handed to a call, which might mark them."""
        self.stored = {name for statement in tree.body for name in _given_by(statement)} | {
            name for node in nodes if isinstance(node, ast.Global) for name in node.names
        }
        """Names that are given a value, by whatever statement."""

    def _bind(self, statement: ast.stmt) -> None:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._add(statement.name, statement)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        self._add(target.id, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._add(name, value)
            case ast.Import(names=names):
                for alias in names:
                    top = alias.name.partition(".")[0]
                    self._add(alias.asname or top, alias.name if alias.asname else top)
            case ast.ImportFrom():
                self._bind_from(statement)

    def _bind_from(self, statement: ast.ImportFrom) -> None:
        for alias in statement.names:
            self.takes_all = self.takes_all or alias.name == "*"
            self._add(alias.asname or alias.name, f"{self._origin_of(statement)}.{alias.name}")

    def _add(self, name: str, binding: Binding) -> None:
        self.bound.setdefault(name, []).append(binding)

    def _origin_of(self, statement: ast.ImportFrom) -> str:
        above = self._package.split(".")[: -(statement.level - 1) or None] if statement.level else []
        return ".".join([*above, *([statement.module] if statement.module else [])])

    def origin(self, expression: ast.AST) -> str:
        """Return the dotted name of what an expression names, as far as imports tell; else empty."""
        match expression:
            case ast.Name(id=name) if len(held := self.bound.get(name, [])) == 1 and isinstance(held[0], str):
                return held[0]
            case ast.Attribute(value=value, attr=name) if above := self.origin(value):
                return f"{above}.{name}"
        return ""

    def decorated_with(self, decorator: str) -> list[str]:
        """Return the names of functions below `decorator`, a dotted name."""
        return [
            name
            for name, bindings in self.bound.items()
            for each in bindings
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
            and any(self.origin(called(mark)) == decorator for mark in each.decorator_list)
        ]


def called(decorator: ast.expr) -> ast.expr:
    """Return what a decorator names that is called with nothing: `@tool()` is `@tool`."""
    match decorator:
        case ast.Call(func=function, args=[], keywords=[]):
            return function
    return decorator


def _given_by(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return set()
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module, also those below `if`, `try`, `with` and loops."""
    waiting = deque(body)
    while waiting:
        statement = waiting.popleft()
        yield statement
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            children = (child for node in ast.iter_child_nodes(statement) for child in (node, *_handled(node)))
            waiting += [child for child in children if isinstance(child, ast.stmt)]


def _handled(node: ast.AST) -> list[ast.stmt]:
    return node.body if isinstance(node, ast.ExceptHandler | ast.match_case) else []


def _name_in(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""

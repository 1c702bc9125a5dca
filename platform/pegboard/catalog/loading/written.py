"""What the source of a module says of a handler, read and never run.

It refuses what is certainly wrong; what only running the module could tell is taken as right. Above it: `named`,
which uses it for `check --no-import`. Below: `modules`, which finds the file.
"""

import ast
import warnings
from collections.abc import Collection, Sequence

from pegboard.catalog.contract import Context, Handler, tool
from pegboard.catalog.loading import modules
from pegboard.catalog.loading.annotations import signature_in
from pegboard.catalog.loading.bindings import Source, called
from pegboard.catalog.loading.handler import ANYTHING, Signature
from pegboard.catalog.loading.marked import DO
from pegboard.catalog.loading.modules import MOST_BYTES, SourceFile
from pegboard.catalog.loading.resolve import (
    MARK_HINT,
    NLWEB_HINT,
    NoModule,
    Unresolved,
    check_is_no_module,
    check_prefix,
    module_hint,
    parts,
    prefix_hint,
)
from pegboard.config.span import shown
from pegboard.text import did_you_mean

_CONTRACT = tool.__module__
_TOOL, _HANDLER, _CONTEXT = (f"{_CONTRACT}.{each.__name__}" for each in (tool, Handler, Context))


class Reader:
    """Reads the sources of handlers, each module once."""

    def __init__(self, prefixes: Collection[str], search_path: Sequence[str]) -> None:
        self._prefixes = prefixes
        self._search_path = search_path
        self._sources: dict[str, Source | Unresolved | None] = {}

    def read(self, path: str, *, is_nlweb: bool = False) -> Signature:
        """Return what the handler takes that `path` names, as far as its source tells.

        `is_nlweb` says that the server's settings list it as a class of NLWeb's contract.

        Raises:
            Unresolved: the path is not allowed, or the source shows that it leads to no handler.
        """
        module_name, attribute = parts(path)
        check_prefix(path, module_name, self._prefixes)
        source = self._source(module_name, path)
        if source is None:
            return ANYTHING
        try:
            return _Judge(source, path, self._prefixes, is_nlweb=is_nlweb).signature(attribute)
        except RecursionError:  # an expression nested deeper than anybody writes
            return ANYTHING

    def _source(self, module_name: str, path: str) -> Source | None:
        if module_name not in self._sources:
            try:
                self._sources[module_name] = _source_of(module_name, path, self._search_path)
            except Unresolved as error:
                self._sources[module_name] = error
        source = self._sources[module_name]
        if isinstance(source, Unresolved):
            raise source
        return source


def _source_of(module_name: str, path: str, search_path: Sequence[str]) -> Source | None:
    """Return what a module says, None where it cannot be read."""
    found = modules.find(module_name, search_path)
    if found == "missing":
        raise NoModule("PB403", f"there is no module {module_name!r} for handler {path!r}", module_hint(module_name))
    if found == "unknown" or (text := _text_of(found)) is None:
        return None
    tree = _tree(text, found, module_name)
    return None if tree is None else Source(tree, module_name, is_package=found.is_package)


def _text_of(file: SourceFile) -> str | None:
    """Return the text of a file, None where it lies elsewhere, is too large, or is not UTF-8."""
    try:
        if not file.path.resolve().is_relative_to(file.root.resolve()):
            return None
        with file.path.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        return data.decode("utf-8-sig") if len(data) <= MOST_BYTES else None
    except (OSError, ValueError, RuntimeError):
        return None


def _tree(text: str, file: SourceFile, module_name: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the author's escapes
            return ast.parse(text, filename=str(file.path))
    except (SyntaxError, ValueError) as error:
        line = f"{shown(file.path)}:{getattr(error, 'lineno', None) or 1}"
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        message = f"module {module_name!r} cannot be imported: {line}: SyntaxError: {reason}"
        raise Unresolved("PB403", message) from error
    except (RecursionError, MemoryError):
        return None


class _Judge:
    """Decides about one name of a module."""

    def __init__(self, source: Source, path: str, prefixes: Collection[str], *, is_nlweb: bool) -> None:
        self._source = source
        self._path = path
        self._prefixes = prefixes
        self._is_nlweb = is_nlweb

    def signature(self, name: str) -> Signature:
        bindings = self._source.bound.get(name, [])
        if not bindings:
            return self._missing(name)
        if len(bindings) > 1 or self._source.is_dynamic:
            return ANYTHING
        match bindings[0]:
            case str(origin):
                return self._imported(origin)
            case ast.ClassDef() as found:
                return self._class(found, ())
            case ast.FunctionDef() | ast.AsyncFunctionDef() as found:
                return self._function(found)
            case found:
                return self._value(found)

    def _missing(self, name: str) -> Signature:
        if self._source.takes_all or self._source.is_dynamic or name in self._source.stored:
            return ANYTHING
        check_is_no_module(self._source.name, name)
        hint = did_you_mean(name, self._source.decorated_with(_TOOL))
        raise Unresolved("PB403", f"module {self._source.name!r} has no {name!r}", hint)

    def _imported(self, origin: str) -> Signature:
        """Refuse what comes from a package that no prefix belongs to; another might give back what is ours."""
        if origin.partition(".")[0] in {prefix.partition(".")[0] for prefix in self._prefixes}:
            return ANYTHING
        message = f"{self._path!r} comes from {origin!r}, which is not below an allowed prefix"
        raise Unresolved("PB402", message, prefix_hint(self._prefixes))

    def _value(self, value: ast.expr) -> Signature:
        match value:
            case ast.Name() | ast.Attribute() if origin := self._source.origin(value):
                return self._imported(origin)
            case ast.Constant() | ast.Lambda() | ast.Dict() | ast.List() | ast.Set() | ast.Tuple() | ast.JoinedStr():
                raise self._unmarked("a plain value")
        return ANYTHING

    def _class(self, found: ast.ClassDef, below: tuple[str, ...]) -> Signature:
        """Follow the classes that stand in the same module; `below` are those that were followed."""
        if self._is_nlweb and (do := _method(found, DO)) is not None:
            if isinstance(do, ast.FunctionDef) and not do.decorator_list:
                raise Unresolved("PB404", f"{self._path!r} has a method {DO!r} that is no `async def`", NLWEB_HINT)
            return ANYTHING
        if found.decorator_list or found.keywords or found.name in below:
            return ANYTHING
        if not found.bases and self._is_nlweb:
            raise Unresolved("PB404", f"{self._path!r} has no method `async def {DO}`", NLWEB_HINT)
        if not found.bases:
            raise self._unmarked("a class that is not below Handler")
        bases = [self._source.bound.get(base.id, []) for base in found.bases if isinstance(base, ast.Name)]
        own = [held[0] for held in bases if len(held) == 1 and isinstance(held[0], ast.ClassDef)]
        if len(own) == len(found.bases) == 1:
            return self._class(own[0], (*below, found.name))
        return ANYTHING

    def _function(self, found: ast.FunctionDef | ast.AsyncFunctionDef) -> Signature:
        if self._is_nlweb:
            raise Unresolved("PB404", f"{self._path!r} is listed under nlweb_handlers and is no class", NLWEB_HINT)
        if not found.decorator_list and found.name not in self._source.passed:
            raise self._unmarked("a function without the mark")
        if [self._source.origin(called(mark)) for mark in found.decorator_list] == [_TOOL]:
            return signature_in(found, self._path, is_context=lambda hint: self._source.origin(hint) == _CONTEXT)
        return ANYTHING

    def _unmarked(self, what: str) -> Unresolved:
        return Unresolved("PB404", f"{self._path!r} is not marked as a handler: it is {what}", MARK_HINT)


def _method(found: ast.ClassDef, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    methods = (each for each in found.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    return next((each for each in methods if each.name == name), None)

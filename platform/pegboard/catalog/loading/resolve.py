"""From a dotted path to a handler, without ever running what was not allowed.

Checked before the import: the form of the path, and that it lies below an allowed prefix. Checked after it and
before any call: that the object is marked, and that it was itself defined below an allowed prefix.
"""

import ast
import contextlib
import functools
import importlib
import re
import sys
import traceback
import unicodedata
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from pegboard.catalog.contract import Handler
from pegboard.catalog.loading import marked
from pegboard.catalog.rooms import ROOMS
from pegboard.config.span import shown
from pegboard.text import clipped, did_you_mean, named

Found: TypeAlias = Callable[..., Any] | type[Handler]
"""A marked function, or a class of handler."""

LONGEST = 300
"""Characters of a path."""

_PATH = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*(?::[A-Za-z][A-Za-z0-9_]*)?")


class Unresolved(Exception):
    """A handler that cannot be had."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        """Of `config.problems`."""
        self.message = message
        self.hint = hint


class NoModule(Unresolved):
    """There is no module of that name."""


def resolve(path: str, prefixes: Collection[str]) -> Found:
    """Import the handler that `path` names, `package.module:attribute` or `package.module.attribute`.

    Raises:
        Unresolved: with the code of the problem.
    """
    found: Found = _object(path, prefixes)
    if not marked.is_marked(found):
        raise Unresolved("PB404", f"{path!r} is not marked as a handler: it is {marked.kind_of(found)}", MARK_HINT)
    _check_home(path, found, marked.CALL, prefixes)
    return found


def resolve_nlweb(path: str, prefixes: Collection[str]) -> type:
    """Import a class of NLWeb's contract; the caller knows that the server's settings list it.

    Raises:
        Unresolved: with the code of the problem.
    """
    found: type = _object(path, prefixes)
    if not marked.is_class(found):
        message = f"{path!r} is listed under nlweb_handlers and is no class"
        raise Unresolved("PB404", message, NLWEB_HINT)
    _check_home(path, found, marked.DO, prefixes)
    return found


MARK_HINT = (
    "Put `@tool` (from pegboard.catalog.contract) above the function and its other decorators, make the class a "
    "`Handler`, or list a class written for NLWeb under nlweb_handlers in pegboard.toml."
)
_CALL_HINT = "A Handler does its work in `async def call(self, context, arguments)`."
NLWEB_HINT = "It takes a class with `__init__(self, params, handler)` and `async def do(self)`."


def parts(path: str) -> tuple[str, str]:
    """Split a path into its module and the attribute.

    Raises:
        Unresolved: it has not the form of a path to a handler.
    """
    is_path = len(path) <= LONGEST and _PATH.fullmatch(path) and "__" not in path and "." in path.replace(":", ".")
    if not is_path:
        raise Unresolved("PB402", f"{clipped(repr(path), 120)} is no dotted path to a handler", _form_hint(path))
    module_name, _, attribute = path.partition(":") if ":" in path else path.rpartition(".")
    if module_name.partition(".")[0] == "platform":
        message = f"{path!r} starts with `platform`, the name of a module of Python's own"
        raise Unresolved("PB402", message, f"Write {path.removeprefix('platform.')!r}.")
    return module_name, attribute


def allowed(module_name: str, prefixes: Collection[str]) -> bool:
    """Tell whether a module is one of `prefixes` or lies below one."""
    return any(module_name == prefix or module_name.startswith(f"{prefix}.") for prefix in prefixes)


def check_prefix(path: str, module_name: str, prefixes: Collection[str]) -> None:
    """Refuse a module that is not below an allowed prefix.

    Raises:
        Unresolved: it is not.
    """
    if not allowed(module_name, prefixes):
        raise Unresolved("PB402", f"handler {path!r} is not below an allowed prefix", prefix_hint(prefixes))


def check_is_no_module(module_name: str, attribute: str) -> None:
    """Refuse one of our rooms whose function was left out.

    Raises:
        Unresolved: it was.
    """
    if module_name == ROOMS and attribute in room_names():
        path = f"{module_name}.{attribute}"
        raise Unresolved("PB403", f"{path!r} is a module, and names no handler in it", f"Write {path}:{attribute}.")


def prefix_hint(prefixes: Collection[str]) -> str:
    """Say which prefixes are allowed, and how to allow another."""
    return (
        f"Allowed: {named(list(prefixes))}. "
        'To allow your own package, set handler_prefixes = ["your_package"] in pegboard.toml.'
    )


def module_hint(module_name: str) -> str:
    """Say what a module that is not there was meant to be."""
    if not module_name.startswith(f"{ROOMS}."):
        return "Modules of your own are looked for in the folder of the configuration."
    return did_you_mean(module_name, [f"{ROOMS}.{room}" for room in room_names()])


@functools.cache
def room_names() -> tuple[str, ...]:
    """Return the names of our own rooms."""
    folder = Path(__file__).parents[2] / ROOMS.rpartition(".")[2]
    return tuple(sorted(entry.stem for entry in folder.iterdir() if not entry.name.startswith(("_", "."))))


def _form_hint(path: str) -> str:
    hint = "Write package.module:function."
    if len(path) > LONGEST:
        return f"It has {len(path):,} characters. {hint}"
    strange = next((character for character in path if not character.isascii()), None)
    if strange is None:
        return hint
    return f"It holds {strange!r} ({unicodedata.name(strange, 'unnamed')}). {hint}"


def _object(path: str, prefixes: Collection[str]) -> Any:
    """Import the module that may be imported, and return what it holds, marked or not."""
    module_name, attribute = parts(path)
    check_prefix(path, module_name, prefixes)
    held = _contents(_imported(module_name, path))
    if attribute not in held or issubclass(type(held[attribute]), ModuleType):
        check_is_no_module(module_name, attribute)
    if attribute not in held:
        handlers = [name for name, value in held.items() if marked.is_marked(value)]
        hint = _newer_hint(held, attribute) or did_you_mean(attribute, handlers) or _file_hint(held)
        raise Unresolved("PB403", f"module {module_name!r} has no {attribute!r}", hint)
    return held[attribute]


def _contents(module: object) -> Mapping[str, object]:
    """Return what a module holds; its own `__getattr__` is not asked, for that would run code."""
    is_module = issubclass(type(module), ModuleType)  # a module may put anything in its own place
    held: Mapping[str, object] = object.__getattribute__(module, "__dict__") if is_module else {}
    return held


def _file_hint(held: Mapping[str, object]) -> str:
    """Say where a module lies: one of Python's own goes before a file of the configuration's folder."""
    file = held.get("__file__")
    return f"The module of that name is {file}." if isinstance(file, str) else ""


def _newer_hint(held: Mapping[str, object], attribute: str) -> str:
    """Say so where the module's file has by now what the module, imported before, has not."""
    try:
        tree = ast.parse(Path(str(held.get("__file__"))).read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return ""
    is_there = any(getattr(statement, "name", None) == attribute for statement in tree.body)
    return "Its file has it by now: restart the server, which imports a module once." if is_there else ""


def _check_home(path: str, found: object, method: str, prefixes: Collection[str]) -> None:
    if fault := marked.unfit(found, method):
        raise Unresolved("PB404", f"{path!r} {fault}", NLWEB_HINT if method == marked.DO else _CALL_HINT)
    for home in marked.homes(found, method):
        if not allowed(home, prefixes):
            message = f"{path!r} comes from {home!r}, which is not below an allowed prefix"
            raise Unresolved("PB402", message, prefix_hint(prefixes))


def _imported(module_name: str, path: str) -> ModuleType:
    try:
        with contextlib.redirect_stdout(sys.stderr):  # stdout is for results: `check --json`
            return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and f"{module_name}.".startswith(f"{error.name}."):
            message = f"there is no module {error.name!r} for handler {path!r}"
            raise NoModule("PB403", message, module_hint(module_name)) from error
        message = f"module {module_name!r} needs {error.name!r}, which is not installed"
        raise Unresolved("PB403", message) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # importing runs the author's code: anything may come of it, sys.exit too
        message = f"module {module_name!r} cannot be imported: {_place_of(error)}{type(error).__name__}"
        reason = clipped(str(error.msg if isinstance(error, SyntaxError) else error), 300)
        raise Unresolved("PB403", f"{message}: {reason}" if reason else message) from error


def _place_of(error: BaseException) -> str:
    """Return the file and line of a syntax error, or of the module's line that failed; empty where neither is known."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return f"{shown(Path(error.filename))}:{error.lineno}: "
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith("<") and frame.filename not in _IMPORTING]
    return f"{shown(Path(own[0].filename))}:{own[0].lineno}: " if own else ""


_IMPORTING = frozenset({__file__, importlib.__file__})
"""Files whose frames stand above the module's own in a traceback."""

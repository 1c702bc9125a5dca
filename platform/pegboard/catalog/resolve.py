"""From a dotted path to a handler, without ever running what was not allowed.

Checked before the import: the form of the path, and that it lies below an allowed prefix. Checked after it and
before any call: that the object is marked, and that it was itself defined below an allowed prefix.
"""

import contextlib
import importlib
import pkgutil
import re
import sys
import traceback
from collections.abc import Callable, Collection
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from pegboard.catalog.contract import MARK, Handler
from pegboard.config.span import shown
from pegboard.text import clipped, did_you_mean

Found: TypeAlias = Callable[..., Any] | type[Handler]
"""A marked function, or a class of handler."""

ROOMS = "pegboard.handlers"
"""A tool without a handler takes the room of its name below this package, if there is one."""

_PATH = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*(?::[A-Za-z][A-Za-z0-9_]*)?")


class Unresolved(Exception):
    """A handler that cannot be had."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        """Of `config.problems`."""
        self.message = message
        self.hint = hint


def resolve(path: str, prefixes: Collection[str]) -> Found:
    """Import the handler that `path` names, `package.module:attribute` or `package.module.attribute`.

    Raises:
        Unresolved: with the code of the problem.
    """
    module_name, attribute = _parts(path)
    if not _allowed(module_name, prefixes):
        raise Unresolved("PB402", f"handler {path!r} is not below an allowed prefix", _prefix_hint(prefixes))
    module = _imported(module_name, path)
    found: Found | None = getattr(module, attribute, None)
    if found is None:
        marked = [name for name, value in vars(module).items() if _is_marked(value)]
        raise Unresolved("PB403", f"module {module_name!r} has no {attribute!r}", did_you_mean(attribute, marked))
    if not _is_marked(found):
        raise Unresolved("PB404", f"{path!r} is not marked as a handler", _MARK_HINT)
    if not _allowed(found.__module__, prefixes):
        message = f"{path!r} comes from {found.__module__!r}, which is not below an allowed prefix"
        raise Unresolved("PB402", message, _prefix_hint(prefixes))
    return found


_MARK_HINT = "Put `@tool` (from pegboard.catalog.contract) above the function, or make the class a `Handler`."


def _prefix_hint(prefixes: Collection[str]) -> str:
    return (
        f"Allowed: {', '.join(prefixes)}. "
        'To allow your own package, set handler_prefixes = ["your_package"] in pegboard.toml.'
    )


def _parts(path: str) -> tuple[str, str]:
    if not _PATH.fullmatch(path) or "__" in path or "." not in path.replace(":", "."):
        message = f"{path!r} is no dotted path to a handler"
        raise Unresolved("PB402", message, "Write package.module:function.")
    module_name, _, attribute = path.partition(":") if ":" in path else path.rpartition(".")
    if module_name.partition(".")[0] == "platform":
        message = f"{path!r} starts with `platform`, the name of a module of Python's own"
        raise Unresolved("PB402", message, f"Write {path.removeprefix('platform.')!r}.")
    return module_name, attribute


def _allowed(module_name: str, prefixes: Collection[str]) -> bool:
    return any(module_name == prefix or module_name.startswith(f"{prefix}.") for prefix in prefixes)


def _imported(module_name: str, path: str) -> ModuleType:
    try:
        with contextlib.redirect_stdout(sys.stderr):  # stdout is for results: `check --json`
            return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and f"{module_name}.".startswith(f"{error.name}."):
            message = f"there is no module {error.name!r} for handler {path!r}"
            raise Unresolved("PB403", message, _module_hint(module_name)) from error
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


def _module_hint(module_name: str) -> str:
    if not module_name.startswith(f"{ROOMS}."):
        return "Modules of your own are looked for in the folder of the configuration."
    return did_you_mean(module_name, [f"{ROOMS}.{room}" for room in rooms()])


def rooms() -> list[str]:
    """Return the names of the rooms."""
    package = importlib.import_module(ROOMS)
    return [module.name for module in pkgutil.iter_modules(package.__path__)]


def _is_marked(value: object) -> bool:
    if isinstance(value, type):
        return issubclass(value, Handler) and value is not Handler
    return callable(value) and getattr(value, "__dict__", {}).get(MARK) is True

"""The handler of a new tool: a room, a function that is there, or one that is written for it."""

import importlib.util
import keyword
from collections.abc import Sequence
from pathlib import Path

from pegboard.config.server.settings import DEFAULT_PREFIXES, Settings
from pegboard.config.span import shown
from pegboard.config.starter.stub import with_function
from pegboard.config.starter.wanted import NewTool
from pegboard.errors import UsageError
from pegboard.text import did_you_mean

ROOMS = "pegboard.handlers"
_OWN_MODULE = "my_tools"


def chosen_handler(tool: NewTool, settings: Settings, rooms: Sequence[str], *, inherits: bool) -> str:
    """Return the dotted path of the tool's handler; empty where it is inherited.

    Raises:
        UsageError: there is none, or none of that name.
    """
    given = tool.handler.strip()
    if tool.new_handler:
        return given or f"{_own_module(settings)}:{tool.name.replace('-', '_')}"
    if given in rooms:
        return f"{ROOMS}.{given}:{given}"
    if given and "." not in given and ":" not in given:
        hint = f"{did_you_mean(given, rooms, noun='rooms')} A handler of your own is MODULE:FUNCTION."
        raise UsageError(f"There is no room {given!r}.", hint=hint)
    if given or inherits:
        return given
    if tool.name in rooms:
        return f"{ROOMS}.{tool.name}:{tool.name}"
    hint = (
        f"Name one of the rooms ({', '.join(rooms)}) or a function of your own (MODULE:FUNCTION) with --handler; "
        "--new-handler writes one."
    )
    raise UsageError(f"Tool {tool.name!r} needs a handler.", hint=hint)


def _own_module(settings: Settings) -> str:
    """Return the module that handlers of one's own go into."""
    own = [prefix for prefix in settings.handler_prefixes if prefix not in DEFAULT_PREFIXES]
    there = [prefix for prefix in own if _path_of(prefix, settings.root).is_file()]
    return next(iter([*there, *own]), _OWN_MODULE)


def function_of(tool: NewTool, settings: Settings) -> dict[Path, str]:
    """Return the module's new text by its path, with a function for the tool; nothing where it has one.

    Raises:
        UsageError: the handler cannot be written, or would not be allowed.
    """
    module, separator, function = tool.handler.partition(":")
    if not separator:
        module, _, function = tool.handler.rpartition(".")
    words = [*module.split("."), function]
    if not all(word.isidentifier() and word.isascii() and not keyword.iskeyword(word) for word in words):
        raise UsageError(
            f"{tool.handler!r} cannot be written.", hint="Name it MODULE:FUNCTION, such as my_tools:hours."
        )
    _check_allowed(module, settings)
    path = _path_of(module, settings.root)
    if not path.is_file():
        _check_free(words[0], settings.root)
    text = with_function(_text_of(path), path, function, tool.description)
    return {} if text is None else {path: text}


def _check_allowed(module: str, settings: Settings) -> None:
    own = [prefix for prefix in settings.handler_prefixes if prefix not in DEFAULT_PREFIXES]
    if any(module == prefix or module.startswith(f"{prefix}.") for prefix in own):
        return
    top = module.partition(".")[0]
    listed = ", ".join(f'"{prefix}"' for prefix in [*own, top])
    hint = (
        f"Write `handler_prefixes = [{listed}]` into {shown(settings.root / 'pegboard.toml')}: only settings allow it."
    )
    raise UsageError(f"Module {module!r} is not allowed to hold handlers.", hint=hint)


def _check_free(top: str, root: Path) -> None:
    """Refuse the name of a module that is found before the project's own."""
    try:
        found = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        found = None
    if found is not None and not (root / top).is_dir():
        raise UsageError(f"There is a module {top!r} elsewhere, which would be found first.", hint="Name another.")


def _path_of(module: str, root: Path) -> Path:
    package = root.joinpath(*module.split("."))
    return package / "__init__.py" if package.is_dir() and (package / "__init__.py").is_file() else _file(package)


def _file(package: Path) -> Path:
    return package.with_name(f"{package.name}.py")


def _text_of(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{shown(path)} cannot be read: {error}.") from error

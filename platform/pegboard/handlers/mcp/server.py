"""Where the server of a source is, by its declaration and by what the server's settings allow."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from pegboard.catalog.kind import About, Misdeclared, Misfit
from pegboard.config.blocks.mcp import McpSourceDeclaration
from pegboard.config.blocks.variables import loads_code
from pegboard.config.server.settings import Settings
from pegboard.handlers.mcp.definitions import inside, source_of
from pegboard.handlers.mcp.process import Launch
from pegboard.handlers.mcp.remote import Address
from pegboard.handlers.mcp.wire import Place
from pegboard.net.policy import Policy


def place_of(about: About) -> Place:
    """Return where the server of `about.source` is.

    Raises:
        Misdeclared: nobody can tell, or it may not be reached.
    """
    source = source_of(about)
    if bool(source.url) == bool(source.command):
        what = "has both `url` and `command`" if source.url else "has neither `url` nor `command`"
        raise Misdeclared(Misfit((), what, "Give it one of the two."))
    return _launch(about, source) if source.command else _address(about, source)


def _address(about: About, source: McpSourceDeclaration) -> Address:
    _refuse_useless(source, ("env", "secrets", "cwd"), "command")
    try:
        parts = urlsplit(source.url)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address:
        raise Misdeclared(Misfit(("url",), "has no address: wanted is a URL that begins with http:// or https://"))
    settings = about.settings
    return Address(
        source.url, tuple(source.headers.items()), source.auth, Policy.of(settings), settings.request_seconds
    )


def _launch(about: About, source: McpSourceDeclaration) -> Launch:
    _refuse_useless(source, ("headers", "auth"), "url")
    assert about.source is not None
    program = _allowed(about.settings, source.command[0], about.source_folder)
    folder = inside(about, source.cwd, "cwd") if source.cwd else about.settings.root
    if not folder.is_dir():
        raise Misdeclared(Misfit(("cwd",), f"shall start in {folder}, which is no folder"))
    _refuse_loading(source)
    secrets = tuple((each.name, each.value.reveal()) for each in source.secrets)
    return Launch(
        about.source.name,
        (program, *source.command[1:]),
        str(folder),
        (*source.env.items(), *secrets),
        tuple(value for _, value in secrets if value),
    )


def _refuse_loading(source: McpSourceDeclaration) -> None:
    """Refuse variables that would make another program of the one that a setting allows."""
    places: list[tuple[tuple[str | int, ...], str]] = [(("env", name), name) for name in source.env]
    places += [(("secrets", at, "name"), each.name) for at, each in enumerate(source.secrets)]
    misfits = [
        Misfit(place, f"sets the variable {name!r}, which can load other code into its program", "Leave it out.")
        for place, name in places
        if loads_code(name)
    ]
    if misfits:
        raise Misdeclared(*misfits)


def _refuse_useless(source: McpSourceDeclaration, keys: Sequence[str], other: str) -> None:
    if useless := [key for key in keys if getattr(source, key)]:
        raise Misdeclared(*(Misfit((key,), f"has `{key}`, which belongs to `{other}`") for key in useless))


def _allowed(settings: Settings, program: str, folder: Path) -> str:
    """Return the path of a program that the settings allow.

    Raises:
        Misdeclared: they do not, or it is not there.
    """
    path = _found(program, folder)
    if path is None:
        message = f"starts {program!r}, which is not to be found"
        raise Misdeclared(Misfit(("command", 0), message, "Install it, or give its path."))
    if path not in {_found(each, settings.root) for each in settings.mcp_commands}:
        message = f"starts {program!r}, which the setting `mcp_commands` does not allow"
        hint = f"Set mcp_commands = [{program!r}] in pegboard.toml, if you trust it with this machine."
        raise Misdeclared(Misfit(("command", 0), message, hint))
    return path


def _found(program: str, folder: Path) -> str | None:
    """Return the absolute path of a program: of a plain name on the search path, of a path relative to `folder`."""
    path = os.path.normpath(folder / program) if os.path.dirname(program) else program  # noqa: PTH120
    found = shutil.which(path)
    return os.path.abspath(found) if found else None  # noqa: PTH100 (links are not followed: environments are links)

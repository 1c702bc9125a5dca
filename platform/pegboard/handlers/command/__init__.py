"""`command`: a tool that is a program on this machine, which the server's setting `commands` allows.

No shell reads its arguments, a value never becomes an option, and it runs within limits in a group of its own.
"""

import json
import logging
import math
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.kind import About, Effect, Kind, Misdeclared, Misfit, Schema
from pegboard.config.blocks.command import CommandDeclaration
from pegboard.config.blocks.variables import loads_code
from pegboard.config.declaration import Declaration
from pegboard.errors import CallFailed, CallRefused, LimitReached, UpstreamFailed
from pegboard.handlers.command.argv import ARGUMENT, Arguments, misfits, said
from pegboard.handlers.command.executable import PATH, Executable, NotAllowed, executable
from pegboard.net.secrets import masked, masked_text
from pegboard.text import Json, clipped, to_json

if sys.platform != "win32":
    from pegboard.handlers.command import launch
    from pegboard.handlers.command.process import Ended, Work, run

_log = logging.getLogger(__name__)

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MOST_STDIN = 1 << 20
_LAST_WORDS = 300
"""Characters of the error stream that are told."""


class command(Kind):  # noqa: N801 (declarations name it so)
    """Runs the declared program."""

    def __init__(self, block: Declaration, about: About) -> None:
        """Find the program, and what is wrong with its arguments."""
        assert isinstance(block, CommandDeclaration)
        if sys.platform == "win32":
            raise Misdeclared(Misfit((), "runs a program, which pegboard does on Linux and macOS only"))
        found = misfits(block, about.parameters)
        self._program = _program(block, about, found)
        folders = {
            file.argument: _folder(("files", at, "folder"), file.folder, about, found)
            for at, file in enumerate(block.files)
        }
        self._folder = _folder(("folder",), block.folder, about, found) if block.folder else None
        found += _environment(block)
        if found:
            raise Misdeclared(*found)
        self._name, self._block = about.name, block
        self._arguments = Arguments(tuple(block.argv[1:]), block.options_end, folders, self._folder)
        names = list(dict.fromkeys([*self._arguments.names, *ARGUMENT.findall(block.stdin)]))
        self._parameters = about.parameters or _parameters(names)

    @property
    def parameters(self) -> Schema:
        return self._parameters

    @property
    def effects(self) -> frozenset[Effect]:
        """A program may do anything."""
        return frozenset({"destructive"})

    def preview(self, arguments: Mapping[str, Json]) -> Json:
        argv: list[Json] = [self._program.named, *self._arguments.filled(arguments)]
        names: list[Json] = [*sorted({*self._block.env, *(secret.name for secret in self._block.secrets)})]
        folder = str(self._folder) if self._folder else "an empty folder"
        return {"argv": argv, "stdin": self._stdin(arguments), "folder": folder, "environment": names}

    async def call(self, context: Context, arguments: Mapping[str, Json]) -> Result:
        filled = self._arguments.filled(arguments)
        stdin = self._stdin(arguments).encode("utf-8", "replace")
        if len(stdin) > _MOST_STDIN:
            raise CallRefused(f"The program would read {len(stdin):,} bytes; at most {_MOST_STDIN:,} are passed on.")
        self._check_program()
        async with _place(self._folder) as folder:
            work = Work(
                program=self._program,
                arguments=filled,
                folder=folder,
                env=self._env(folder),
                stdin=stdin,
                limits=_limits(self._block),
                most_bytes=self._block.output_size,
            )
            return self._result(await run(work))

    async def reach(self, context: Context) -> str:
        self._check_program()
        return self._program.path

    def _check_program(self) -> None:
        """Refuse a program that is another one than when the tool was made.

        Raises:
            CallRefused: a link leads elsewhere now, or the file is gone.
        """
        if os.path.realpath(self._program.named) != self._program.path or not os.access(self._program.path, os.X_OK):
            raise CallRefused(
                "The program is not there any more, or it is another one.", hint="Reload the configuration."
            )

    def _stdin(self, arguments: Mapping[str, Json]) -> str:
        return ARGUMENT.sub(lambda match: said(arguments.get(match[1])), self._block.stdin)

    def _env(self, folder: Path) -> dict[str, str]:
        given = {"PATH": PATH, "LANG": "C.UTF-8", "HOME": str(folder), **self._block.env}
        return given | {secret.name: secret.value.reveal() for secret in self._block.secrets}

    def _secrets(self) -> list[str]:
        return [secret.value.reveal() for secret in self._block.secrets]

    # The result

    def _result(self, ended: "Ended") -> Result:
        text = masked_text(ended.output.decode("utf-8", "replace"), self._secrets())
        if ended.is_truncated:
            if self._block.json_output:
                raise LimitReached(
                    f"The program wrote more than the {self._block.output_size:,} bytes that are read of it."
                )
            return self._plain(f"{text.strip()} …".strip(), text, ended)
        if ended.code < 0 or ended.code in (self._block.error_when or range(1, 256)):
            raise self._failed(ended)
        if self._block.json_output:
            return _read(text, self._secrets())
        return self._plain(text.strip(), text, ended)

    def _plain(self, shown: str, text: str, ended: "Ended") -> Result:
        data: dict[str, Json] = {"output": text, "code": ended.code, "truncated": ended.is_truncated}
        return Result(shown or "The program said nothing.", data=data)

    def _failed(self, ended: "Ended") -> CallFailed:
        errors = masked_text(ended.errors.decode("utf-8", "replace").strip(), self._secrets())
        name = Path(self._program.named).name
        if ended.code == launch.CANNOT_START and errors.startswith(launch.MARK):
            return CallFailed(f"The program {name!r} cannot be started: {errors.removeprefix(launch.MARK)}.")
        _log.warning("tool %s: %s ended with %d: %s", self._name, name, ended.code, clipped(errors, _LAST_WORDS))
        how = f"was ended by signal {-ended.code}" if ended.code < 0 else f"ended with the code {ended.code}"
        last = f": {errors[-_LAST_WORDS:]}" if errors and self._block.show_errors else "."
        return UpstreamFailed(f"The program {name!r} {how}{last}")


def _program(block: CommandDeclaration, about: About, found: list[Misfit]) -> Executable:
    try:
        return executable(block.argv[0], about.settings.commands, about.folder)
    except NotAllowed as error:
        found.append(Misfit(("argv", 0), error.message, error.hint))
        return Executable("", "")


def _folder(place: tuple[str | int, ...], text: str, about: About, found: list[Misfit]) -> Path:
    try:
        folder = about.path(text)
    except Misdeclared as error:
        found += [Misfit(place, misfit.message, misfit.hint) for misfit in error.misfits]
        return Path()
    if not folder.is_dir():
        found.append(
            Misfit(place, f"names the folder {text!r}, which is not there", "Paths are relative to the document.")
        )
    return folder


def _environment(block: CommandDeclaration) -> list[Misfit]:
    """Return variables that are none, or would make another program of the one that is allowed."""
    places: list[tuple[tuple[str | int, ...], str]] = [(("env", name), name) for name in block.env]
    places += [(("secrets", at, "name"), secret.name) for at, secret in enumerate(block.secrets)]
    found: list[Misfit] = []
    for place, name in places:
        if not _VARIABLE.fullmatch(name):
            hint = "A variable has letters, digits and `_`."
            found.append(Misfit(place, f"sets {name!r}, which is no name of a variable", hint))
        elif loads_code(name):
            message = f"sets the variable {name!r}, which can load other code into its program"
            found.append(Misfit(place, message, "Leave it out."))
    return found


def _parameters(names: list[str]) -> Schema:
    properties: dict[str, Json] = {name: {"type": "string"} for name in names}
    needed: list[Json] = [*names]
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def _limits(block: CommandDeclaration) -> dict[str, int]:
    limits = {
        "RLIMIT_CPU": math.ceil(block.cpu),
        "RLIMIT_AS": block.memory,
        "RLIMIT_FSIZE": block.file_size,
        "RLIMIT_NOFILE": block.open_files,
        "RLIMIT_CORE": 0,
    }
    return limits | ({"RLIMIT_NPROC": block.processes} if block.processes else {})


@asynccontextmanager
async def _place(folder: Path | None) -> AsyncIterator[Path]:
    """Give the declared folder, or an empty one that is gone afterwards.

    A program may leave very many files there, so a thread removes it, also of a call that is cancelled.
    """
    if folder is not None:
        yield folder
        return
    make = partial(tempfile.TemporaryDirectory, prefix="pegboard-", ignore_cleanup_errors=True)
    with anyio.CancelScope(shield=True):
        made = await anyio.to_thread.run_sync(make)
    try:
        yield Path(made.name)
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(made.cleanup)


def _read(text: str, secrets: Sequence[str]) -> Result:
    """Return what a text of JSON says; an escape that JSON knows hides no secret."""
    try:
        value = masked(json.loads(text, parse_constant=_refused), secrets)
        shown = to_json(value)
    except (ValueError, RecursionError):
        raise UpstreamFailed("What the program wrote is no JSON.") from None
    return Result(value if isinstance(value, str) else shown, data=value)


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")

"""Put the commands together, run one, and turn what it raises into a line and an exit code."""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer
from typer.exceptions import TyperException

from pegboard.edges.backend import Backend
from pegboard.edges.cli import (
    INTERRUPTED,
    add,
    ask,
    call,
    check,
    config,
    convert,
    diff,
    doctor,
    documents,
    eval,
    fmt,
    import_,
    init,
    list,
    mcp,
    pins,
    plan,
    result,
    route,
    runs,
    schema,
    serve,
    show,
    version,
)
from pegboard.edges.cli import run as run_plan
from pegboard.edges.cli.help import SETTINGS, QuickHelp
from pegboard.edges.cli.output import complain
from pegboard.edges.cli.report import report_problems
from pegboard.errors import InvalidDeclarations, PegboardError, UsageError

if TYPE_CHECKING:
    from pegboard.app import Problem

_READER_LEFT = 141

_COMMANDS: dict[str, tuple[Callable[..., None], str | None]] = {
    "serve": (serve.serve, serve.EPILOG),
    "mcp": (mcp.mcp, mcp.EPILOG),
    "ask": (ask.ask, ask.EPILOG),
    "route": (route.route, route.EPILOG),
    "plan": (plan.plan, plan.EPILOG),
    "run": (run_plan.run, run_plan.EPILOG),
    "eval": (eval.evaluate, eval.EPILOG),
    "call": (call.call, call.EPILOG),
    "result": (result.result, result.EPILOG),
    "list": (list.list_, list.EPILOG),
    "show": (show.show, show.EPILOG),
    "check": (check.check, check.EPILOG),
    "diff": (diff.diff, diff.EPILOG),
    "doctor": (doctor.doctor, doctor.EPILOG),
    "config": (config.config, config.EPILOG),
    "convert": (convert.convert, convert.EPILOG),
    "fmt": (fmt.fmt, fmt.EPILOG),
    "init": (init.init, init.EPILOG),
    "schema": (schema.schema, schema.EPILOG),
    "version": (version.version, None),
}

_EPILOG = """\b
Start here:
  platform init                           lay down a project to start from
  platform check                          find what is wrong with the declarations
  platform serve                          answer questions at http://127.0.0.1:8000
  platform ask "what goes with lentils?"  ask one question
"""


def run(arguments: Sequence[str], *, backend: Backend | None = None) -> int:
    """Run one command and return its exit code; without `backend`, on the installed `pegboard.app`."""
    try:
        _refuse_bytes(arguments)
        code = _typer()([*arguments], prog_name="platform", standalone_mode=False, obj=backend)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except (BrokenPipeError, SystemExit):  # typer makes the former the latter
        _silence_stdout()
        return _READER_LEFT
    except KeyboardInterrupt:
        return INTERRUPTED
    except PegboardError as error:
        return _told(error)
    except OSError as error:  # a full disk behind stdout, a working folder that is gone
        complain(_said(error))
        _silence_stdout()
        return PegboardError.exit_code
    except TyperException as error:
        return _told_usage(error)


def _refuse_bytes(arguments: Sequence[str]) -> None:
    """Refuse what the shell gave as bytes that are no text.

    Raises:
        UsageError: an argument is not UTF-8.
    """
    for number, argument in enumerate(arguments, start=1):
        try:
            argument.encode()
        except UnicodeEncodeError as error:
            raise UsageError(f"Argument {number} is not UTF-8.") from error


def _typer() -> typer.Typer:
    app = typer.Typer(
        name="platform",
        cls=QuickHelp,
        help="Tools that are declared in files, behind one question box.",
        epilog=_EPILOG,
        rich_markup_mode=None,
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings=SETTINGS,
    )
    for name, (function, epilog) in _COMMANDS.items():
        app.command(name, epilog=epilog)(function)
    app.add_typer(add.group(), name="add")
    app.add_typer(import_.group(), name="import")
    app.add_typer(pins.group(), name="pins")
    app.add_typer(runs.group(), name="runs")
    app.add_typer(documents.group(), name="documents")
    return app


def _told(error: PegboardError) -> int:
    if isinstance(error, InvalidDeclarations) and error.problems:
        report_problems(cast("Sequence[Problem]", error.problems), to=sys.stderr)
    complain(str(error))
    return error.exit_code


def _told_usage(error: TyperException) -> int:
    message = error.format_message().strip()
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stderr.write(f"{message}\n")
    else:
        command = getattr(getattr(error, "ctx", None), "command_path", "platform")
        complain(f"{message}{'' if message.endswith(('.', '?', ')')) else '.'} See {command} --help.")
    return error.exit_code


def _said(error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and not _has_working_folder():
        return "The working folder does not exist any more. Change to one that does."
    if error.errno == errno.EBADF and error.filename is None:
        return "stdout cannot be written: it is closed."
    return f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}."


def _has_working_folder() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _silence_stdout() -> None:
    """Let the interpreter's own flush at exit go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)

"""`platform init`: lay down a project to start from."""

import os
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from pegboard.edges.cli.opening import backend_of
from pegboard.edges.cli.options import AsJson
from pegboard.edges.cli.output import print_json, print_line
from pegboard.edges.cli.written import written
from pegboard.errors import PegboardError, UsageError
from pegboard.text import named

EPILOG = """\b
Examples:
  platform init                 into this folder
  platform init ~/tea --xml     into a folder of its own, the tools in NLWeb's XML
Nothing is ever overwritten: where a file is there already, nothing is written at all.
"""

_DOCUMENTS = ("tools.xml", "tools.yaml", "tools.yml", "tools.json", "tools.d/*.xml", "tools.d/*.y*ml", "tools.d/*.json")
_QUESTION = "are you open on Sunday?"


def init(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where; made if it is not there.")] = Path(),
    xml: Annotated[bool, typer.Option("--xml", help="Declare the tools in XML instead of YAML.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Leave files that are there, and write the others.")] = False,
    as_json: AsJson = False,
) -> None:
    """Lay down a commented project to start from."""
    files = backend_of(context).starter_files(xml=xml)
    _refuse_configuration(folder)
    there = [name for name in files if os.path.lexists(folder / name)]
    if there and not keep:
        message = f"Nothing is written, because of what is in {folder} already: {named(there)}."
        raise PegboardError(message, hint="Name another folder, or leave those files as they are with --keep.")
    new = {folder / name: text for name, text in files.items() if name not in there}
    with written(new):
        pass
    commands = _next(folder)
    if as_json:
        print_json({"written": [str(path) for path in new], "kept": there, "next": commands})
        return
    _tell("Written", (str(path) for path in new))
    if there:
        _tell("Left as they are", (str(folder / name) for name in there))
    _tell("Next", commands)


def _refuse_configuration(folder: Path) -> None:
    """Refuse a folder that has tools already: names would stand there twice.

    Raises:
        UsageError: it is no folder.
        PegboardError: it holds a configuration.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is no folder.")
    if found := [path for pattern in _DOCUMENTS for path in sorted(folder.glob(pattern))]:
        message = f"Nothing is written: there is a configuration already, in {found[0]}."
        raise PegboardError(message, hint="Add to it with platform add tool, or name another folder.")


def _next(folder: Path) -> list[str]:
    where = "" if folder == Path() else f" -c {shlex.quote(str(folder))}"
    return [f"platform check{where}", f'platform ask{where} "{_QUESTION}"', f"platform serve{where}"]


def _tell(head: str, lines: Iterable[str]) -> None:
    print_line(f"{head}:")
    for line in lines:
        print_line(f"  {line}")

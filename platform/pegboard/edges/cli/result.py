"""`platform result`: print a result that was too large to be handed around."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from pegboard.edges.cli.opening import backend_of, settings_of
from pegboard.edges.cli.options import AsJson, Config, Data
from pegboard.edges.cli.output import print_json
from pegboard.edges.cli.place import relative
from pegboard.errors import UnknownResult

EPILOG = """\b
Examples:
  platform result 0123456789abcdef0123456789abcdef01234567.json
  platform result 0123456789abcdef0123456789abcdef01234567.txt --offset 32768 --json
A call that gives such a result says its REF. It is kept for a day.
"""


def result(
    context: typer.Context,
    ref: Annotated[str, typer.Argument(metavar="REF", help="What the result is kept as.", show_default=False)],
    *,
    offset: Annotated[int, typer.Option(min=0, help="The byte to begin at.")] = 0,
    config: Config = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Print a large result that is kept; with --json one part of it, and where the next begins."""
    backend, settings = backend_of(context), settings_of(context, config, data)
    try:
        part = backend.kept_part(settings, ref, offset)
    except UnknownResult as error:
        looked = f"Looked in {_shown(settings.data)}: name the configuration of the call by -c, as the call was told."
        raise UnknownResult(error.message, hint=f"{looked} {error.hint}") from error
    if as_json:
        print_json(part.to_json())
        return
    sys.stdout.buffer.write(part.content)  # it may be of any kind, and goes to wherever the user has sent it
    while part.next_offset is not None:
        part = backend.kept_part(settings, ref, part.next_offset)
        sys.stdout.buffer.write(part.content)


def _shown(path: Path) -> str:
    return relative(str(path), Path.cwd()) or str(path)

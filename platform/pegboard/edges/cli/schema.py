"""`platform schema`: the schemas of documents, for editors."""

from pathlib import Path
from typing import Annotated

import typer

from pegboard.edges.cli.opening import backend_of
from pegboard.edges.cli.output import inform
from pegboard.errors import UsageError

EPILOG = """\b
Examples:
  platform schema                     print the JSON Schema of a document
  platform schema --output schemas    write all schemas into a folder
"""


def schema(
    context: typer.Context,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Write all schemas here."),
    ] = None,
) -> None:
    """Print the schema of documents, or write all schemas."""
    files = backend_of(context).schema_files()
    if output is None:
        document = files.get("document.json") or next(iter(files.values()))
        typer.echo(document.rstrip("\n"))
        return
    for name, text in files.items():
        _write(output / name, text)
    inform(f"{len(files)} schemas written to {output}")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error

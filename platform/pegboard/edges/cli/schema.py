"""`platform schema`: the schemas of documents, for editors."""

from pathlib import Path
from typing import Annotated

import typer

from pegboard.edges.cli.opening import backend_of
from pegboard.edges.cli.output import inform
from pegboard.errors import UsageError
from pegboard.text import did_you_mean

EPILOG = """\b
Examples:
  platform schema                     print the JSON Schema of a document
  platform schema tools.rng           print the RELAX NG schema of a document in XML
  platform schema --output schemas    write all schemas into a folder
An editor finds them by the first line of a document:
  # yaml-language-server: $schema=../schemas/document.json
  <?xml-model href="../schemas/tools.rng"?>
"""


def schema(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="The schema: document.json or tools.rng; the former otherwise."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="DIR", help="Write all schemas here, or the one that is named."),
    ] = None,
) -> None:
    """Print the schema of documents, or write all schemas."""
    files = backend_of(context).schema_files()
    if name is not None and name not in files:
        raise UsageError(f"There is no schema {name!r}. {did_you_mean(name, files)}")
    if output is None:
        typer.echo(files[name or next(iter(files))].rstrip("\n"))
        return
    written = files if name is None else {name: files[name]}
    for each, text in written.items():
        _write(output / each, text)
    inform(f"{len(written)} schema{'s' if len(written) > 1 else ''} written to {output}")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error

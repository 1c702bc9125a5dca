"""`platform convert`: documents in another syntax."""

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, get_args

import typer

from pegboard.edges.backend import Backend
from pegboard.edges.cli.opening import backend_of, settings_of
from pegboard.edges.cli.options import AsJson
from pegboard.edges.cli.output import inform, print_json
from pegboard.edges.cli.report import report_problems
from pegboard.edges.rewritten import Converted
from pegboard.errors import InvalidDeclarations, UsageError
from pegboard.text import Json, did_you_mean

if TYPE_CHECKING:
    from pegboard.app import Settings

EPILOG = """\b
Examples:
  platform convert tools.xml --to yaml              print it as YAML
  platform convert tools.d/shop.yaml -o shop.xml    the suffix says which syntax
  platform convert . --to yaml -o ../converted      every document of a folder
"""

Syntax: TypeAlias = Literal["xml", "yaml", "json"]
_BY_SUFFIX: dict[str, Syntax] = {".xml": "xml", ".yaml": "yaml", ".yml": "yaml", ".json": "json"}

_SOURCES = re.compile(r'<source>|\bsources"?:')


def convert(
    context: typer.Context,
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A document, or a folder with documents.")],
    to: Annotated[
        str | None, typer.Option("--to", metavar="SYNTAX", help="xml, yaml or json; that of --output otherwise.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="PATH", help="Write here; for a folder, a folder. Stdout otherwise."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write documents in another syntax; values stay raw, and comments where they can."""
    syntax = _syntax(to, None if source.is_dir() else output)
    if source.is_dir() and output is None:
        raise UsageError("A folder is converted into a folder.", hint="Name it with --output.")
    backend, settings = backend_of(context), settings_of(context, source)
    done = backend.convert_documents(settings, syntax)
    problems = [problem for _, converted in done for problem in converted.problems]
    report_problems(problems, to=sys.stderr)
    if any(problem.severity == "error" for problem in problems):
        raise InvalidDeclarations("Nothing was written.")
    written = [(path, _target(path, settings, syntax, output), converted) for path, converted in done]
    _write(backend, written)
    if as_json:
        print_json([_shown(*each) for each in written])
    elif output is None:
        for _, _, converted in written:
            sys.stdout.write(converted.text)
    for each in written:
        _remark(*each)


def _syntax(to: str | None, output: Path | None) -> Syntax:
    """Return what is asked for.

    Raises:
        UsageError: nothing says it, or two things say otherwise.
    """
    named = None if output is None else _BY_SUFFIX.get(output.suffix.lower())
    wanted = next((syntax for syntax in get_args(Syntax) if syntax == (to or "").lower()), None)
    if to is not None and wanted is None:
        raise UsageError(f"There is no syntax {to!r}.", hint=did_you_mean(to, get_args(Syntax)))
    if output is not None and named is None:
        raise UsageError(f"{output} would not be read.", hint="Documents are called *.xml, *.yaml, *.yml or *.json.")
    if wanted and named and wanted != named:
        raise UsageError(f"--to says {wanted}, and {output} is called as {named}.")
    syntax = wanted or named
    if syntax is None:
        raise UsageError("Which syntax?", hint="Say --to xml, yaml or json.")
    return syntax


def _target(path: Path, settings: "Settings", syntax: Syntax, output: Path | None) -> Path | None:
    """Return where a document is written; None: on stdout."""
    if output is None or settings.config != settings.root:
        return output
    return output / path.relative_to(settings.root).with_suffix(f".{syntax}")


def _write(backend: Backend, written: Sequence[tuple[Path, Path | None, Converted]]) -> None:
    """Write the files.

    Raises:
        UsageError: two documents would be one file, a file is there already, or one cannot be written.
    """
    sources: dict[Path, Path] = {}
    for path, target, _ in written:
        if target is not None and (other := sources.setdefault(target, path)) != path:
            raise UsageError(f"{other} and {path} would both be {target}.", hint="Rename one.")
        if target is not None and os.path.lexists(target) and target.resolve() != path.resolve():
            raise UsageError(f"{target} is there already; nothing was written.", hint="Remove it, or name another.")
    for _, target, converted in written:
        if target is None:
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            backend.write_document(target, converted.text)
        except OSError as error:
            raise UsageError(f"{target} cannot be written: {error.strerror}.") from error


def _shown(path: Path, target: Path | None, converted: Converted) -> dict[str, Json]:
    shown: dict[str, Json] = {"source": str(path), "comments_left_out": converted.comments_left_out}
    return shown | ({"text": converted.text} if target is None else {"output": str(target)})


def _remark(path: Path, target: Path | None, converted: Converted) -> None:
    """Say on stderr what was written, what was left out, and what to mind."""
    if target is not None:
        inform(f"{target} written")
    if count := converted.comments_left_out:
        inform(f"{path.name}: {count} {'comment was' if count == 1 else 'comments were'} left out: JSON has none")
    if target is None or target.resolve() == path.resolve():
        return
    if target.resolve().parent == path.resolve().parent:
        inform(f"{path.name} is still there, and both are read: remove one")
    elif _SOURCES.search(converted.text):
        inform(f"{target.name}: paths are as they were; the sources of knowledge are now relative to {target.parent}")

"""`platform import`: declare a service that describes itself, so that what it offers are tools."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from pegboard.edges.cli.help import group_of
from pegboard.edges.cli.opening import backend_of, settings_of
from pegboard.edges.cli.options import AsJson, Config
from pegboard.edges.cli.output import inform, print_json, print_line
from pegboard.edges.cli.report import report_problems
from pegboard.edges.cli.written import written
from pegboard.errors import InvalidDeclarations, UsageError
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Draft, Problem, Settings

_OPENAPI_EPILOG = """\b
Examples:
  platform import openapi https://petstore3.swagger.io/api/v3/openapi.json --name petstore
  platform import openapi specs/shop.yaml --operation "get*" --tag orders
  platform import openapi specs/shop.yaml --force          take a changed document over
It writes tools.d/NAME.yaml and the document beside it, or nothing. Only this command fetches anything.
"""
_MCP_EPILOG = """\b
Examples:
  platform import mcp https://mcp.shop.example/mcp --name shop
  platform import mcp https://mcp.shop.example/mcp --tool "read_*"
  platform import mcp --name files -- mcp-server-files --root data
A program is started only if the setting mcp_commands allows it. What the server says of its tools is approved by this.
"""

Source: TypeAlias = Annotated[str, typer.Argument(metavar="SOURCE", help="A file or a URL.", show_default=False)]
Name: TypeAlias = Annotated[
    str,
    typer.Option("--name", metavar="NAME", help="What the source is called; made of SOURCE otherwise."),
]
Output: TypeAlias = Annotated[
    Path | None, typer.Option("--output", metavar="DIR", help="Where it is written; tools.d otherwise.")
]
Exclude: TypeAlias = Annotated[
    list[str] | None, typer.Option("--exclude", metavar="GLOB", help="Leave these out; may be repeated.")
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Overwrite what is there.")]
DryRun: TypeAlias = Annotated[bool, typer.Option("--dry-run", help="Print the declaration, and write nothing.")]


def group() -> typer.Typer:
    """Return the command with its kinds."""
    return group_of(
        "Declare a service that describes itself: what it offers are tools.",
        [
            ("openapi", openapi, _OPENAPI_EPILOG),
            ("mcp", mcp, _MCP_EPILOG),
        ],
    )


def openapi(
    context: typer.Context,
    source: Source,
    *,
    name: Name = "",
    operations: Annotated[
        list[str] | None,
        typer.Option("--operation", metavar="GLOB", help="Only these, by id or METHOD /path; may be repeated."),
    ] = None,
    tags: Annotated[
        list[str] | None, typer.Option("--tag", metavar="TAG", help="Only those with this tag; may be repeated.")
    ] = None,
    exclude: Exclude = None,
    base_url: Annotated[
        str, typer.Option("--base-url", metavar="URL", help="The service's address; as the document says otherwise.")
    ] = "",
    output: Output = None,
    force: Force = False,
    dry_run: DryRun = False,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Declare the operations of an OpenAPI document (3.0, 3.1, Swagger 2.0)."""
    choice = _given(operations=operations, tags=tags, exclude=exclude)
    settings, draft = _drafted(context, config, "openapi", source, name, output, choice, base_url)
    _finish(context, settings, draft, force=force, dry_run=dry_run, as_json=as_json)


def mcp(
    context: typer.Context,
    source: Annotated[
        list[str],
        typer.Argument(metavar="URL | -- COMMAND...", help="An address, or a program to start.", show_default=False),
    ],
    *,
    name: Name = "",
    tools: Annotated[
        list[str] | None, typer.Option("--tool", metavar="GLOB", help="Only these; may be repeated.")
    ] = None,
    exclude: Exclude = None,
    output: Output = None,
    force: Force = False,
    dry_run: DryRun = False,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Declare the tools of an MCP server."""
    choice = _given(tools=tools, exclude=exclude)
    place = source[0] if len(source) == 1 else shlex.join(source)
    settings, draft = _drafted(context, config, "mcp", place, name, output, choice)
    _finish(context, settings, draft, force=force, dry_run=dry_run, as_json=as_json)


def _given(**choices: list[str] | None) -> dict[str, list[str]]:
    return {key: values for key, values in choices.items() if values}


def _drafted(
    context: typer.Context,
    config: Path | None,
    kind: Literal["openapi", "mcp"],
    source: str,
    name: str,
    output: Path | None,
    choice: Mapping[str, list[str]],
    base_url: str = "",
) -> tuple["Settings", "Draft"]:
    """Fetch, and decide what is written."""
    import anyio

    from pegboard.app import NewSource

    settings, backend = settings_of(context, config), backend_of(context)
    folder = output.absolute() if output is not None else None
    wanted = NewSource(kind, source, name, folder, choice, base_url)
    return settings, anyio.run(backend.draft_source, settings, wanted)


def _finish(
    context: typer.Context, settings: "Settings", draft: "Draft", *, force: bool, dry_run: bool, as_json: bool
) -> None:
    """Write what was drafted and check it; nothing of it stays if it is wrong."""
    for note in draft.notes:
        inform(note)
    there = [path for path in draft.files if os.path.lexists(path)]
    if there and not (force or dry_run):
        raise UsageError(f"{_shown(there[0])} is there already; nothing was written.", hint="--force overwrites it.")
    if dry_run:
        _preview(draft, as_json=as_json)
        return
    with written(draft.files):
        problems = _checked(context, settings, draft.document)
    report_problems(problems, to=sys.stderr)
    if as_json:
        files: list[Json] = [{"file": _shown(path), "new": path not in there} for path in draft.files]
        told: list[Json] = [problem.to_json() for problem in problems]
        print_json({"written": files, "notes": [*draft.notes], "problems": told})
        return
    for path in draft.files:
        print_line(f"Written {_shown(path)}")


def _preview(draft: "Draft", *, as_json: bool) -> None:
    text = draft.files[draft.document]
    if as_json:
        files: list[Json] = [_shown(path) for path in draft.files]
        print_json({"would_write": files, "notes": [*draft.notes], "text": text})
    else:
        sys.stdout.write(text)


def _checked(context: typer.Context, settings: "Settings", document: Path) -> Sequence["Problem"]:
    """Return the problems of the new document, checked in its configuration, or by itself where it lies elsewhere.

    Raises:
        InvalidDeclarations: there are errors among them.
    """
    is_part = document.parent == settings.root / "tools.d" and settings.config == settings.root
    report = backend_of(context).check(config=settings.config if is_part else document, environ=os.environ)
    mine = [problem for problem in report.problems if _concerns(problem, document)]
    if any(problem.severity == "error" for problem in mine):
        raise InvalidDeclarations("Nothing was written: the declaration is wrong.", problems=mine)
    if not report.ok:
        inform("note: the configuration has other errors, see platform check")
    return mine


def _concerns(problem: "Problem", document: Path) -> bool:
    return any(Path(place.file).absolute() == document for place in (problem.span, *problem.also))


def _shown(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)

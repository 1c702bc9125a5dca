"""`platform add tool` and `platform add site`: write a declaration that passes `platform check`."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pegboard.edges.cli.help import group_of
from pegboard.edges.cli.opening import backend_of, settings_of
from pegboard.edges.cli.options import AsJson, Config
from pegboard.edges.cli.output import inform, print_json, print_line
from pegboard.edges.cli.report import report_problems
from pegboard.edges.cli.written import written
from pegboard.errors import InvalidDeclarations
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Draft, Problem, Settings

_TOOL_EPILOG = """\b
Examples:
  platform add tool hours --handler my_tools:hours --new-handler --description "Says when we are open." \\
      --example "are you open on Sunday?" --example "你们周日开门吗"
  platform add tool find_recipes --handler search --type Recipe --example "a quick dinner" --read-only
  platform add tool search --site kitchen --example "something with lentils"
The file is written only if it passes `platform check`; nothing else in it is changed.
"""
_SITE_EPILOG = """\b
Examples:
  platform add site kitchen --type Recipe --type Article --domain kitchen.example --content content/kitchen
"""

File: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--file", metavar="FILE", help="A file of the configuration, to add to or to make; tools.d/NAME.yaml otherwise."
    ),
]
Xml: TypeAlias = Annotated[bool, typer.Option("--xml", help="Make an XML file.")]
Description: TypeAlias = Annotated[
    str, typer.Option("--description", metavar="TEXT", help="What it is for, in a sentence.", show_default=False)
]


def group() -> typer.Typer:
    """Return the command with its two kinds."""
    return group_of(
        "Declare a tool or a site, checked as it is written.",
        [("tool", tool, _TOOL_EPILOG), ("site", site, _SITE_EPILOG)],
    )


def tool(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Letters, digits, _ and -.", show_default=False)],
    *,
    type_: Annotated[
        str, typer.Option("--type", metavar="TYPE", help="A schema.org class; Item, which is all, otherwise.")
    ] = "",
    site: Annotated[
        str, typer.Option("--site", "-s", metavar="SITE", help="The site that alone gets it.", show_default=False)
    ] = "",
    description: Description = "",
    examples: Annotated[
        list[str] | None,
        typer.Option("--example", metavar="TEXT", help="A question that it should answer; may be repeated."),
    ] = None,
    handler: Annotated[
        str,
        typer.Option(
            "--handler", metavar="PATH", help="MODULE:FUNCTION, or a room such as search.", show_default=False
        ),
    ] = "",
    new_handler: Annotated[
        bool,
        typer.Option("--new-handler", help="Write the function as well, into the module of --handler or my_tools.py."),
    ] = False,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="It changes nothing: GET may call it, and it may be tried again.")
    ] = False,
    file: File = None,
    xml: Xml = False,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Declare a tool."""
    from pegboard.app import NewTool, Placement

    settings = settings_of(context, config)
    wanted = NewTool(
        name=name,
        type=type_,
        site=site,
        description=description,
        examples=tuple(examples or ()),
        handler=handler,
        read_only=read_only,
        new_handler=new_handler,
        place=Placement(file, xml),
    )
    draft = backend_of(context).draft_tool(settings, wanted)
    _write(context, settings, draft, as_json=as_json)


def site(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Letters, digits, _, - and dots.", show_default=False)],
    *,
    types: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="TYPE", help="A schema.org class of its content; may be repeated."),
    ] = None,
    domains: Annotated[
        list[str] | None, typer.Option("--domain", metavar="HOST", help="A host that it answers for; may be repeated.")
    ] = None,
    description: Description = "",
    content: Annotated[
        list[Path] | None,
        typer.Option("--content", metavar="PATH", help="Files or a folder that it answers from; may be repeated."),
    ] = None,
    default: Annotated[bool, typer.Option("--default", help="It is asked when a request names no site.")] = False,
    file: File = None,
    xml: Xml = False,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Declare a site."""
    from pegboard.app import NewSite, Placement

    settings = settings_of(context, config)
    wanted = NewSite(
        name=name,
        types=tuple(types or ()),
        domains=tuple(domains or ()),
        description=description,
        default=default,
        content=tuple(content or ()),
        place=Placement(file, xml),
    )
    draft = backend_of(context).draft_site(settings, wanted)
    _write(context, settings, draft, as_json=as_json)


def _write(context: typer.Context, settings: "Settings", draft: "Draft", *, as_json: bool) -> None:
    """Write a draft, check the configuration with it, and take it back if it brought an error.

    Raises:
        InvalidDeclarations: it did; with the problems.
    """
    new = [path for path in draft.files if not path.exists()]
    lines = _added_lines(draft)
    with written(draft.files):
        report = backend_of(context).check(config=settings.config, environ=os.environ)
        mine = [problem for problem in report.problems if _concerns(problem, draft.document, lines)]
        if any(problem.severity == "error" for problem in mine):
            hint = "--new-handler writes the function as well." if any(each.code == "PB403" for each in mine) else ""
            raise InvalidDeclarations("The declaration is not written: it is wrong.", hint=hint, problems=mine)
    for note in draft.notes:
        inform(f"note: {note}")
    if not report.ok:
        inform("note: the configuration has other errors, see platform check")
    _tell(draft, new, mine, as_json=as_json)


def _added_lines(draft: "Draft") -> range:
    """Return the numbers of the lines that a draft adds to its document."""
    path = draft.document
    before = path.read_text("utf-8").splitlines() if path.exists() else []
    after = draft.files[path].splitlines()
    same = next((i for i, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), len(before))
    return range(same + 1, same + 1 + len(after) - len(before))


def _concerns(problem: "Problem", document: Path, lines: range) -> bool:
    places = (problem.span, *problem.also)
    return any(Path(place.file).absolute() == document and place.line in lines for place in places)


def _tell(draft: "Draft", new: Sequence[Path], problems: Sequence["Problem"], *, as_json: bool) -> None:
    if as_json:
        files: list[Json] = [{"file": _shown(path), "new": path in new} for path in draft.files]
        print_json({"written": files, "problems": [problem.to_json() for problem in problems]})
        return
    report_problems(problems, to=sys.stderr)
    for path in draft.files:
        print_line(f"{'Written' if path in new else 'Added to'} {_shown(path)}")


def _shown(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)

"""`platform diff`: what two sites, or two configurations, differ in."""

import difflib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pegboard.edges.cli.block import hidden_of
from pegboard.edges.cli.opening import backend_of, settings_of
from pegboard.edges.cli.options import AsJson, Config
from pegboard.edges.cli.output import print_json, print_line, styled
from pegboard.errors import UsageError
from pegboard.text import Json, to_json

if TYPE_CHECKING:
    from pegboard.app import CatalogDiff, Change, SiteDiff

EPILOG = """\b
Examples:
  platform diff kitchen shop          two sites of this folder's configuration
  platform diff old/ new/             two configurations, each a folder or a file
  platform diff old/ new/ --site shop one site of both
Two paths that exist are configurations, unless -c says whose sites are meant.
Exit code 0 says that nothing differs, 1 that something does.
"""

_DIFFERENT = 1
_LONGEST = 60
"""A longer text is compared line by line."""


def diff(
    context: typer.Context,
    a: Annotated[str, typer.Argument(metavar="A", help="A site, or a configuration.", show_default=False)],
    b: Annotated[str, typer.Argument(metavar="B", help="What to compare it with.", show_default=False)],
    config: Config = None,
    site: Annotated[
        str | None, typer.Option("--site", "-s", metavar="NAME", help="Compare this site of two configurations.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what two sites, or two configurations, differ in."""
    backend = backend_of(context)
    found: CatalogDiff | SiteDiff
    if config is None and _are_paths(a, b):
        compared = backend.diff_configurations(settings_of(context, Path(a)), settings_of(context, Path(b)), site=site)
        found = replace(compared, sites=tuple(map(_without_variables, compared.sites)))
        lines = _of_catalogs(found)
    elif site is not None:
        raise UsageError("--site goes with two configurations.", hint="Name two folders or files.")
    else:
        found = _without_variables(backend.diff_sites(settings_of(context, config), a, b))
        lines = _of_sites(found)
    if as_json:
        print_json(found.to_json())
    else:
        for line in lines:
            print_line(line)
    if not found.is_same:
        raise typer.Exit(_DIFFERENT)


def _are_paths(a: str, b: str) -> bool:
    """Tell whether two configurations are meant.

    Raises:
        UsageError: one is a path, the other is not there.
    """
    there = [Path(each).exists() for each in (a, b)]
    written = [each.startswith(".") or "/" in each for each in (a, b)]
    for each, is_there in zip((a, b), there, strict=True):
        if any(written) and not is_there:
            raise UsageError(f"There is no file or folder {each!r}.", hint="Compare two sites, or two paths.")
    return all(there)


def _without_variables(site: "SiteDiff") -> "SiteDiff":
    """Return `site` without what variables hold that stand in blocks: headers and the like may carry secrets."""
    changed = {name: tuple(map(_hidden, changes)) for name, changes in site.changed.items()}
    return replace(site, changed=changed)


def _hidden(change: "Change") -> "Change":
    sides = [replace(side, value=hidden_of(side.value, side.files)) for side in (change.a, change.b)]
    return replace(change, a=sides[0], b=sides[1])


def _of_catalogs(found: "CatalogDiff") -> Iterator[str]:
    yield from _only("site", found.only_a, found.only_b)
    for change in found.knowledge:
        yield from _changed(change, f"knowledge {change.field}")
    for site in found.sites:
        yield styled(f"site {site.a}", "bold", to=sys.stdout)
        yield from (f"  {line}" for line in _of_sites(site))


def _of_sites(found: "SiteDiff") -> Iterator[str]:
    for change in found.fields:
        yield from _changed(change, change.field)
    yield from _only("tool", found.only_a, found.only_b)
    for name, changes in found.changed.items():
        yield styled(f"tool {name}", "bold", to=sys.stdout)
        for change in changes:
            yield from (f"  {line}" for line in _changed(change, change.field))
    if found.order is not None:
        yield styled("order of the tools that both have", "bold", to=sys.stdout)
        yield _removed(", ".join(found.order[0]))
        yield _added(", ".join(found.order[1]))


def _only(noun: str, only_a: Mapping[str, str], only_b: Mapping[str, str]) -> Iterator[str]:
    yield from (_removed(f"{noun} {name}", place) for name, place in only_a.items())
    yield from (_added(f"{noun} {name}", place) for name, place in only_b.items())


def _changed(change: "Change", name: str) -> Iterator[str]:
    """Yield a field, its value on each side and where that stands; of long ones only the lines that differ."""
    lines_a, lines_b = _lines(change.a.value), _lines(change.b.value)
    yield styled(name, "cyan", to=sys.stdout)
    if len(lines_a) <= 1 and len(lines_b) <= 1:
        yield _removed("".join(lines_a) or "(none)", change.a.place)
        yield _added("".join(lines_b) or "(none)", change.b.place)
        return
    yield styled(f"--- {change.a.place}".rstrip(), "red", to=sys.stdout)
    yield styled(f"+++ {change.b.place}".rstrip(), "green", to=sys.stdout)
    for line in [*difflib.unified_diff(lines_a, lines_b, n=2, lineterm="")][2:]:
        styles = {"+": "green", "-": "red", "@": "dim"}
        yield styled(line, styles[line[0]], to=sys.stdout) if line[:1] in styles else line


def _lines(value: Json) -> Sequence[str]:
    """Return a value in lines: a short one in one, none in none."""
    if value is None or value in ("", [], {}):
        return []
    text = value if isinstance(value, str) else to_json(value)
    if isinstance(value, dict | list) and len(text) > _LONGEST:
        text = to_json(value, indent=2)
    return text.splitlines()


def _removed(text: str, place: str = "") -> str:
    return _marked("-", text, place, "red")


def _added(text: str, place: str = "") -> str:
    return _marked("+", text, place, "green")


def _marked(mark: str, text: str, place: str, colour: str) -> str:
    line = styled(f"{mark} {text}".rstrip(), colour, to=sys.stdout)
    return f"{line}  {styled(place, 'dim', to=sys.stdout)}" if place else line

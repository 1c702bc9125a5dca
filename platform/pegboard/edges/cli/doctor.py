"""`platform doctor`: is everything there that a configuration needs?"""

import sys
from typing import TYPE_CHECKING

import typer

from pegboard.edges.cli.opening import backend_of, settings_of
from pegboard.edges.cli.options import AsJson, Config, Data, Site
from pegboard.edges.cli.output import print_json, print_line, styled
from pegboard.errors import Unreachable

if TYPE_CHECKING:
    from pegboard.app import Finding

EPILOG = """\b
Examples:
  platform doctor                  sources, models, index and data folder, each in a line
  platform doctor --site kitchen   what this site needs
  platform doctor --json | jq '.checks[] | select(.ok | not)'
It calls no tool and changes nothing. Exit code 3 says that declarations are invalid, 4 that something is not there.
"""


def doctor(
    context: typer.Context, config: Config = None, data: Data = None, site: Site = None, as_json: AsJson = False
) -> None:
    """Look whether everything is there that the configuration needs."""
    import anyio

    settings = settings_of(context, config, data)
    found = anyio.run(backend_of(context).diagnose, settings, site)
    if as_json:
        print_json(found.to_json())
    else:
        for finding in found.findings:
            print_line(_line(finding))
    if not found.ok:
        raise typer.Exit(Unreachable.exit_code)


def _line(finding: "Finding") -> str:
    mark = styled("ok  ", "green", to=sys.stdout) if finding.ok else styled("FAIL", "red", to=sys.stdout)
    hint = f" {finding.hint}" if finding.hint else ""
    return " ".join(f"{mark} {finding.what}: {finding.found.rstrip('.')}.{hint}".split("\n"))

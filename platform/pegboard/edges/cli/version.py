"""`platform version`."""

import sys

from pegboard import __version__
from pegboard.edges.cli.options import AsJson
from pegboard.edges.cli.output import print_json, print_line


def version(as_json: AsJson = False) -> None:
    """Print the version."""
    if as_json:
        print_json({"pegboard": __version__, "python": sys.version.split()[0]})
    else:
        print_line(__version__)

"""The command `platform`: one file per command.

Results go to stdout, everything else to stderr. Exit codes: 0 ok, 1 the call or run failed, 2 usage,
3 declarations invalid, 4 unreachable or timed out, 130 interrupted, 141 whoever read stdout has left.
"""

import sys

from pegboard.edges.cli.command import run
from pegboard.edges.cli.streams import fill_streams


def main() -> None:
    """Run the command line of this process, and end the process with its exit code."""
    fill_streams()
    sys.exit(run(sys.argv[1:]))

"""The command `platform`: one file per command.

Results go to stdout, everything else to stderr. Exit codes: 0 ok, 1 the call or run failed, 2 usage,
3 declarations invalid, 4 unreachable or timed out, 5 an evaluation below its minimum, 130 interrupted,
141 whoever read stdout has left.
"""

import os
import sys
from contextlib import suppress

INTERRUPTED = 130


def main() -> None:
    """Run the command line of this process, and end the process with its exit code."""
    try:
        from pegboard.edges.cli.command import run  # here, so that it can be interrupted too
        from pegboard.edges.cli.streams import fill_streams

        fill_streams()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        _end_at_once()
    sys.exit(code)


def _end_at_once() -> None:
    """End without waiting for threads: one may index for minutes, or wait for another process that does.

    All that was open is closed by now. What such a thread writes is whole or is not there: an index takes `kill -9`.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # it may be closed, or not be there
            stream.flush()
    os._exit(INTERRUPTED)

"""The command `platform`: one file per command.

Results go to stdout, everything else to stderr. Exit codes: 0 ok, 1 the call or run failed, 2 usage,
3 declarations invalid, 4 unreachable or timed out, 5 an evaluation below its minimum, 130 interrupted,
141 whoever read stdout has left.
"""

import os
import sys
import threading
import time
from contextlib import suppress

INTERRUPTED = 130
_LINGERING_SECONDS = 0.5
"""How long idle threads are waited for at the end."""


def main() -> None:
    """Run the command line of this process, and end the process with its exit code."""
    try:
        from pegboard.edges.cli.command import run  # here, so that it can be interrupted too
        from pegboard.edges.cli.streams import fill_streams

        fill_streams()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED or _is_at_work():
        _end_at_once(code)
    sys.exit(code)


def _is_at_work() -> bool:
    """Tell whether a thread works on: a handler that hangs, which nobody waits for any more, would keep the process."""
    ends = time.monotonic() + _LINGERING_SECONDS
    others = [each for each in threading.enumerate() if each is not threading.current_thread() and not each.daemon]
    for thread in others:
        thread.join(max(ends - time.monotonic(), 0.0))
    return any(thread.is_alive() for thread in others)


def _end_at_once(code: int) -> None:
    """End without waiting for threads: one may index for minutes, or wait for another process that does.

    All that was open is closed by now. What such a thread writes is whole or is not there: an index takes `kill -9`.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # it may be closed, or not be there
            stream.flush()
    os._exit(code)

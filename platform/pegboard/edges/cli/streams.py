"""stdin, stdout and stderr of a process that was started without some of them: `platform list >&-`."""

import os
import sys


def fill_streams() -> None:
    """Put something in the place of each stream that is closed, so that no file which is opened later becomes it.

    Reading or writing there fails with EBADF, as it would have; what is said on a closed stderr goes nowhere.
    """
    for descriptor, flags in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        _fill(descriptor, flags)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (open as long as the process)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 (open as long as the process)
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115 (open as long as the process)


def _fill(descriptor: int, flags: int) -> None:
    try:
        os.fstat(descriptor)
    except OSError:
        opened = os.open(os.devnull, flags)
        if opened != descriptor:
            os.dup2(opened, descriptor)
            os.close(opened)

"""What stands between us and a program: it sets its own limits, and becomes the program.

It is run as a file by a Python that reads nothing of the user's (`-I -S`), so it imports little and nothing of ours.
Limits cannot be set by a function between fork and exec (`preexec_fn`): we have threads, and it may then never return.
"""

import os
import resource
import sys

MARK = "pegboard: "
CANNOT_START = 127


def main(arguments: list[str]) -> None:
    """Take `NAME=VALUE ... -- PATH ARGV0 ARGUMENT ...`, set the limits, and run the program."""
    at = arguments.index("--")
    for limit in arguments[:at]:
        name, _, value = limit.partition("=")
        _set(name, int(value))
    path, *argv = arguments[at + 1 :]
    os.umask(0o077)
    try:
        os.execve(path, argv, os.environ)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "an argument cannot be passed on"
        sys.stderr.write(f"{MARK}{reason}\n")
        sys.exit(CANNOT_START)


def _set(name: str, value: int) -> None:
    which = getattr(resource, name, None)
    if which is None:  # not every system has every limit
        return
    _, highest = resource.getrlimit(which)
    wanted = value if highest == resource.RLIM_INFINITY else min(value, highest)
    try:
        resource.setrlimit(which, (wanted, wanted))
    except (OSError, ValueError):  # macOS does not take every value of RLIMIT_AS
        return


if __name__ == "__main__":
    main(sys.argv[1:])

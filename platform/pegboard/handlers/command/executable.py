"""Which program a declaration may run: one that the server's setting `commands` lists, found once, links followed.

A name that is allowed stands for the program that it names now, and not for another one that is the same file: where
one file is many programs (busybox), its links have the same target, and `ls` must not allow `sh`.
"""

import os
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin:/opt/homebrew/bin"
"""Where names are looked for, and what a program finds others by."""
INTERPRETER = "interpreter:"
"""What stands before the path of a shell, or of another program that runs what it is given."""

_INTERPRETERS = re.compile(
    r"(?:a|ba|c|da|fi|k|mk|pdk|tc|z|rba|el|xon|nu)?sh|pwsh|busybox|toybox"
    r"|python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|luajit|tclsh|wish|expect|osascript|guile|r|rscript|julia"
    r"|[gmn]?awk|sed|ed|ex|vi|vim|emacs|java|jshell|groovy|gdb|make|gmake|sqlite3|psql|mysql"
    r"|env|xargs|find|parallel|sudo|su|doas|runuser|setpriv|nohup|nice|ionice|timeout|time|watch|script|setsid|unshare"
    r"|nsenter|chroot|flock|stdbuf|strace|ltrace|ssh|socat|nc|ncat|docker|podman|kubectl|systemd-run|at|batch|crontab"
)
_VERSION = re.compile(r"[-.\d]*\d\Z|\.exe\Z")


@dataclass(frozen=True, slots=True)
class Executable:
    """A program that may be run."""

    path: str
    """With all links followed: what is run."""
    named: str
    """The path by which it was named: what it is told as its own name."""


@dataclass(frozen=True, slots=True)
class NotAllowed(Exception):
    """A program that may not be run, or that is not there."""

    message: str
    """A clause that goes on from the tool's name."""
    hint: str


def executable(wanted: str, allowed: Sequence[str], folder: Path) -> Executable:
    """Return the program `wanted`: a name, or a path, which is relative to `folder`.

    Raises:
        NotAllowed: it may not be run.
    """
    found = _found(wanted, folder)
    if found is None:
        raise NotAllowed(f"runs {wanted!r}, which is not there or cannot be run", f"Names are looked for in {PATH}.")
    listed = _listed(found, allowed)
    is_interpreter = _is_interpreter(found)
    entry = f"{INTERPRETER}{found.named}" if is_interpreter else found.named
    hint = f'Only the operator can allow it, in pegboard.toml: commands = ["{entry}"].'
    if listed is None:
        raise NotAllowed(f"runs {wanted!r}, which the server's setting `commands` does not list", hint)
    if is_interpreter and not listed.startswith(f"{INTERPRETER}/"):
        raise NotAllowed(f"runs {wanted!r}, a program that runs other programs or code", hint)
    return found


def _found(wanted: str, folder: Path) -> Executable | None:
    if not wanted or "\x00" in wanted:
        return None
    named = os.path.normpath(folder / wanted) if "/" in wanted else shutil.which(wanted, path=PATH)
    if named is None:
        return None
    real = os.path.realpath(named)
    return Executable(real, named) if os.path.isfile(real) and os.access(real, os.X_OK) else None  # noqa: PTH113


def _listed(found: Executable, allowed: Iterable[str]) -> str | None:
    """Return the entry that allows a program: it leads to the same file by the same name."""
    for entry in allowed:
        path = entry.removeprefix(INTERPRETER)
        if "/" in path and not path.startswith("/"):
            continue
        named = path if path.startswith("/") else shutil.which(path, path=PATH)
        is_same = named is not None and os.path.realpath(named) == found.path
        if is_same and Path(str(named)).name == Path(found.named).name:
            return entry
    return None


def _is_interpreter(found: Executable) -> bool:
    names = {Path(found.named).name.lower()}
    real = Path(found.path).name.lower()
    if real not in ("busybox", "toybox", "coreutils"):
        names.add(real)
    return any(_INTERPRETERS.fullmatch(name) or _INTERPRETERS.fullmatch(_VERSION.sub("", name)) for name in names)

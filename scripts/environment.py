"""The project's virtual environment: made, brought up to date, healed.

It runs before anything is installed, so it needs the standard library only. `setup.sh` calls it:

    environment.py check EXTRA...    exit 0 when `.venv` already holds these extras
    environment.py make EXTRA...     make it so, saying in one line what is done

`.venv/pegboard-stamp` is written last. A missing stamp therefore means that a set-up was cut off, and the
environment is made anew. Extras accumulate: what one script installed, another does not take away.
"""

import fcntl
import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "pegboard-stamp"
OPTIONAL = frozenset({"knowledge"})
"""Extras that the platform can do without."""

Action = Literal["keep", "install", "rebuild"]


class State(NamedTuple):
    """What an environment holds, or what is wanted of it."""

    python: str
    """Cache tag of its interpreter, `cpython-311`."""
    root: str
    """The project's folder: an environment does not survive a move."""
    sources: str
    """Hash of what decides the versions."""
    extras: frozenset[str]
    """Extras installed, or wanted."""
    missing: frozenset[str] = frozenset()
    """Optional extras that could not be installed; not tried again while the sources stay the same."""

    def written(self) -> str:
        """Return the text of the stamp."""
        lists = (" ".join(sorted(names)) for names in (self.extras, self.missing))
        return "\n".join((self.python, self.root, self.sources, *lists)) + "\n"


def read(text: str) -> State | None:
    """Return the state that a stamp's text tells, `None` if it is not a whole stamp."""
    lines = text.split("\n")
    if len(lines) != 6:
        return None
    python, root, sources, extras, missing, _ = lines
    return State(python, root, sources, frozenset(extras.split()), frozenset(missing.split()))


def decide(found: State | None, wanted: State) -> Action:
    """Say what must be done to a found environment, `None` for an absent or half-made one."""
    if found is None or (found.python, found.root) != (wanted.python, wanted.root):
        return "rebuild"
    if found.sources != wanted.sources or not wanted.extras <= found.extras | found.missing:
        return "install"
    return "keep"


def found_state() -> State | None:
    """Read the stamp."""
    try:
        return read(STAMP.read_text(encoding="utf-8"))
    except OSError:
        return None


def wanted_state(python: str, names: Sequence[str]) -> State:
    """Return what is wanted: the named extras, without those that have no wheels here."""
    sources = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt"):
        sources.update((ROOT / name).read_bytes())
    extras = frozenset(names) if has_lancedb_wheels() else frozenset(names) - {"knowledge"}
    return State(python, str(ROOT), sources.hexdigest(), extras)


def has_lancedb_wheels() -> bool:
    """Say whether LanceDB is published for this machine: glibc 2.28 or later, or macOS on arm64."""
    machine = os.uname().machine
    if sys.platform == "darwin":
        return machine == "arm64"
    try:
        name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
    except (ValueError, OSError):
        return False
    release = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    return name == "glibc" and release >= (2, 28) and machine in {"x86_64", "aarch64"}


def check(names: Sequence[str]) -> int:
    """Return 0 when the environment of the running interpreter is as wanted, 1 when it is not."""
    wanted = wanted_state(str(sys.implementation.cache_tag), names)
    return 0 if decide(found_state(), wanted) == "keep" else 1


def make(names: Sequence[str]) -> int:
    """Make the environment as wanted. Return an exit code."""
    with lock() as held:
        wanted = wanted_state(interpreter_of_venv(), names)
        found = found_state()
        match decide(found, wanted):
            case "keep":  # another set-up did it while this one waited
                return 0
            case "install" if found is not None:
                wanted = wanted._replace(extras=wanted.extras | found.extras)
                say(f"bringing .venv up to date ({described(wanted.extras)})")
                stamp = STAMP.read_bytes()
                STAMP.unlink()
                if code := install(wanted, held):
                    STAMP.write_bytes(stamp)  # pip gave up in good order: what was there still is
                return code
            case _:
                version = ".".join(map(str, sys.version_info[:3]))
                say(f"making .venv with Python {version} ({described(wanted.extras)}), a minute or two")
                STAMP.unlink(missing_ok=True)
                if code := run(base_python(), "-m", "venv", "--clear", str(VENV), held=held):
                    return code
                return install(wanted._replace(python=str(sys.implementation.cache_tag)), held)


def install(wanted: State, held: int) -> int:
    """Install the project with the wanted extras, then write the stamp. Return pip's exit code."""
    code = pip(wanted.extras, held)
    if code and (optional := wanted.extras & OPTIONAL):
        names = described(optional)
        say(f"cannot install {names}: going on without (to try again, remove {STAMP.relative_to(ROOT)})")
        wanted = wanted._replace(extras=wanted.extras - optional, missing=optional)
        code = pip(wanted.extras, held)
    if code == 0:
        half = STAMP.with_suffix(".half")
        half.write_text(wanted.written(), encoding="utf-8")
        half.replace(STAMP)
    return code


def pip(extras: frozenset[str], held: int) -> int:
    """Install the project, editable, with pinned versions. Return pip's exit code."""
    target = f".[{','.join(sorted(extras))}]" if extras else "."
    quiet = ("-qq", "--disable-pip-version-check", "--no-input")
    return run(str(PYTHON), "-m", "pip", "install", *quiet, "-c", "constraints.txt", "-e", target, held=held)


def run(*command: str, held: int) -> int:
    """Run a command in the project's folder, its output on stderr. It holds the lock as long as it lives."""
    import subprocess  # noqa: PLC0415 -- `check` runs at every start and does not need it

    # The build's own environment takes the pins too; pip had one name for this setting, then another.
    pins = {"PIP_CONSTRAINT": "constraints.txt", "PIP_BUILD_CONSTRAINT": "constraints.txt"}
    environment = os.environ | pins
    return subprocess.run(
        command, cwd=ROOT, env=environment, stdout=sys.stderr, pass_fds=(held,), check=False
    ).returncode


def interpreter_of_venv() -> str:
    """Return the cache tag of `.venv`'s interpreter, empty when it does not run."""
    import subprocess  # noqa: PLC0415 -- as above

    question = "import sys; print(sys.implementation.cache_tag)"
    try:
        answer = subprocess.run([PYTHON, "-I", "-S", "-c", question], capture_output=True, check=False)
    except OSError:
        return ""
    return answer.stdout.decode().strip()


def base_python() -> str:
    """Return the interpreter outside any virtual environment, which survives `--clear`."""
    return str(getattr(sys, "_base_executable", sys.executable))


@contextmanager
def lock() -> Iterator[int]:
    """Hold the project's set-up lock. The kernel lets go of it when its last holder dies."""
    held = os.open(ROOT / ".venv.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another set-up is under way: waiting for it")
            fcntl.flock(held, fcntl.LOCK_EX)
        yield held
    finally:
        os.close(held)


def described(extras: frozenset[str]) -> str:
    """Return the names as they are said to a user."""
    return ", ".join(sorted(extras)) or "no extras"


def say(line: str) -> None:
    """Tell the user one line."""
    print(f"pegboard: {line}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Run `check` or `make`."""
    verb, *names = arguments
    try:
        return {"check": check, "make": make}[verb](names)
    except KeyboardInterrupt:
        say("set-up interrupted: the next start begins it anew")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

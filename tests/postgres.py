"""A PostgreSQL server of our own, in a folder of its own: it listens at a socket in there and nowhere else."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest


def _program(name: str) -> str | None:
    """Return a program of PostgreSQL's; Debian puts those of the server beside no other."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


def _user() -> str | None:
    """Return who runs the server: anybody but root, which PostgreSQL refuses."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Return the address of a server that is started for these tests and stopped after them."""
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    initdb, control = _program("initdb"), _program("pg_ctl")
    if initdb is None or control is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    user = _user()
    with tempfile.TemporaryDirectory(prefix="pegboard-pg-") as name:
        folder = Path(name)
        if user is not None:
            shutil.chown(folder, user)
        data = folder / "data"
        run = partial(_run, folder=folder, user=user)
        run(initdb, "-D", data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        run(control, "-D", data, "-w", "-t", "30", "-l", folder / "log", "-o", options, "start")
        try:
            yield f"postgresql://owner@/postgres?host={folder}"
        finally:
            run(control, "-D", data, "-m", "immediate", "-w", "stop")


def _run(*argv: str | Path, folder: Path, user: str | None) -> None:
    env = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"}
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, timeout=60, user=user, env=env, cwd=folder)

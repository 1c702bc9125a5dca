"""Write a document's file so that whoever reads meanwhile finds the old one or the new one, whole."""

import os
import tempfile
from pathlib import Path


def replace_file(path: Path, text: str) -> None:
    """Put `text` in the place of a file, or make the file; its mode stays, and a link keeps leading to it.

    Raises:
        OSError: it cannot be written; the old file is untouched.
    """
    target = path.resolve()
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), _mode_of(target))
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode_of(path: Path) -> int:
    """Return the mode of a file, or that of a new one."""
    try:
        return path.stat().st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask

"""Secrets in files: `file:NAME` is the content of the file NAME below the setting `secrets_dir`.

A link may lead anywhere inside that folder, as those of a mounted Kubernetes secret do, and nowhere else.
"""

import os
import stat
from pathlib import Path

from pegboard.config.secret.value import Secret
from pegboard.config.span import shown
from pegboard.config.variables import Fault

PREFIX = "file:"
"""How a reference to a file begins."""
_MOST_BYTES = 64 << 10
_NO_FOLDER = 'Name the folder in pegboard.toml: secrets_dir = "/run/secrets".'


class _Refused(Exception):
    """Why a file gives no secret, and what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class SecretFiles:
    """The files below `secrets_dir`; without such a folder, none."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._reported: set[Path] = set()
        """Files whose rights were judged already."""

    def read(self, reference: str) -> tuple[Secret | None, list[Fault]]:
        """Return the secret that `file:NAME` stands for, and what is wrong with it; None where there is none."""
        name = reference.removeprefix(PREFIX).strip()
        try:
            folder, path = self._path(name)
            text = _content(path)
        except _Refused as refused:
            return None, [Fault("PB120", f"the secret {name[:80]!r} cannot be had: {refused}", refused.hint)]
        except (OSError, ValueError) as error:  # a NUL character is in no path
            reason = (error.strerror if isinstance(error, OSError) else None) or "its name is no path"
            return None, [Fault("PB120", f"the secret {name[:80]!r} cannot be had: {reason}", "")]
        return Secret(text), self._rights(folder, path, name)

    def _path(self, name: str) -> tuple[Path, Path]:
        if self._folder is None:
            raise _Refused("the setting secrets_dir names no folder", _NO_FOLDER)
        folder = Path(os.path.realpath(self._folder))
        path = Path(os.path.realpath(folder / name))
        if path == folder or not path.is_relative_to(folder):
            raise _Refused("it does not lie below secrets_dir", f"Put the file into {shown(self._folder)}.")
        return folder, path

    def _rights(self, folder: Path, path: Path, name: str) -> list[Fault]:
        """Warn of a file that everybody on this machine may read."""
        if path in self._reported or not (folder.stat().st_mode & stat.S_IXOTH and path.stat().st_mode & stat.S_IROTH):
            return []
        self._reported.add(path)
        message = f"the file of the secret {name!r} may be read by everybody on this machine"
        return [Fault("PB121", message, f"chmod o-r {shown(path)}")]


def _content(path: Path) -> str:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise _Refused("it is no regular file")
    if status.st_size > _MOST_BYTES:
        raise _Refused(f"it has {status.st_size} bytes; a secret has at most {_MOST_BYTES}")
    try:
        text = path.read_bytes()[: _MOST_BYTES + 1].decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise _Refused("it is no UTF-8 text") from error
    if not text:
        raise _Refused("the file is empty")
    return text

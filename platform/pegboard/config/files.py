"""Find the documents of a configuration and read their bytes, within the caps.

`tools.xml` (or `.yaml`, `.yml`, `.json`) comes first, then NLWeb's `sites.xml` and `prompts.xml` (or
`site_type.xml`), then what lies in `tools.d/`, by name. Symbolic links may lead anywhere inside the
configuration's folder, as those of a Kubernetes ConfigMap do, and nowhere else; files are reported by the name
under which the user sees them.
"""

import os
import stat
from pathlib import Path

from pegboard.config.nlweb.files import report_unread
from pegboard.config.nlweb.prompts import FILES as PROMPTS_FILES
from pegboard.config.nlweb.sites import SITES
from pegboard.config.problems import Problems
from pegboard.config.server.settings import FOLDER, Settings
from pegboard.config.span import Span, shown

SUFFIXES = (".xml", ".yaml", ".yml", ".json")
"""What documents are called."""

_FIRST = tuple(f"tools{suffix}" for suffix in SUFFIXES)


def find_documents(settings: Settings, problems: Problems) -> list[Path]:
    """Return the documents in reading order; that there is none is a problem."""
    config = settings.config
    if _is_file(config):
        return _named_file(config, problems)
    if not _is_folder(config):
        hint = "Name a folder with tools.xml or tools.d/, or one document, with -c."
        problems.add("PB001", Span(shown(config), 1, 1), _why_not(config), hint=hint)
        return []
    own, prompts = _beside(config, (*_FIRST, SITES)), _beside(config, PROMPTS_FILES)
    below = _in_folder(config / FOLDER, problems)
    if own or below:
        report_unread(config, problems)
        return [*own, *prompts, *below]
    if not problems:
        hint = f"Create {_FIRST[0]}, {_FIRST[1]} or {FOLDER}/*.yaml there, or name another folder with -c."
        problems.add("PB007", Span(shown(config), 1, 1), "this folder holds no document", hint=hint)
    return []


def _beside(folder: Path, names: tuple[str, ...]) -> list[Path]:
    return [path for name in names if os.path.lexists(path := folder / name)]


def _why_not(config: Path) -> str:
    """Say why a configuration is neither a file nor a folder."""
    try:
        config.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):  # a NUL character is in no name
        return "there is no such file or folder"
    except OSError as error:
        return f"this cannot be read: {error.strerror}"
    return "this is neither a file nor a folder"


def _named_file(path: Path, problems: Problems) -> list[Path]:
    if path.suffix.lower() in SUFFIXES:
        return [path]
    hint = f"Documents are called {', '.join(f'*{suffix}' for suffix in SUFFIXES)}."
    problems.add("PB006", Span(shown(path), 1, 1), f"files called *{path.suffix} are not read", hint=hint)
    return []


def _in_folder(folder: Path, problems: Problems) -> list[Path]:
    try:
        if not _real(folder).is_relative_to(_real(folder.parent)):
            hint = "Put the folder itself there; nothing outside the configuration's folder is read."
            message = "this link leads out of the configuration's folder"
            problems.add("PB001", Span(shown(folder), 1, 1), message, hint=hint)
            return []
        names = sorted(path.name for path in folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        problems.add("PB001", Span(shown(folder), 1, 1), f"this folder cannot be read: {error.strerror}")
        return []
    return [folder / name for name in names if is_document(name) and not _is_folder(folder / name)]


def _real(path: Path) -> Path:
    """Follow all links; unlike `Path.resolve`, a loop of them is left to whoever opens the path."""
    return Path(os.path.realpath(path))


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 (false, where pathlib raises, if a folder above may not be entered)


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 (as above)


def is_document(name: str) -> bool:
    """Tell whether a file is read; hidden ones, and what editors leave behind (`x.yaml~`, `#x.yaml#`), are not."""
    return not name.startswith((".", "#")) and Path(name).suffix.lower() in SUFFIXES


class _Refused(Exception):
    """Why a file is not read."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint


class FileReader:
    """Reads documents one after the other, and counts their bytes."""

    def __init__(self, settings: Settings, problems: Problems) -> None:
        self._settings = settings
        self._problems = problems
        self._root = _real(settings.root)
        self._total = 0

    def read(self, path: Path) -> bytes | None:
        """Return the content of a file, or None and a problem; a file that is too large is not opened."""
        try:
            real = Path(os.path.realpath(path, strict=True))
            self._check(path, real)
            return self._content(real)
        except _Refused as refused:
            self._problems.add(refused.code, Span(shown(path), 1, 1), str(refused), hint=refused.hint)
        except OSError as error:
            reason = error.strerror or str(error)
            self._problems.add("PB001", Span(shown(path), 1, 1), f"the file cannot be read: {reason}")
        return None

    def _check(self, path: Path, real: Path) -> None:
        if not real.is_relative_to(self._root):
            hint = "Put the file itself there; nothing outside the folder is read."
            raise _Refused("PB001", "this link leads out of the configuration's folder", hint)
        status = real.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _Refused("PB001", "this is no regular file")
        if status.st_size > self._settings.file_bytes:
            hint = "Split it into several files, or raise the setting file_size."
            message = f"the file has {status.st_size} bytes; at most {self._settings.file_bytes} are read"
            raise _Refused("PB002", message, hint)
        self._total += status.st_size
        if self._total > self._settings.total_bytes:
            message = f"with this file, the documents have more than {self._settings.total_bytes} bytes"
            raise _Refused("PB002", message, "Raise the setting total_size.")

    def _content(self, real: Path) -> bytes:
        with open(real, "rb", opener=_open_at_once) as file:
            data = file.read(self._settings.file_bytes + 1)
        if len(data) > self._settings.file_bytes:
            raise _Refused("PB002", f"the file has grown beyond {self._settings.file_bytes} bytes")
        return data


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe that took its place since it was looked at is not waited for."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))

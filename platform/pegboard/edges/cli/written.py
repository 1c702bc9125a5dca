"""Write files that belong together: all of them, or none."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from pegboard.errors import PegboardError


@contextmanager
def written(files: Mapping[Path, str]) -> Iterator[None]:
    """Write `files`, each its whole new text; whatever the block raises puts back what was there before.

    Raises:
        PegboardError: a file cannot be written; nothing is then.
    """
    before = {path: path.read_bytes() if path.exists() else None for path in files}
    made = list[Path]()
    try:
        for path, text in files.items():
            made += _folders(path.parent)
            _write(path, text, is_new=before[path] is None)
        yield
    except BaseException as error:
        _put_back(before, made)
        if isinstance(error, OSError):
            raise PegboardError(f"{error.filename or 'A file'} cannot be written: {error.strerror}.") from error
        raise


def _folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; return those that were not there, outermost first."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def _write(path: Path, text: str, *, is_new: bool) -> None:
    """Write a file; one that is there is replaced at once, so that a server never reads half of it."""
    if is_new:
        with path.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
        return
    real = path.resolve()
    beside = real.with_name(f".{real.name}.new")
    try:
        beside.write_text(text, encoding="utf-8", newline="")
        beside.chmod(real.stat().st_mode)
        beside.replace(real)
    finally:
        beside.unlink(missing_ok=True)


def _put_back(before: Mapping[Path, bytes | None], folders: Iterable[Path]) -> None:
    for path, content in before.items():
        with suppress(OSError):
            if content is None:
                path.unlink(missing_ok=True)
            elif path.read_bytes() != content:
                path.write_bytes(content)
    for folder in reversed(list(folders)):
        with suppress(OSError):
            folder.rmdir()

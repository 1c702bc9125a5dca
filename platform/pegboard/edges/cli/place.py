"""Where a problem is, for those who look at a repository: paths from its root, columns as their editors count.

A place of a setting that came from the environment or the command line (`$NAME`, `--name`) is in no file.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pegboard.app import Quote, Span


def repository(folder: Path) -> Path:
    """Return the root of the repository that holds `folder`, or `folder` itself where there is none."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)


def is_in_a_file(span: "Span") -> bool:
    """Tell whether a place is in a file."""
    return not span.file.startswith(("$", "--"))


def relative(file: str, root: Path) -> str | None:
    """Return the path of a file from `root`, with `/`; None where it lies elsewhere."""
    path = Path.cwd() / file
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else None


def utf16_column(column: int, line: int, quote: "Quote") -> int:
    """Return a column in UTF-16 code units, as editors in browsers count; `quote` holds the line, if anything does."""
    text = next((text for number, text in quote if number == line), "")
    before = text[: column - 1]
    return column if before.isascii() else column + len(before.encode("utf-16-le", "replace")) // 2 - len(before)

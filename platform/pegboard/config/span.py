"""Where something stands in a file, and how that file is named."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file; lines and columns count from 1, columns in code points."""

    file: str
    """As the user named it: relative to the working folder where it lies below that."""
    line: int
    column: int
    end_line: int = 0
    """Where it ends (exclusive column); 0 where only the start is known."""
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def shown(path: Path) -> str:
    """Return a path as it is reported: relative to the working folder where it lies below that."""
    try:
        here = Path.cwd()
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 (links are kept as the user sees them)
    except FileNotFoundError:  # the working folder was deleted
        here, absolute = Path(os.devnull), path
    name = str(absolute.relative_to(here)) if absolute.is_relative_to(here) else str(path)
    return _CONTROL.sub("�", os.fsencode(name).decode("utf-8", "replace"))

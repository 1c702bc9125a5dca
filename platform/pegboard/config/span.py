"""Where something stands in a file."""

from dataclasses import dataclass


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

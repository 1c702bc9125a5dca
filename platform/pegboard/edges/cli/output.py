"""What commands print: JSON, tables, lines in colour, complaints."""

import os
import re
import sys
from collections.abc import Sequence
from typing import TextIO

from pegboard.text import to_json

_DRIVING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]")
"""Controls but for line ends and tabs, what overrides directions, half characters. What joins letters stays."""

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def is_terminal(stream: TextIO) -> bool:
    """Tell whether a person watches `stream` on a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def is_coloured(stream: TextIO) -> bool:
    """Tell whether `stream` takes colour; see no-color.org."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def styled(text: str, *styles: str, to: TextIO) -> str:
    """Return `text` in these styles where `to` takes colour."""
    if not text or not is_coloured(to):
        return text
    return f"\x1b[{';'.join(_STYLES[style] for style in styles)}m{text}\x1b[0m"


def plain(text: str) -> str:
    """Return `text` without characters that drive the terminal, turn the order of what is read, or are not seen."""
    return text if text.isprintable() else _DRIVING.sub("�", text)


def print_json(value: object) -> None:
    """Print `value` as the one JSON document of a command."""
    sys.stdout.write(to_json(value, indent=2) + "\n")


def print_line(text: str = "", *, to: TextIO | None = None) -> None:
    """Print one line of a result."""
    (to or sys.stdout).write(plain_but_styled(text) + "\n")


def plain_but_styled(text: str) -> str:
    """Return `text` without control characters, other than our own styles."""
    return "\x1b[".join(plain(part) for part in text.split("\x1b["))


def complain(message: str) -> None:
    """Say on stderr, in one line, what went wrong."""
    name = styled("platform:", "red", to=sys.stderr)
    sys.stderr.write(f"{name} {plain(' '.join(message.split()))}\n")


def inform(message: str) -> None:
    """Say something on stderr that is no result."""
    sys.stderr.write(plain_but_styled(message) + "\n")
    sys.stderr.flush()


def width(text: str) -> int:
    """Return how many columns `text` takes on a terminal."""
    from rich.cells import cell_len

    return cell_len(text)


def cut_line(text: str, columns: int) -> str:
    """Return a line without styles so that it takes at most `columns`."""
    from rich.cells import set_cell_size

    return text if width(text) <= columns else set_cell_size(text, columns)


def padded(text: str, columns: int) -> str:
    """Return `text` with spaces up to `columns`."""
    return text + " " * (columns - width(text))


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns on a terminal, each cut to fit; separated by tabs anywhere else."""
    lines = [[plain(" ".join(cell.split())) for cell in row] for row in rows]
    if not is_terminal(sys.stdout):
        for line in lines:
            print_line("\t".join(line))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for number, title in enumerate(header, start=1):
        table.add_column(title, no_wrap=number < len(header))  # what may wrap is cut first
    for line in lines:
        table.add_row(*(Text(cell, no_wrap=True, overflow="ellipsis") for cell in line))
    Console(file=sys.stdout, color_system="auto" if is_coloured(sys.stdout) else None).print(table)

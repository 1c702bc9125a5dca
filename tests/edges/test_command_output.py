"""What the command says when its output cannot be written."""

import subprocess
import sys
from pathlib import Path

import pytest

from pegboard.edges.cli.output import plain


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["version"], ["--help"], ["check"]])
def test_a_full_disk_behind_stdout_is_said_in_a_line(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text("tools: []")
    program = f"import sys; from pegboard.edges.cli import main; sys.argv[1:] = {words!r}; main()"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert b"Traceback" not in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[31mred\x07\r\x9b2J", "�[31mred���2J"),
        ("delete \u202eyrov\u202c \u2066x\u2069", "delete �yrov� �x�"),
        ("pay\u200bpal\ufeff\u2028", "pay�pal��"),
        ("half \ud83d", "half �"),
        ("می\u200cخواهم \U0001f468\u200d\U0001f469 \u200fא", "می\u200cخواهم \U0001f468\u200d\U0001f469 \u200fא"),
    ],
)
def test_what_is_printed_neither_drives_a_terminal_nor_reads_otherwise_than_it_is(text: str, shown: str) -> None:
    assert plain(text) == shown

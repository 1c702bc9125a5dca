"""What the command says when its output cannot be written."""

import subprocess
import sys
from pathlib import Path

import pytest


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

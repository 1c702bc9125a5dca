"""`platform check --no-import`, on the real application."""

import json
import sys
from pathlib import Path

import pytest

from pegboard.edges.cli.command import run

TRAP = "from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a configuration that writes a file when its module is imported."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "no_import_trap.py").write_text(TRAP)
    (tmp_path / "pegboard.toml").write_text('handler_prefixes = ["no_import_trap"]\n')
    (tmp_path / "tools.yaml").write_text("tools: [{name: a, description: A., handler: 'no_import_trap:run'}]\n")
    return tmp_path


@pytest.mark.parametrize(("options", "ran"), [(["--no-import"], False), ([], True)])
def test_no_code_of_the_configuration_runs(
    options: list[str], ran: bool, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(folder), "--json", *options]) == 3
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert (problem["code"], problem["line"]) == ("PB403", 1)
    assert (folder / "no_import_trap.ran").exists() is ran
    sys.modules.pop("no_import_trap", None)


def test_one_document_of_the_folder_is_read_as_well(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tools.d").mkdir()
    (folder / "tools.yaml").rename(folder / "tools.d/a.yaml")
    assert run(["check", str(folder / "tools.d/a.yaml"), "--no-import"]) == 3
    assert "PB403" in capsys.readouterr().out
    assert not (folder / "no_import_trap.ran").exists()

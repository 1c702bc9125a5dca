"""A file is replaced whole, keeps its mode, and a link keeps leading to it."""

import os
from pathlib import Path

import pytest

from pegboard.config.write.files import replace_file


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("old")
    path.chmod(0o640)
    replace_file(path, "new 中\n")
    assert (path.read_text("utf-8"), path.stat().st_mode & 0o777) == ("new 中\n", 0o640)
    assert [each.name for each in tmp_path.iterdir()] == ["a.yaml"]


def test_a_new_file_has_the_mode_of_new_files(tmp_path: Path) -> None:
    replace_file(tmp_path / "a", "")
    (tmp_path / "b").touch()
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_a_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    target = tmp_path / "data" / "a.yaml"
    target.parent.mkdir()
    target.write_text("old")
    link = tmp_path / "a.yaml"
    link.symlink_to("data/a.yaml")
    replace_file(link, "new")
    assert (link.is_symlink(), os.readlink(link), target.read_text()) == (True, "data/a.yaml", "new")  # noqa: PTH115


def test_what_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        replace_file(path, "new")
    assert [each.name for each in tmp_path.iterdir()] == ["a"]

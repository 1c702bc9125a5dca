"""`platform init`: all of a project, or nothing."""

import json
from pathlib import Path

import pytest

from pegboard.edges.cli.command import run
from tests.edges.twin import TwinBackend

Output = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()}


def test_a_project_is_laid_down_and_the_next_commands_are_told(
    backend: TwinBackend, capsys: Output, here: Path
) -> None:
    assert run(["init"], backend=backend) == 0
    assert contents(here) == {"tools.d/tools.yaml": "工具\n", "README.md": "# Read\n"}
    assert capsys.readouterr() == (
        "Written:\n  tools.d/tools.yaml\n  README.md\n"
        'Next:\n  platform check\n  platform ask "are you open on Sunday?"\n  platform serve\n',
        "",
    )


def test_a_folder_is_made_and_named_in_the_next_commands(backend: TwinBackend, capsys: Output, here: Path) -> None:
    assert run(["init", "a shop/tea", "--xml", "--json"], backend=backend) == 0
    assert sorted(contents(here / "a shop/tea")) == ["README.md", "tools.d/tools.xml"]
    assert json.loads(capsys.readouterr().out) == {
        "written": ["a shop/tea/tools.d/tools.xml", "a shop/tea/README.md"],
        "kept": [],
        "next": [
            "platform check -c 'a shop/tea'",
            "platform ask -c 'a shop/tea' \"are you open on Sunday?\"",
            "platform serve -c 'a shop/tea'",
        ],
    }


def test_a_folder_that_holds_other_things_will_do(backend: TwinBackend, here: Path) -> None:
    (here / "notes.txt").write_text("mine")
    assert run(["init"], backend=backend) == 0
    assert contents(here)["notes.txt"] == "mine"


def test_nothing_is_written_where_one_file_is_there(backend: TwinBackend, capsys: Output, here: Path) -> None:
    (here / "README.md").symlink_to("nowhere")
    assert run(["init"], backend=backend) == 1
    assert [path.name for path in here.iterdir()] == ["README.md"]
    assert capsys.readouterr() == (
        "",
        "platform: Nothing is written, because of what is in . already: README.md. "
        "Name another folder, or leave those files as they are with --keep.\n",
    )


def test_a_file_that_is_there_can_be_kept(backend: TwinBackend, capsys: Output, here: Path) -> None:
    (here / "README.md").write_text("mine")
    assert run(["init", "--keep"], backend=backend) == 0
    assert contents(here) == {"tools.d/tools.yaml": "工具\n", "README.md": "mine"}
    assert "Left as they are:\n  README.md\n" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["tools.xml", "tools.d/a.yml", "tools.d/b.json"])
def test_a_configuration_is_never_added_to(backend: TwinBackend, capsys: Output, here: Path, name: str) -> None:
    (here / name).parent.mkdir(exist_ok=True)
    (here / name).write_text("")
    assert run(["init", "--keep"], backend=backend) == 1
    assert contents(here) == {name: ""}
    assert f"there is a configuration already, in {name}" in capsys.readouterr().err


def test_a_file_is_no_folder(backend: TwinBackend, capsys: Output, here: Path) -> None:
    (here / "a").write_text("")
    assert run(["init", "a"], backend=backend) == 2
    assert run(["init", "a/b"], backend=backend) == 1
    assert (
        capsys.readouterr().err
        == "platform: a is no folder.\nplatform: a/b/tools.d cannot be written: Not a directory.\n"
    )


def test_what_was_begun_is_taken_back_when_a_file_cannot_be_written(backend: TwinBackend, here: Path) -> None:
    (here / "x").mkdir()
    (here / "x/tools.d").write_text("no folder")
    assert run(["init", "x"], backend=backend) == 1
    assert contents(here) == {"x/tools.d": "no folder"}

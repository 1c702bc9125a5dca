"""The scripts set the project up by themselves, once, and heal what was cut off.

A tiny project without dependencies stands in for this one, so that the real scripts, the real venv and the
real pip run without a network.
"""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.environment import Action, State, decide, has_lancedb_wheels, read

ROOT = Path(__file__).parents[2]
SCRIPTS = [ROOT / ".ci" / "run", *(ROOT / "scripts" / name for name in ("serve", "test", "check"))]

PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "tiny"
version = "1"
"""
BACKEND = """
import zipfile

FILES = {
    "tiny.py": "import json, sys\\ndef main(): print(json.dumps(sys.argv[1:]))\\n",
    "tiny-1.dist-info/METADATA":
        "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1\\n"
        "Provides-Extra: dev\\nProvides-Extra: knowledge\\n"
        "Requires-Dist: not-to-be-had; extra == 'knowledge'\\n",
    "tiny-1.dist-info/WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    "tiny-1.dist-info/entry_points.txt": "[console_scripts]\\nplatform = tiny:main\\n",
    "tiny-1.dist-info/RECORD": "",
}

def build_editable(folder, config_settings=None, metadata_directory=None):
    with zipfile.ZipFile(folder + "/tiny-1-py3-none-any.whl", "w") as wheel:
        for name, text in FILES.items():
            wheel.writestr(name, text)
    return "tiny-1-py3-none-any.whl"

build_wheel = build_editable
"""


@pytest.mark.parametrize("script", [*SCRIPTS, ROOT / "scripts" / "setup.sh"], ids=lambda path: path.name)
def test_the_script_is_valid_posix_sh(script: Path) -> None:
    subprocess.run(["sh", "-n", script], check=True)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_script_can_be_executed(script: Path) -> None:
    assert os.access(script, os.X_OK)


WANTED = State("cpython-311", "/srv/pegboard", "abc", frozenset({"dev"}))


@pytest.mark.parametrize(
    ("found", "action"),
    [
        pytest.param(WANTED, "keep", id="unchanged"),
        pytest.param(WANTED._replace(extras=frozenset({"dev", "fast"})), "keep", id="more than wanted"),
        pytest.param(WANTED._replace(extras=frozenset(), missing=frozenset({"dev"})), "keep", id="was tried"),
        pytest.param(WANTED._replace(extras=frozenset()), "install", id="an extra is missing"),
        pytest.param(WANTED._replace(sources="abd"), "install", id="other versions"),
        pytest.param(WANTED._replace(python="cpython-310"), "rebuild", id="another Python"),
        pytest.param(WANTED._replace(root="/home/pegboard"), "rebuild", id="moved"),
        pytest.param(None, "rebuild", id="absent or cut off"),
    ],
)
def test_an_environment_is_touched_only_as_far_as_it_must(found: State | None, action: Action) -> None:
    assert decide(found, WANTED) == action


@pytest.mark.parametrize("extras", [frozenset(), frozenset({"dev"}), frozenset({"dev", "knowledge"})])
def test_a_stamp_is_read_as_it_was_written(extras: frozenset[str]) -> None:
    state = WANTED._replace(extras=extras, missing=frozenset({"fast"}))
    assert read(state.written()) == state


def test_a_stamp_that_is_cut_short_counts_as_none() -> None:
    whole = WANTED.written()
    assert [read(whole[:end]) for end in range(len(whole))] == [None] * len(whole)


class Project:
    """A project in a folder, with the real scripts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start `scripts/serve` from another folder, without a network."""
        return subprocess.Popen(
            [self.folder / "scripts" / "serve", *arguments],
            cwd="/",
            env=os.environ | {"PIP_NO_INDEX": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def serve(self, *arguments: str) -> tuple[list[str], str]:
        """Return what the command `platform` was given, and what the script said."""
        return finished(self.start(*arguments))

    @property
    def stamp(self) -> Path:
        return self.folder / ".venv" / "pegboard-stamp"


def finished(process: subprocess.Popen[str]) -> tuple[list[str], str]:
    out, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    return json.loads(out), said


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("a folder with spaces") / "tiny"
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    (folder / "pyproject.toml").write_text(PROJECT)
    (folder / "backend.py").write_text(BACKEND)
    (folder / "constraints.txt").write_text("")
    return Project(folder)


def test_of_two_first_starts_at_once_one_sets_up_and_both_serve(project: Project) -> None:
    answers = [finished(process) for process in (project.start("--port", "1"), project.start("--port", "2"))]
    root = str(project.folder)
    assert [given for given, _ in answers] == [["serve", "-c", root, "--port", port] for port in "12"]
    assert "".join(said for _, said in answers).count("making .venv") == 1


def test_a_start_without_changes_is_silent_and_installs_nothing(project: Project) -> None:
    project.serve()
    before = project.stamp.stat()
    assert project.serve() == (["serve", "-c", str(project.folder)], "")
    assert project.stamp.stat() == before


def test_an_optional_extra_that_cannot_be_had_is_left_out_and_not_tried_again(project: Project) -> None:
    project.serve()
    held = read(project.stamp.read_text())
    assert held is not None
    assert held.extras == frozenset()
    assert held.missing == ({"knowledge"} if has_lancedb_wheels() else frozenset())
    assert project.serve()[1] == ""


@pytest.mark.parametrize("option", [("-c", "x.yaml"), ("-cx.yaml",), ("--config", "x"), ("--config=x",)])
def test_a_configuration_named_by_the_caller_is_left_alone(project: Project, option: tuple[str, ...]) -> None:
    given, _ = project.serve(*option)
    assert given == ["serve", *option]


def test_changed_versions_are_installed_and_extras_stay(project: Project) -> None:
    project.serve()
    held = read(project.stamp.read_text())
    assert held is not None
    project.stamp.write_text(held._replace(extras=held.extras | {"dev"}).written())
    (project.folder / "constraints.txt").write_text("# changed\n")
    _, said = project.serve()
    held = read(project.stamp.read_text())
    assert "bringing .venv up to date" in said
    assert held is not None
    assert "dev" in held.extras


def test_a_failed_update_keeps_the_stamp_of_what_is_installed(project: Project) -> None:
    project.serve()
    before = project.stamp.read_text()
    constraints = project.folder / "constraints.txt"
    pins = constraints.read_text()
    constraints.write_text("this is no constraint\n")
    process = project.start()
    process.communicate(timeout=120)
    assert process.returncode == 1
    assert project.stamp.read_text() == before
    constraints.write_text(pins)
    assert project.serve()[1] == ""


def test_a_set_up_that_was_cut_off_is_begun_anew_by_the_next_start(project: Project) -> None:
    project.serve()
    project.stamp.unlink()
    (project.folder / ".venv" / "bin" / "platform").write_text("half a file")
    given, said = project.serve()
    assert given == ["serve", "-c", str(project.folder)]
    assert "making .venv" in said


def test_a_moved_project_gets_a_new_environment(project: Project) -> None:
    project.serve()
    project.folder = project.folder.rename(project.folder.with_name("moved"))
    given, said = project.serve()
    assert given == ["serve", "-c", str(project.folder)]
    assert "making .venv" in said


def test_constraints_pin_all_that_the_project_names() -> None:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [
        *table["dependencies"],
        *(line for extra in table["optional-dependencies"].values() for line in extra),
    ]
    pins = pinned()
    wrong = [line for line in named if not fits(Requirement(line), pins)]
    assert wrong == []


def test_constraints_hold_pins_and_nothing_else() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pin = re.compile(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+]+( ; .+)?")
    assert [line for line in lines if not line.startswith("#") and not pin.fullmatch(line)] == []
    assert [line for line in lines if "://" in line] == []


def pinned() -> dict[str, str]:
    """Return the pinned version of each distribution."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" ")[0].split("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pairs}


def fits(requirement: Requirement, pins: dict[str, str]) -> bool:
    version = pins.get(canonicalize_name(requirement.name))
    return version is not None and requirement.specifier.contains(version)

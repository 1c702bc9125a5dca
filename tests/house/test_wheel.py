"""What is shipped is the package, the whole package and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pegboard import __version__

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "platform"


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """Return the names of the files in a freshly built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return frozenset(archive.namelist())


def test_the_top_level_of_the_wheel_is_the_package_alone(shipped: frozenset[str]) -> None:
    assert {name.partition("/")[0] for name in shipped} == {"pegboard", f"pegboard-{__version__}.dist-info"}


def test_every_file_of_the_package_is_in_the_wheel_data_too(shipped: frozenset[str]) -> None:
    files = (path.relative_to(SOURCES) for path in (SOURCES / "pegboard").rglob("*") if path.is_file())
    here = {file.as_posix() for file in files if not is_a_cache(file)}
    assert {name for name in shipped if name.startswith("pegboard/")} == here


def test_the_wheel_carries_its_licence(shipped: frozenset[str]) -> None:
    assert f"pegboard-{__version__}.dist-info/licenses/LICENSE" in shipped


def is_a_cache(file: Path) -> bool:
    return any(part.startswith((".", "__pycache__")) for part in file.parts)

"""The house rules that a look at the tree can hold."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "platform" / "pegboard"
TESTS = ROOT / "tests"

VAGUE_NAMES = frozenset(
    {"base", "common", "core", "helper", "helpers", "manager", "managers", "misc", "shared", "util", "utils"}
)
OTHER_TEST_FOLDERS = frozenset({"benchmarks", "data", "demo", "docs", "house", "readme"})
MOST_LINES_OF_A_FUNCTION = 60
MOST_LINES_OF_A_FILE = 400


def test_platform_is_a_source_root_and_never_a_package() -> None:
    assert [path.name for path in (ROOT / "platform").glob("*.py*")] == []


def test_only_the_package_lies_in_the_source_root() -> None:
    assert {path.name for path in (ROOT / "platform").iterdir() if is_ours(path)} == {"pegboard"}


def test_every_folder_with_code_is_a_package() -> None:
    assert [str(folder) for folder in without_init(PACKAGE)] == []


def test_every_folder_with_tests_is_a_package_so_that_equal_names_do_not_collide() -> None:
    assert [str(folder) for folder in without_init(TESTS)] == []


def test_no_name_is_vague() -> None:
    assert [str(path) for path in modules(PACKAGE) if path.stem in VAGUE_NAMES] == []


def test_no_room_is_named_like_a_module_of_the_standard_library() -> None:
    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or is_ours(path)}
    assert rooms & sys.stdlib_module_names - {"__main__"} == set()


def test_no_file_is_longer_than_the_limit() -> None:
    long = {
        place(path): lines
        for path in sources(PACKAGE)
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES_OF_A_FILE
    }
    assert long == {}


def test_no_function_is_longer_than_the_limit() -> None:
    long = {
        f"{place(path)}:{function.lineno} {function.name}": lines
        for path in sources(PACKAGE)
        for function in functions(path)
        if (lines := (function.end_lineno or function.lineno) - function.lineno + 1) > MOST_LINES_OF_A_FUNCTION
    }
    assert long == {}


def test_the_folders_of_tests_mirror_the_rooms() -> None:
    strangers = [
        str(relative)
        for folder in sorted(TESTS.rglob("*"))
        if folder.is_dir() and any(folder.glob("test_*.py"))
        if (relative := folder.relative_to(TESTS)).parts[0] not in OTHER_TEST_FOLDERS
        if not (PACKAGE / relative).is_dir() and not (PACKAGE / relative).with_suffix(".py").is_file()
    ]
    assert strangers == []


def sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def modules(folder: Path) -> list[Path]:
    """Return files and folders: both give a module its name."""
    return [path for path in sorted(folder.rglob("*")) if path.suffix == ".py" or path.is_dir()]


def is_ours(path: Path) -> bool:
    """Leave out what tools keep beside the code."""
    return path.is_dir() and not path.name.startswith((".", "__pycache__"))


def without_init(folder: Path) -> Iterator[Path]:
    for found in sorted({path.parent for path in sources(folder)}):
        if not (found / "__init__.py").is_file():
            yield found


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), filename=str(path))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def place(path: Path) -> str:
    return str(path.relative_to(ROOT))

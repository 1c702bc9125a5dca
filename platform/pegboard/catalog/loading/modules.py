"""Where the source of a module lies: found without importing anything, its parents neither.

The standard library's `find_spec` imports every parent of a module. This looks for files alone, the way the path
finder does: package, then module, then a folder without `__init__.py`.
"""

import importlib.machinery
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

MOST_BYTES = 256 << 10
"""Of a source file that is read."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The module is written in this file."""

    path: Path
    root: Path
    """The folder of the search path that it was found in."""
    is_package: bool


Sought: TypeAlias = SourceFile | Literal["missing", "unknown"]
"""`missing`: there is no such module; `unknown`: there may be one that is no source file."""

_Lack: TypeAlias = Literal["missing", "unknown", "open"]
"""`open`: a folder without `__init__.py`, whose parts may lie in several places."""

_COMPILED = (*importlib.machinery.EXTENSION_SUFFIXES, *importlib.machinery.BYTECODE_SUFFIXES)


def find(module_name: str, search_path: Sequence[str]) -> Sought:
    """Look for `module_name` in the folders of `search_path`, in their order."""
    top, *below = module_name.split(".")
    if top in sys.builtin_module_names:
        return "unknown"
    open_folders: list[Path] = []
    for root in (Path(entry or ".") for entry in search_path):
        if root.is_file():  # an archive
            return "unknown"
        found = _below(root, root, [top])
        if found == "open":  # a package further on goes before it
            open_folders.append(root)
        elif found != "missing":
            return _known(_below(root, root, [top, *below]))
    for root in open_folders:
        if isinstance(found := _below(root, root, [top, *below]), SourceFile):
            return found
    return "unknown" if open_folders or not _finds_files_only() else "missing"


def _known(found: "SourceFile | _Lack") -> Sought:
    return "unknown" if found == "open" else found


def _below(root: Path, folder: Path, names: list[str]) -> "SourceFile | _Lack":
    name, *rest = names
    inner = folder / name
    try:
        if (package := inner / "__init__.py").is_file():
            return _inside(root, package, rest)
        if (module := folder / f"{name}.py").is_file():
            return "missing" if rest else SourceFile(module, root, is_package=False)
        if any((folder / f"{name}{suffix}").exists() for suffix in _COMPILED):
            return "unknown"
        if inner.is_dir():
            found = _below(root, inner, rest) if rest else "open"
            return "open" if found == "missing" else found
    except (OSError, ValueError):
        return "unknown"
    return "missing"


def _inside(root: Path, package: Path, rest: list[str]) -> "SourceFile | _Lack":
    if not rest:
        return SourceFile(package, root, is_package=True)
    found = _below(root, package.parent, rest)
    return "unknown" if found == "missing" and _moves_its_path(package) else found


def _moves_its_path(package: Path) -> bool:
    """Tell whether a package may have modules elsewhere; so may one that cannot be read."""
    try:
        with package.open("rb") as file:
            return b"__path__" in file.read(MOST_BYTES) or bool(file.read(1))
    except OSError:
        return True


def _finds_files_only() -> bool:
    """Tell whether modules come from files and nowhere else: an installer may add finders of its own."""
    usual: list[object] = [
        importlib.machinery.BuiltinImporter,
        importlib.machinery.FrozenImporter,
        importlib.machinery.PathFinder,
    ]
    return all(finder in usual for finder in sys.meta_path)

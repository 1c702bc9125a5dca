"""Projects in folders of their own; what they import is forgotten again."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pegboard.config.starter.project import starter_files


@pytest.fixture(autouse=True)
def forgotten_modules() -> Iterator[None]:
    modules, path = set(sys.modules), list(sys.path)
    yield
    for name in set(sys.modules) - modules:
        if name.partition(".")[0] != "pegboard":
            del sys.modules[name]
    sys.path[:] = path


def laid_down(folder: Path, *, xml: bool = False) -> Path:
    for name, text in starter_files(xml=xml).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder

"""A configuration in a temporary folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from pegboard.config.declarations import Declarations
from pegboard.config.load import load
from pegboard.config.problems import Problem, Problems
from pegboard.config.server.settings import Settings


@dataclass
class Folder:
    """A folder with documents."""

    path: Path
    environ: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def load(self, **settings: object) -> tuple[Declarations, Problems]:
        base = Settings(root=self.path, config=self.path, data=self.path / ".pegboard")
        return load(replace(base, **settings), environ=self.environ)  # type: ignore[arg-type]

    def read(self, name: str, content: str | bytes) -> tuple[Declarations, Problems]:
        """Write one document and load the folder."""
        self.write(name, content)
        return self.load()

    def problems(self, name: str, content: str | bytes) -> list[str]:
        """Write one document, and return its problems as `line:column CODE`."""
        return [placed(problem) for problem in self.read(name, content)[1]]


def placed(problem: Problem) -> str:
    return f"{problem.span.line}:{problem.span.column} {problem.code}"


def files_of(problems: Problems) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for problem in problems:
        found.setdefault(problem.span.file, []).append(placed(problem))
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """An empty configuration that is also the working folder."""
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path)

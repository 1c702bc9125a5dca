"""From settings to the catalog: read the documents, build, and refuse to serve what has errors."""

import sys
from dataclasses import dataclass
from pathlib import Path

from pegboard.catalog.build import build
from pegboard.catalog.snapshot import Catalog
from pegboard.config.load import load
from pegboard.config.problems import Problem, Problems
from pegboard.config.settings import Settings
from pegboard.errors import InvalidDeclarations
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What was found in a configuration."""

    catalog: Catalog

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All of them, by file and line."""
        return self.catalog.problems

    @property
    def ok(self) -> bool:
        """No problem is an error: the configuration can be served."""
        return not any(problem.severity == "error" for problem in self.problems)

    def to_json(self) -> dict[str, Json]:
        """Return what `platform check --json` prints."""
        return {
            "problems": [problem.to_json() for problem in self.problems],
            "tools": self.catalog.tools,
            "disabled": self.catalog.disabled,
            "sites": list(self.catalog.sites),
        }


def check(settings: Settings) -> CheckReport:
    """Read and build everything, and return every problem."""
    add_to_path(settings.root)
    declarations, problems = load(settings)
    found = Problems(problems)
    return CheckReport(build(declarations, prefixes=settings.handler_prefixes, problems=found))


def catalog_of(settings: Settings) -> Catalog:
    """Return the catalog of a configuration that has no errors.

    Raises:
        InvalidDeclarations: with every problem, warnings too.
    """
    report = check(settings)
    if report.ok:
        return report.catalog
    errors = sum(problem.severity == "error" for problem in report.problems)
    noun = "error" if errors == 1 else "errors"
    message = f"The configuration {settings.config} has {errors} {noun}; nothing of it is served."
    raise InvalidDeclarations(message, problems=report.problems)


def add_to_path(folder: Path) -> None:
    """Let handlers be imported from `folder`: last, so that it can shadow no module."""
    name = str(folder)
    if name not in sys.path:
        sys.path.append(name)

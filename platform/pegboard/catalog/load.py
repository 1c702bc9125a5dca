"""From settings to the catalog: read the documents, build, and refuse to serve what has errors."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

from pegboard.catalog.build import build
from pegboard.catalog.snapshot import Catalog
from pegboard.config.load import load
from pegboard.config.problems import Problem
from pegboard.config.settings import FOLDER, Settings
from pegboard.config.span import shown
from pegboard.errors import InvalidDeclarations
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What was found in a configuration."""

    catalog: Catalog
    problems: tuple[Problem, ...]
    """All of them, by document and place."""

    @property
    def ok(self) -> bool:
        """No problem is an error: the configuration can be served."""
        return not any(problem.severity == "error" for problem in self.problems)

    def to_json(self) -> dict[str, Json]:
        """Return what `platform check --json` prints; `schemas/check.json` describes it."""
        errors = sum(problem.severity == "error" for problem in self.problems)
        return {
            "problems": [problem.to_json() for problem in self.problems],
            "errors": errors,
            "warnings": len(self.problems) - errors,
            "files": list(self.catalog.files),
            "tools": self.catalog.tools,
            "disabled": self.catalog.disabled,
            "sites": list(self.catalog.sites),
        }


def check(settings: Settings) -> CheckReport:
    """Read and build everything, and return every problem.

    A document in `tools.d` is checked among the others of its folder, and only what concerns it is returned.
    """
    if settings.config.parent == settings.root / FOLDER:
        catalog = _built(replace(settings, config=settings.root))
        name = shown(settings.config)
        return CheckReport(catalog, tuple(problem for problem in catalog.problems if _concerns(problem, name)))
    catalog = _built(settings)
    return CheckReport(catalog, catalog.problems)


def _built(settings: Settings) -> Catalog:
    add_to_path(settings.root)
    declarations, problems = load(settings)
    return build(declarations, prefixes=settings.handler_prefixes, problems=problems)


def _concerns(problem: Problem, file: str) -> bool:
    return file in {problem.span.file, *(span.file for span in problem.also)}


def catalog_of(settings: Settings) -> Catalog:
    """Return the catalog of a configuration that has no errors.

    Raises:
        InvalidDeclarations: with every problem, warnings too.
    """
    catalog = _built(settings)
    errors = sum(problem.severity == "error" for problem in catalog.problems)
    if not errors:
        return catalog
    noun = "error" if errors == 1 else "errors"
    message = f"The configuration {settings.config} has {errors} {noun}; nothing of it is served."
    raise InvalidDeclarations(message, problems=catalog.problems)


def add_to_path(folder: Path) -> None:
    """Let handlers be imported from `folder`: last, so that it can shadow no module."""
    name = str(folder)
    if name not in sys.path:
        sys.path.append(name)

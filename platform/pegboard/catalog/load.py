"""From settings to the catalog: read the documents, build, and refuse to serve what has errors."""

import gc
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from pegboard.catalog.build import build
from pegboard.catalog.loading.kinds import BLOCKS
from pegboard.catalog.loading.named import Handlers
from pegboard.catalog.snapshot import Catalog
from pegboard.config.load import load
from pegboard.config.problems import Problem
from pegboard.config.server.settings import FOLDER, Settings
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
        """Return what `platform check --json` prints, but for `health`; `schemas/check.json` describes it."""
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


def check(settings: Settings, *, imports: bool = True) -> CheckReport:
    """Read and build everything, and return every problem.

    Without `imports` no handler is imported: its source is read instead, and nothing of the configuration runs.
    A document in `tools.d` is checked among the others of its folder, and only what concerns it is returned.
    """
    if settings.config.parent == settings.root / FOLDER:
        catalog = _built(replace(settings, config=settings.root), imports=imports)
        name = shown(settings.config)
        return CheckReport(catalog, tuple(problem for problem in catalog.problems if _concerns(problem, name)))
    catalog = _built(settings, imports=imports)
    return CheckReport(catalog, catalog.problems)


def _built(settings: Settings, *, imports: bool = True) -> Catalog:
    if imports:
        add_to_path(settings.root)
    kinds = frozenset(BLOCKS.values())
    handlers = Handlers(
        settings.handler_prefixes, settings.nlweb_handlers, settings.root, settings, imports=imports, kinds=kinds
    )
    with _collector_at_rest():
        declarations, problems = load(settings)
        return build(declarations, handlers=handlers, request_seconds=settings.request_seconds, problems=problems)


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Keep Python's cycle collector from going through what is being built: it grows, and holds no garbage yet.

    With 10,000 tools the collector took two fifths of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


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


@contextmanager
def apart(folder: Path) -> Iterator[None]:
    """Forget, at the end, the modules that were imported from `folder`: others may have their own of these names."""
    path, known = list(sys.path), set(sys.modules)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - known:
            if _lies_in(sys.modules[name], folder):
                del sys.modules[name]
        importlib.invalidate_caches()


def _lies_in(module: ModuleType, folder: Path) -> bool:
    places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return any(place is not None and Path(place).is_relative_to(folder) for place in places)

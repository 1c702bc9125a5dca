"""The files of the folder `schemas/`: JSON Schemas that declarations share.

They are read as documents are: JSON or YAML, within the same caps, links followed only inside the configuration's
folder. What a declaration makes of them is `bundles`'s business.
"""

import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pegboard.config.files import FileReader
from pegboard.config.problems import Problem, Problems
from pegboard.config.server.settings import Settings
from pegboard.config.span import shown
from pegboard.config.syntax.json_reader import read_json
from pegboard.config.syntax.node import List, Map, Node, Scalar
from pegboard.config.syntax.source import Source, decode
from pegboard.config.syntax.yaml_reader import read_yaml

FOLDER = "schemas"
"""Beside the documents."""
SUFFIXES = (".json", ".yaml", ".yml")
_MOST_FILES = 1000
_MOST_ENTRIES = 20_000
"""Files that are looked at."""


def find(settings: Settings) -> list[Path]:
    """Return the files that may be named, in the order of their names."""
    root = settings.root / FOLDER
    found = islice(_below(root), _MOST_ENTRIES)
    named = sorted(path for path in found if path.suffix.lower() in SUFFIXES and not path.name.startswith("."))
    return named[:_MOST_FILES]


def _below(folder: Path) -> "list[Path]":
    inside: list[Path] = []
    for above, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        inside += [Path(above) / name for name in files]
        if len(inside) >= _MOST_ENTRIES:
            break
    return inside


def contents(settings: Settings) -> dict[Path, bytes]:
    """Return the bytes of all files; one that cannot be read is left out, for nobody may name it."""
    reader = FileReader(settings, Problems())
    read = ((path, reader.read(path)) for path in find(settings))
    return {path: data for path, data in read if data is not None}


@dataclass(frozen=True, slots=True)
class File:
    """One file that was read."""

    name: str
    """As it is reported."""
    node: Node | None
    """What it holds; None: it cannot be read."""
    schema: object
    """The same, plainly."""
    source: Source | None
    problems: tuple[Problem, ...]
    """Why it cannot be read."""


def read(path: Path, data: bytes) -> File:
    """Read a file; whatever its bytes are, nothing is raised."""
    problems = Problems()
    name = shown(path)
    source = decode(data, name, problems)
    if source is None:
        return File(name, None, None, None, tuple(problems))
    nodes = (read_json if path.suffix.lower() == ".json" else read_yaml)(source, problems)
    node = nodes[0] if len(nodes) == 1 and not problems.errors else None
    return File(name, node, _plain(node) if node is not None else None, source, tuple(problems))


def _plain(node: Node) -> object:
    match node:
        case Map(entries=entries):
            return {key: _plain(entry.value) for key, entry in entries.items()}
        case List(items=items):
            return [_plain(item) for item in items]
        case Scalar(value=value):
            return value

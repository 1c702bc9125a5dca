"""The documents of a configuration, each converted or in the house form."""

from pathlib import Path

from pegboard.config.files import FileReader, find_documents
from pegboard.config.problems import Problems
from pegboard.config.settings import Settings
from pegboard.config.span import shown
from pegboard.config.write.convert import Conversion, convert
from pegboard.config.write.house import Formatting, house_form
from pegboard.config.write.read import SYNTAXES, Syntax
from pegboard.errors import InvalidDeclarations


def convert_documents(settings: Settings, to: Syntax) -> list[tuple[Path, Conversion]]:
    """Return each document in the syntax `to`; one that cannot be converted comes with its problems.

    Raises:
        InvalidDeclarations: there is no document.
    """
    return [
        (path, Conversion("", tuple(found)) if data is None else convert(data, shown(path), _syntax(path), to))
        for path, data, found in _contents(settings)
    ]


def format_documents(settings: Settings) -> list[tuple[Path, Formatting]]:
    """Return each document in the house form; one that cannot be read comes with its problems.

    Raises:
        InvalidDeclarations: there is no document.
    """
    return [
        (path, Formatting("", "", tuple(found)) if data is None else house_form(data, shown(path), _syntax(path)))
        for path, data, found in _contents(settings)
    ]


def _contents(settings: Settings) -> list[tuple[Path, bytes | None, Problems]]:
    problems = Problems()
    paths = find_documents(settings, problems)
    if problems:
        raise InvalidDeclarations(f"{shown(settings.config)} cannot be read.", problems=tuple(problems))
    contents: list[tuple[Path, bytes | None, Problems]] = []
    found = Problems()
    reader = FileReader(settings, found)
    for path in paths:
        data = reader.read(path)
        contents.append((path, data, Problems(found)))
        found.clear()
    return contents


def _syntax(path: Path) -> Syntax:
    return SYNTAXES[path.suffix.lower()]

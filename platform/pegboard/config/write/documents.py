"""The documents of a configuration, each converted or in the house form."""

from pathlib import Path

from pegboard.config.files import FileReader, find_documents
from pegboard.config.nlweb.prompts import FILES as PROMPTS_FILES
from pegboard.config.nlweb.sites import SITES
from pegboard.config.problems import Problems
from pegboard.config.server.settings import Settings
from pegboard.config.span import shown
from pegboard.config.write.convert import Conversion, convert
from pegboard.config.write.house import Formatting, house_form
from pegboard.config.write.read import SYNTAXES, Syntax
from pegboard.errors import InvalidDeclarations, UsageError


def convert_documents(settings: Settings, to: Syntax) -> list[tuple[Path, Conversion]]:
    """Return each document in the syntax `to`; one that cannot be converted comes with its problems.

    Raises:
        InvalidDeclarations: there is no document.
        UsageError: NLWeb's files of a folder are one only together.
    """
    if settings.config.is_dir():
        _refuse_nlweb(settings)
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


def _refuse_nlweb(settings: Settings) -> None:
    beside = [name for name in (SITES, *PROMPTS_FILES) if (settings.config / name).exists()]
    if beside:
        message = f"{' and '.join(beside)} of NLWeb complete what stands in tools.xml: they are not converted."
        raise UsageError(message, hint="Convert tools.xml by itself, and declare its sites in the new document.")


def _contents(settings: Settings) -> list[tuple[Path, bytes | None, Problems]]:
    problems = Problems()
    paths = [path for path in find_documents(settings, problems) if path.name not in PROMPTS_FILES]
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

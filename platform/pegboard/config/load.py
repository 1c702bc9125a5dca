"""Load a configuration: find its documents, read them, and make declarations of them.

Every problem of every file is collected in one run. What the declarations mean together (types, overrides,
handlers) is `catalog`'s business.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeGuard

from pegboard.config.declarations import Declarations
from pegboard.config.declare import Collected, Declarer
from pegboard.config.files import FileReader, find_documents
from pegboard.config.foreign import Foreign, recognise, recognise_element
from pegboard.config.json_reader import read_json
from pegboard.config.nlweb import read_tools
from pegboard.config.node import Map, Node
from pegboard.config.problems import Problem, Problems
from pegboard.config.settings import Settings
from pegboard.config.source import Source, as_far_as_readable, decode
from pegboard.config.span import Span, shown
from pegboard.config.values import Values
from pegboard.config.variables import Variables
from pegboard.config.xml_reader import read_xml
from pegboard.config.yaml_reader import read_yaml

MAX_PROBLEMS = 1000
"""Of one file; what is wrong in more places is another kind of file."""


_UNREAD = frozenset({"PB001", "PB002", "PB003", "PB004", "PB006", "PB007"})
"""Codes that say that a document was not read, or not to its end."""


class _TooMany(Exception):
    """A file has more problems than anybody reads."""


class _FileProblems(Problems):
    """The problems of one file."""

    def append(self, problem: Problem) -> None:
        if len(self) >= MAX_PROBLEMS:
            raise _TooMany
        super().append(problem)


def load(settings: Settings, *, environ: Mapping[str, str] | None = None) -> tuple[Declarations, Problems]:
    """Read all documents that `settings.config` names.

    Problems come in the order of files and lines; with an error among them, the declarations are what could
    be read, so that it can be judged too. `environ` is the process's own when it is None.
    """
    problems = Problems()
    collected = Collected()
    variables = Variables(os.environ if environ is None else environ, settings.env_allow)
    contents = _contents(settings, problems)
    sources: dict[str, Source] = {}
    for path, data in contents.items():
        found, source = _read_file(path, data, variables, collected)
        problems += found
        sources[source.name] = source
    names = [shown(path) for path in contents]
    declarations = Declarations(
        tools=tuple(collected.tools),
        sites=tuple(collected.sites),
        types=tuple(collected.types),
        knowledge=tuple(collected.knowledge),
        files=tuple(names),
        digest=_digest(contents),
        sources=sources,
        is_complete=not any(problem.code in _UNREAD for problem in problems),
    )
    return declarations, Problems(_in_order(problems, names))


def digest_of(settings: Settings) -> str:
    """Return what the digest of the documents would be now; nothing is parsed."""
    return _digest(_contents(settings, Problems()))


def _contents(settings: Settings, problems: Problems) -> dict[Path, bytes]:
    """Read the bytes of all documents, in reading order."""
    reader = FileReader(settings, problems)
    read = ((path, reader.read(path)) for path in find_documents(settings, problems))
    return {path: data for path, data in read if data is not None}


def _digest(contents: Mapping[Path, bytes]) -> str:
    digest = hashlib.sha256()
    for path, data in contents.items():
        digest.update(b"%s %d " % (os.fsencode(path.name), len(data)) + data)
    return digest.hexdigest()


def _in_order(problems: Problems, files: list[str]) -> list[Problem]:
    """Sort by files in reading order, then places; those of files that were not read come first."""
    order = {name: index for index, name in enumerate(files)}
    return sorted(problems, key=lambda problem: (order.get(problem.span.file, -1), problem.span))


def _read_file(path: Path, data: bytes, variables: Variables, into: Collected) -> tuple[Problems, Source]:
    problems, name, suffix = _FileProblems(), shown(path), path.suffix.lower()
    source = decode(data, name, problems, is_xml=suffix == ".xml")
    if source is None:
        return problems, as_far_as_readable(data, name)
    try:
        declarer = Declarer(Values(problems, variables), problems, path.parent.absolute(), into)
        for node in documents_of(source, suffix, problems):
            declarer.document(node)
    except _TooMany:
        problems += [_too_many(path)]
    return problems, source


def _too_many(path: Path) -> Problem:
    message = f"more than {MAX_PROBLEMS} problems; the rest is not listed"
    return Problem(Span(shown(path), 1, 1), "PB006", "error", message)


def documents_of(source: Source, suffix: str, problems: Problems) -> list[Map]:
    """Return the documents in a file called `*suffix` that are ours."""
    if suffix == ".xml":
        return _xml(source, problems)
    nodes = read_json(source, problems) if suffix == ".json" else read_yaml(source, problems)
    return [node for node in nodes if _is_ours(node, problems)]


def _xml(source: Source, problems: Problems) -> list[Map]:
    root = read_xml(source, problems)
    if root is None:
        return []
    foreign = recognise_element(root)
    if foreign is None:
        return [read_tools(root, source, problems)]
    _refuse(foreign, source.span(root.start), problems)
    return []


def _is_ours(node: Node, problems: Problems) -> TypeGuard[Map]:
    foreign = recognise(node)
    if foreign is not None and not any(problem.code == "PB006" for problem in problems):
        _refuse(foreign, node.span, problems)
    return foreign is None


def _refuse(foreign: Foreign, span: Span, problems: Problems) -> None:
    problems.add("PB006", span, f"this is {foreign.name}, not a pegboard document", hint=foreign.hint)

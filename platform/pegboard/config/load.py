"""Load a configuration: find its documents, read them, and make declarations of them.

Every problem of every file is collected in one run. What the declarations mean together (types, overrides,
handlers) is `catalog`'s business.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from pegboard.config import schema_files
from pegboard.config.bundles import Shared
from pegboard.config.declarations import Declarations
from pegboard.config.declare import Collected, Declarer
from pegboard.config.files import FileReader, find_documents
from pegboard.config.foreign import PROMPTS, Foreign, recognise, recognise_element
from pegboard.config.nlweb.join import join_sites
from pegboard.config.nlweb.prompts import FILES as PROMPTS_FILES
from pegboard.config.nlweb.prompts import Prompts
from pegboard.config.nlweb.sites import SITES, read_sites
from pegboard.config.nlweb.tools import read_tools
from pegboard.config.problems import Problem, Problems
from pegboard.config.secret.exposed import Exposure
from pegboard.config.secret.files import SecretFiles
from pegboard.config.server.settings import Settings
from pegboard.config.sources import Fence
from pegboard.config.span import Span, shown
from pegboard.config.syntax.json_reader import read_json
from pegboard.config.syntax.node import Map, Node
from pegboard.config.syntax.source import Source, as_far_as_readable, decode
from pegboard.config.syntax.xml_reader import read_xml
from pegboard.config.syntax.yaml_reader import read_yaml
from pegboard.config.values import Values
from pegboard.config.variables import Variables

MAX_PROBLEMS = 1000
"""Of one file; what is wrong in more places is another kind of file."""


_UNREAD = frozenset({"PB001", "PB002", "PB003", "PB004", "PB006", "PB007"})
"""Codes that say that a document was not read, or not to its end, unless the problem is local."""


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
    variables = Variables(os.environ if environ is None else environ, settings.env_allow)
    collected = Collected()
    means = _Means(variables, SecretFiles(settings.secrets_dir), Fence.of(settings), collected)
    contents = _contents(settings, problems)
    files = [_File(path, data, lies_in=settings.config) for path, data in contents.items()]
    for file in files:
        file.read()
    _put_together(files, problems)
    for file in files:
        file.declare(means)
        problems += file.problems
    shared = _with_shared(settings, collected, files, problems)
    names = [file.source.name for file in files]
    declarations = Declarations(
        tools=tuple(collected.tools),
        sites=tuple(collected.sites),
        types=tuple(collected.types),
        knowledge=tuple(collected.knowledge),
        models=tuple(collected.models),
        services=tuple(collected.services),
        calls=tuple(collected.calls),
        files=tuple(names),
        digest=_digest(contents | schema_files.contents(settings)),
        sources={**{file.source.name: file.source for file in files}, **shared},
        is_complete=all(problem.is_local or problem.code not in _UNREAD for problem in problems),
    )
    return declarations, Problems(_in_order(problems, names))


def _with_shared(
    settings: Settings, collected: Collected, files: Sequence["_File"], problems: Problems
) -> dict[str, Source]:
    """Put what schemas refer to in other files into them; return the texts of those files by their names."""
    if not any("$ref" in file.source.text for file in files):
        return {}
    root = settings.root.absolute()
    contents = {root / path.relative_to(settings.root): data for path, data in schema_files.contents(settings).items()}
    shared = Shared(root, contents, problems)
    collected.tools = [shared.tool(tool) for tool in collected.tools]
    collected.sites = [shared.site(site) for site in collected.sites]
    return shared.sources


def _put_together(files: Sequence["_File"], problems: Problems) -> None:
    """Let NLWeb's files complete each other."""
    documents = [document for file in files for document in file.documents]
    join_sites(documents, problems)
    for file in files:
        file.give_prompts(documents)


def digest_of(settings: Settings) -> str:
    """Return what the digest of the documents would be now; nothing is parsed."""
    return _digest(_contents(settings, Problems()) | schema_files.contents(settings))


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


@dataclass(frozen=True, slots=True)
class _Means:
    """What declaring needs besides the file itself."""

    variables: Variables
    secrets: SecretFiles
    fence: Fence
    into: Collected


class _File:
    """One file: first it is read, then what it holds is declared."""

    def __init__(self, path: Path, data: bytes, *, lies_in: Path) -> None:
        self.problems = _FileProblems()
        self.documents: list[Map] = []
        self.prompts: Prompts | None = None
        self._path = path
        self._is_beside = path.parent == lies_in and path.name in {SITES, *PROMPTS_FILES}
        """It is one of NLWeb's files beside `tools.xml`; nobody named it, so it may be another's."""
        name = shown(path)
        source = decode(data, name, self.problems, is_xml=self._suffix == ".xml")
        self._is_readable = source is not None
        self.source = source or as_far_as_readable(data, name)

    def read(self) -> None:
        """Find the documents, and NLWeb's prompts, in the text."""
        if not self._is_readable:
            return
        with self._capped():
            if self._suffix == ".xml":
                self._read_xml()
            else:
                read = read_json if self._suffix == ".json" else read_yaml
                self.documents += [node for node in read(self.source, self.problems) if self._is_ours(node)]

    def give_prompts(self, documents: Sequence[Map]) -> None:
        """Give the tools of `documents` the prompts of this file that they lack."""
        if self.prompts is not None:
            with self._capped():
                self.prompts.give(documents)

    def declare(self, means: _Means) -> None:
        """Make declarations of the documents, unless there are too many problems already."""
        if len(self.problems) > MAX_PROBLEMS:
            return
        with self._capped():
            values = Values(self.problems, means.variables, means.secrets)
            declarer = Declarer(values, self.problems, self._path.parent.absolute(), means.fence, means.into)
            exposure = Exposure(self.source, self.problems)
            for document in self.documents:
                values.may_be_clear = exposure.allowed_below(document)
                exposure.report(document, values.may_be_clear)
                declarer.document(document)

    @property
    def _suffix(self) -> str:
        return self._path.suffix.lower()

    @contextmanager
    def _capped(self) -> Iterator[None]:
        try:
            yield
        except _TooMany:
            message = f"more than {MAX_PROBLEMS} problems; the rest is not listed"
            self.problems += [Problem(Span(self.source.name, 1, 1), "PB006", "error", message)]

    def _read_xml(self) -> None:
        root = read_xml(self.source, self.problems)
        if root is None:
            return
        foreign = recognise_element(root)
        if foreign is None:
            read = read_sites if root.name == "Sites" else read_tools
            self.documents.append(read(root, self.source, self.problems))
        elif foreign is PROMPTS and self._is_beside:
            self.prompts = Prompts(root, self.source, self.problems)
        else:
            self._refuse(foreign, self.source.span(root.start))

    def _is_ours(self, node: Node) -> TypeGuard[Map]:
        foreign = recognise(node)
        if foreign is not None and not any(problem.code == "PB006" for problem in self.problems):
            self._refuse(foreign, node.span)
        return foreign is None

    def _refuse(self, foreign: Foreign, span: Span) -> None:
        if self._is_beside:
            message = f"this is {foreign.name}, not NLWeb's {self._path.name}: it is not read"
            self.problems.add("PB008", span, message, hint="The file may stay.", dialect="nlweb")
        else:
            message = f"this is {foreign.name}, not a pegboard document"
            self.problems.add("PB006", span, message, hint=foreign.hint)

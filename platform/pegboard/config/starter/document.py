"""The configuration that a declaration is added to: its files, and their text with one declaration more."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from pegboard.config.editor.schema import DOCUMENT_FILE, XML_FILE
from pegboard.config.files import find_documents, is_document
from pegboard.config.load import load
from pegboard.config.problems import Problems
from pegboard.config.server.settings import FOLDER, Settings
from pegboard.config.span import shown
from pegboard.config.starter import xml_text, yaml_text
from pegboard.config.starter.insert import added_to_xml, added_to_yaml
from pegboard.config.starter.wanted import NewSite, NewTool, Placement
from pegboard.config.syntax.source import Source
from pegboard.errors import PegboardError, UsageError

_YAML = (".yaml", ".yml")


class Project:
    """A configuration as its files say it now."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.declarations, _ = load(settings)
        self._paths = {shown(path): path for path in find_documents(settings, Problems())}

    def notes(self) -> tuple[str, ...]:
        """Return what keeps the configuration from being known whole."""
        if self.declarations.is_complete:
            return ()
        return ("a file cannot be read, so names in it are not known: see platform check",)

    def path_of(self, name: str) -> Path:
        """Return the path of a document by the name under which it is reported."""
        return self._paths[name]

    def file_for(self, name: str, place: Placement) -> Path:
        """Return the document that a declaration called `name` goes into, there or not yet.

        Raises:
            UsageError: there is no configuration, or it is no file that is read, or none that can be added to.
            PegboardError: a file for this declaration is there already.
        """
        if not self._settings.config.exists() or not (self._paths or place.file):
            where = shown(self._settings.config)
            hint = "Lay one down with platform init, name one with -c, or begin one with --file tools.yaml."
            raise UsageError(f"There is no configuration in {where}.", hint=hint)
        if place.file is not None:
            return self._named(place.file, xml=place.xml)
        if self._settings.config.is_file():
            return self._writable(self._settings.config)
        stem = name.lstrip(".") or "site"  # a file whose name begins with a dot is not read
        path = self._settings.root / FOLDER / f"{stem}{'.xml' if place.xml else '.yaml'}"
        if os.path.lexists(path):
            hint = f"Add to it with --file {FOLDER}/{path.name}, or to another file."
            raise PegboardError(f"{shown(path)} is there already.", hint=hint)
        return path

    def _named(self, file: Path, *, xml: bool) -> Path:
        root = self._settings.root
        candidates = [Path(os.path.abspath(base / file)) for base in (root, Path.cwd())]  # noqa: PTH100 (links stay)
        path = next((each for each in candidates if self._is_read(each)), None)
        if path is None:
            hint = f"Files of a configuration are {FOLDER}/NAME.yaml and {FOLDER}/NAME.xml in {shown(root)}."
            raise UsageError(f"{file} would not be read.", hint=hint)
        if xml and path.suffix != ".xml":
            raise UsageError(f"{file} is no XML file.", hint="Leave --xml out, or name another file.")
        return self._writable(path)

    def _is_read(self, path: Path) -> bool:
        root, config = self._settings.root, self._settings.config
        if not is_document(path.name):
            return False
        if config.is_file() and config.parent != root / FOLDER:
            return path == config
        return (
            path.parent == root / FOLDER or path in self._paths.values() or (path.parent, path.stem) == (root, "tools")
        )

    def _writable(self, path: Path) -> Path:
        if path.suffix in {*_YAML, ".xml"}:
            return path
        raise UsageError(f"Nothing is added to {shown(path)}.", hint="Name a file in YAML or XML with --file.")

    def source_of(self, path: Path) -> Source:
        """Return the text of a document.

        Raises:
            UsageError: it cannot be read, or written back as it is.
        """
        source = self.declarations.sources.get(shown(path))
        if source is None or path.read_bytes() != source.text.encode():
            hint = "Save it as UTF-8 without a byte order mark, and see platform check."
            raise UsageError(f"Nothing can be added to {shown(path)}.", hint=hint)
        return source

    def yaml_with(
        self, path: Path, what: NewTool | NewSite, lists: Mapping[str, Sequence[str]], *, site_at: int | None = None
    ) -> str:
        """Return the text of a YAML document with one item more in each of `lists`."""
        if not path.exists():
            return yaml_text.new_file(what, lists, self._schema_for(path, DOCUMENT_FILE))
        source = self.source_of(path)
        for key, lines in lists.items():
            source = Source(source.name, added_to_yaml(source, key, lines, site_at=site_at))
        return source.text

    def xml_with(self, path: Path, what: NewTool | NewSite, lines: Sequence[str], *, site_at: int | None = None) -> str:
        """Return the text of an XML document with these elements more."""
        if not path.exists():
            return xml_text.new_file(what, lines, self._schema_for(path, XML_FILE))
        return added_to_xml(self.source_of(path), lines, site_at=site_at)

    def _schema_for(self, path: Path, name: str) -> str:
        """Return where the schema lies, seen from a document; empty where the project has none."""
        schema = self._settings.root / "schemas" / name
        return Path(os.path.relpath(schema, path.parent)).as_posix() if schema.is_file() else ""

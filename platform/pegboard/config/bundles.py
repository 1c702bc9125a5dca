"""Schemas of declarations that refer to files: `{$ref: schemas/address.json#/$defs/street}`.

What is referred to is put below `$defs` of the schema that refers to it, so that whoever uses a schema needs nothing
else: everything that it leads to, each once, recursive or not. The place of each part stays that in its file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote

from pegboard.config.declarations import Declared, SiteDeclaration, ToolDeclaration
from pegboard.config.problems import Problems
from pegboard.config.schema_files import FOLDER, SUFFIXES, File, read
from pegboard.config.span import Span
from pegboard.config.syntax.node import Path as Steps
from pegboard.config.syntax.node import Places, nearest_at, value_at
from pegboard.config.within import references, steps_of, value_in, with_value, without
from pegboard.text import did_you_mean

_KEYS = ("parameters", "output", "returns")
_OF_ITSELF = frozenset({"$ref", "$schema", "title", "description"})
"""Keys beside a reference with which a schema is nothing but what it refers to."""
_OF_A_FILE = frozenset({"$id", "$schema", "$anchor", "$defs", "definitions"})
_MOST_PARTS = 2000

Target: TypeAlias = tuple[Path, Steps]
"""A file, and where in it."""


class Overlay(Mapping[Steps, Span]):
    """The places of a declaration, and in it those of parts that stand in other files."""

    def __init__(self, base: Mapping[Steps, Span], others: Mapping[Steps, Places]) -> None:
        self._base = base
        self._others = others

    def __getitem__(self, path: Steps) -> Span:
        for prefix, places in self._others.items():
            if path[: len(prefix)] == prefix:
                return places[path[len(prefix) :]]
        return self._base[path]

    def below(self, path: Steps) -> "Overlay | Mapping[Steps, Span]":
        """Return the places below the value at `path`."""
        size = len(path)
        base = self._base.below(path) if isinstance(self._base, Places | Overlay) else self._base
        inside = {key[size:]: places for key, places in self._others.items() if key[:size] == path}
        return Overlay(base, inside)

    def __iter__(self) -> Iterator[Steps]:
        return iter(self._base)

    def __len__(self) -> int:
        return len(self._base)


@dataclass(slots=True)
class _Part:
    """A part of a file that something refers to."""

    name: str
    """Under `$defs`."""
    schema: dict[str, Any]
    """With its references rewritten."""
    places: Places
    leads_to: list[Target] = field(default_factory=list)


class Shared:
    """The files of `schemas/`, each read once, when something refers to it."""

    def __init__(self, root: Path, contents: Mapping[Path, bytes], problems: Problems) -> None:
        self._root = root
        self._contents = contents
        self._problems = problems
        self._files: dict[Path, File] = {}
        self._parts: dict[Target, _Part] = {}
        self._names: set[str] = set()

    @property
    def sources(self) -> dict[str, Any]:
        """The text of each file that was read, by its name."""
        return {file.name: file.source for file in self._files.values() if file.source is not None}

    def tool(self, declared: Declared[ToolDeclaration]) -> Declared[ToolDeclaration]:
        """Return the declaration with what its schemas refer to in them."""
        value, others = self._bundled(declared.value, declared, ())
        if value is declared.value:
            return declared
        return replace(declared, value=value, spans=Overlay(declared.spans, others))

    def site(self, declared: Declared[SiteDeclaration]) -> Declared[SiteDeclaration]:
        """Return the site with what the schemas of its own tools refer to in them."""
        others: dict[Steps, Places] = {}
        tools: list[ToolDeclaration] = []
        for index, tool in enumerate(declared.value.tools):
            value, found = self._bundled(tool, declared, ("tools", index))
            tools.append(value)
            others |= found
        if all(tool is before for tool, before in zip(tools, declared.value.tools, strict=True)):
            return declared
        site = declared.value.model_copy(update={"tools": tools})
        return replace(declared, value=site, spans=Overlay(declared.spans, others))

    def _bundled(
        self, tool: ToolDeclaration, where: Declared[Any], path: Steps
    ) -> tuple[ToolDeclaration, dict[Steps, Places]]:
        others: dict[Steps, Places] = {}
        update: dict[str, Any] = {}
        for key in _KEYS:
            schema = getattr(tool, key)
            if not schema or not any(_is_file(part["$ref"]) for _, part in references(schema, ())):
                continue
            bundle = _Bundle(self, where, (*path, key))
            update[key] = bundle.of(schema)
            others |= bundle.places
        return (tool.model_copy(update=update) if update else tool), others

    # Files

    def target(self, reference: str, folder: Path, place: Span) -> Target | None:
        """Return what `reference`, which stands at `place`, leads to; None, and told, where it leads nowhere."""
        name, _, fragment = reference.partition("#")
        if len(self._parts) >= _MOST_PARTS:
            self._problems.add("PB316", place, f"more than {_MOST_PARTS:,} parts of schema files are referred to")
            return None
        path = self._path(unquote(name), folder)
        if path is None:
            known = [str(each.relative_to(self._root)) for each in self._contents]
            hint = f"Shared schemas lie in {FOLDER}/ beside tools.xml. {did_you_mean(name, known, noun='files')}"
            self._problems.add("PB316", place, f"there is no schema file {name!r}", hint=hint)
            return None
        return self.within(path, fragment, place)

    def _path(self, name: str, folder: Path) -> Path | None:
        """Return the file of that name: relative to the document, to the configuration, or to `schemas/`."""
        for above in (folder, self._root, self._root / FOLDER):
            try:
                path = Path(*_normal((above / name).parts))
            except ValueError:
                continue
            if path in self._contents:
                return path
        return None

    def within(self, path: Path, fragment: str, place: Span) -> Target | None:
        """Return the part of a file that `fragment` names; None, and told, where there is none."""
        file = self._file(path)
        if file.node is None:
            return None
        steps = steps_of(unquote(fragment), file.schema)
        if steps is None or not isinstance(value_in(file.schema, steps), dict | bool):
            hint = "A JSON pointer is written #/$defs/name, an anchor #name."
            self._problems.add("PB316", place, f"#{fragment} leads to no schema in {file.name}", hint=hint)
            return None
        return path, steps

    def _file(self, path: Path) -> File:
        if path not in self._files:
            self._files[path] = file = read(path, self._contents[path])
            self._problems.extend(file.problems)
        return self._files[path]

    # Parts

    def part(self, target: Target) -> _Part:
        """Return a part of a file, read and rewritten once."""
        if (part := self._parts.get(target)) is not None:
            return part
        path, steps = target
        file = self._files[path]
        node = value_at(file.node, steps) if file.node is not None else None
        assert node is not None, "a target was looked up"
        part = self._parts[target] = _Part(self._name(path, steps), {}, Places(node))
        schema = value_in(file.schema, steps)
        if isinstance(schema, dict):
            kept = {key: value for key, value in schema.items() if key not in _OF_A_FILE}
            part.schema = self._rewritten(kept, target, part)
        elif schema is False:
            part.schema = {"not": {}}
        return part

    def _name(self, path: Path, steps: Steps) -> str:
        own = path.stem if not steps else f"{path.stem}.{steps[-1]}"
        name, number = own, 2
        while name in self._names:
            name, number = f"{own}_{number}", number + 1
        self._names.add(name)
        return name

    def _rewritten(self, schema: Any, target: Target, part: _Part) -> Any:
        path, steps = target
        made = schema
        for below, holder in list(references(schema, ())):
            reference = holder["$ref"]
            place = self._place(path, (*steps, *below, "$ref"))
            if _is_file(reference):
                found = self.target(reference, path.parent, place)
            elif reference.startswith("#"):
                found = self.within(path, reference[1:], place)
            else:
                continue
            if found is None:
                made = without(made, (*below, "$ref"))
                continue
            part.leads_to.append(found)
            made = with_value(made, (*below, "$ref"), f"#/$defs/{self.part(found).name}")
        return made

    def _place(self, path: Path, steps: Steps) -> Span:
        node = self._files[path].node
        assert node is not None
        return nearest_at(node, steps).span


class _Bundle:
    """One schema of a declaration, on its way to holding what it refers to."""

    def __init__(self, shared: Shared, where: Declared[Any], path: Steps) -> None:
        self._shared = shared
        self._where = where
        self._path = path
        self.places: dict[Steps, Places] = {}

    def of(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        made: Any = dict(schema)
        found: list[Target] = []
        for below, part in list(references(schema, ())):
            if not _is_file(part["$ref"]):
                continue
            place = self._where.at(*self._path, *below, "$ref")
            target = self._shared.target(part["$ref"], self._where.folder, place)
            if target is None:
                made = without(made, (*below, "$ref"))
                continue
            inner = self._shared.part(target)
            found.append(target)
            if not below and schema.keys() <= _OF_ITSELF:
                made = {**inner.schema, **{key: value for key, value in made.items() if key != "$ref"}}
            else:
                made = with_value(made, (*below, "$ref"), f"#/$defs/{inner.name}")
        return {**made, "$defs": {**made.get("$defs", {}), **self._definitions(found)}} if found else made

    def _definitions(self, found: list[Target]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        waiting = list(found)
        while waiting:
            part = self._shared.part(waiting.pop(0))
            if part.name in made:
                continue
            made[part.name] = part.schema
            self.places[(*self._path, "$defs", part.name)] = part.places
            waiting += part.leads_to
        return made


def _is_file(reference: str) -> bool:
    name = reference.partition("#")[0]
    return "://" not in name and name.lower().endswith(SUFFIXES)


def _normal(parts: tuple[str, ...]) -> list[str]:
    """Return the parts of a path without `.` and `..`.

    Raises:
        ValueError: a NUL character is in no path.
    """
    made: list[str] = []
    for part in parts:
        if "\0" in part:
            raise ValueError(part)
        if part == "..":
            made = made[:-1] or made
        elif part != ".":
            made.append(part)
    return made

"""What two sites, or two configurations, differ in. Pure.

Compared is what is served: tools with all that they inherited, their order, routing, types, domains, knowledge. A
field is named as documents name it, and has the place that its value came from. What is compared is every field of
`Tool`, `Toolset` and `Routing` but those of `_NOT_COMPARED`; of a flow, step by step.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pegboard.catalog.limits import Limits
from pegboard.catalog.loading.kinds import BLOCKS
from pegboard.catalog.snapshot import Catalog
from pegboard.catalog.tool import Tool, Toolset
from pegboard.config.blocks.flow import FlowBlockDeclaration
from pegboard.config.declaration import Declaration
from pegboard.config.duration import shown_seconds
from pegboard.config.secret.value import Secret
from pegboard.text import Json

_WRITTEN = {"reply": "returns", "routing": "route"}
"""Fields of a tool or a site by the keys of documents, where they differ."""
_NOT_COMPARED = {
    Tool: frozenset({"name", "run", "kind", "identity", "spec", "origin", "overridden", "smaller"}),
    Toolset: frozenset({"site", "tools", "origin"}),
}
_FLOW = "flow."
"""How the fields begin that a flow's block is compared by: its steps by their ids."""
_SHORT_HASH = 12
"""Characters of the hash that stands for a source: all that is known here of what differs in it."""


@dataclass(frozen=True, slots=True)
class Side:
    """A value of one side."""

    value: Json
    place: str
    """Where it was declared; `default` where no document gives it."""
    files: tuple[str, ...] = ()
    """The documents that a block was put together from: what their variables hold may be secret."""

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform diff --json` prints it."""
        return {"value": self.value, "place": self.place}


@dataclass(frozen=True, slots=True)
class Change:
    """A field whose values differ."""

    field: str
    """As documents name it: `description`, `call.timeout`, `route.cutoff`."""
    a: Side
    b: Side

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform diff --json` prints it."""
        return {"field": self.field, "a": self.a.to_json(), "b": self.b.to_json()}


Only: TypeAlias = Mapping[str, str]
"""Names that one side alone has, each with its place."""


@dataclass(frozen=True, slots=True)
class SiteDiff:
    """What two sites differ in."""

    a: str
    """The names of the two sites."""
    b: str
    only_a: Only
    """Tools."""
    only_b: Only
    changed: Mapping[str, tuple[Change, ...]]
    """Of the tools that both have, those with fields that differ."""
    order: tuple[tuple[str, ...], tuple[str, ...]] | None
    """The tools that both have in the order of each, where it differs: ties are decided by it."""
    fields: tuple[Change, ...]
    """Of the sites themselves."""

    @property
    def is_same(self) -> bool:
        """Nothing differs."""
        return not (self.only_a or self.only_b or self.changed or self.order or self.fields)

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform diff --json` prints it."""
        return {
            "a": self.a,
            "b": self.b,
            "same": self.is_same,
            "only_a": dict(self.only_a),
            "only_b": dict(self.only_b),
            "tools": {name: [change.to_json() for change in changes] for name, changes in self.changed.items()},
            "order": None if self.order is None else {"a": list(self.order[0]), "b": list(self.order[1])},
            "fields": [change.to_json() for change in self.fields],
        }


@dataclass(frozen=True, slots=True)
class CatalogDiff:
    """What two configurations differ in."""

    only_a: Only
    """Sites."""
    only_b: Only
    sites: tuple[SiteDiff, ...]
    """The sites that both have and that differ."""
    knowledge: tuple[Change, ...]
    """Sources by the name of the knowledge, relative to each configuration's folder."""

    @property
    def is_same(self) -> bool:
        """Nothing differs."""
        return not (self.only_a or self.only_b or self.sites or self.knowledge)

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform diff --json` prints it."""
        return {
            "same": self.is_same,
            "only_a": dict(self.only_a),
            "only_b": dict(self.only_b),
            "sites": [site.to_json() for site in self.sites],
            "knowledge": [change.to_json() for change in self.knowledge],
        }


def compare_sites(a: Toolset, b: Toolset) -> SiteDiff:
    """Return what `a` and `b` differ in, in the order of `a`."""
    tools_a, tools_b = ({tool.name: tool for tool in side.tools} for side in (a, b))
    changed = {name: tuple(_changes(tools_a[name], tools_b[name])) for name in tools_a if name in tools_b}
    orders = tuple(name for name in tools_a if name in tools_b), tuple(name for name in tools_b if name in tools_a)
    return SiteDiff(
        a=a.site,
        b=b.site,
        only_a={name: _place_of(tool.origin) for name, tool in tools_a.items() if name not in tools_b},
        only_b={name: _place_of(tool.origin) for name, tool in tools_b.items() if name not in tools_a},
        changed={name: changes for name, changes in changed.items() if changes},
        order=orders if orders[0] != orders[1] else None,
        fields=tuple(_changes(a, b)),
    )


def compare(a: Catalog, b: Catalog, *, roots: tuple[Path, Path], site: str | None = None) -> CatalogDiff:
    """Return what two configurations, which lie in `roots`, differ in, in the order of `a`; of one site, or of all.

    Raises:
        UnknownSite: neither has `site`.
    """
    if site is not None and site not in b.sites:
        a.toolset(site)  # one of them has it
    sites_a, sites_b = ({name: each for name, each in side.sites.items() if site in {None, name}} for side in (a, b))
    compared = [compare_sites(sites_a[name], sites_b[name]) for name in sites_a if name in sites_b]
    answered_from = {name for each in (*sites_a.values(), *sites_b.values()) for name in each.knowledge}
    knowledge = _knowledge(a.knowledge, b.knowledge, roots)
    return CatalogDiff(
        only_a={name: _place_of(each.origin) for name, each in sites_a.items() if name not in sites_b},
        only_b={name: _place_of(each.origin) for name, each in sites_b.items() if name not in sites_a},
        sites=tuple(each for each in compared if not each.is_same),
        knowledge=tuple(change for change in knowledge if site is None or change.field in answered_from),
    )


def _knowledge(
    a: Mapping[str, Sequence[Path]], b: Mapping[str, Sequence[Path]], roots: tuple[Path, Path]
) -> Iterator[Change]:
    for name in dict.fromkeys([*a, *b]):
        sides = [
            [_relative(path, root) for path in side[name]] if name in side else None
            for side, root in zip((a, b), roots, strict=True)
        ]
        if sides[0] != sides[1]:
            yield Change(name, *(Side(_plain(sources), "") for sources in sides))


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


_Compared: TypeAlias = Tool | Toolset


def _changes(a: _Compared, b: _Compared) -> Iterator[Change]:
    values_a, values_b = dict(_values(a)), dict(_values(b))
    found = [
        Change(field, _side(a, field, values_a.get(field)), _side(b, field, values_b.get(field)))
        for field in dict.fromkeys([*values_a, *values_b])
        if values_a.get(field) != values_b.get(field)
    ]
    yield from found
    if isinstance(a, Tool) and isinstance(b, Tool) and a.spec != b.spec and not any(map(_tells_what_runs, found)):
        yield Change("source", *(Side(each.spec[:_SHORT_HASH], _block_place(each)) for each in (a, b)))


def _tells_what_runs(change: Change) -> bool:
    return change.field in {"type", "handler", "block"} or change.field.startswith(_FLOW)


def _side(owner: _Compared, field: str, value: object) -> Side:
    if value is None and field.startswith(_FLOW):
        return Side(None, "")
    key = field if field.startswith(("call.", _FLOW)) else field.partition(".")[0]
    if isinstance(value, Declaration) or field.startswith(_FLOW):
        files = tuple(dict.fromkeys(span.file for span in owner.origin.values()))
        return Side(_plain(value), str(owner.origin.get(key, _block_place(owner))), files)
    return Side(_plain(value), str(owner.origin.get(key, "default")))


def _block_place(owner: _Compared) -> str:
    return str(next((span for name, span in owner.origin.items() if name in BLOCKS), "default"))


def _values(owner: _Compared) -> Iterator[tuple[str, object]]:
    """Yield the fields of a tool or a site as documents name them; those of a block one by one."""
    left_out = _NOT_COMPARED[type(owner)]
    for field in fields(owner):
        if field.name in left_out:
            continue
        name, value = _WRITTEN.get(field.name, field.name), getattr(owner, field.name)
        if isinstance(value, Limits):
            yield from ((f"call.{key}", each) for key, each in value.to_json().items())
        elif isinstance(value, FlowBlockDeclaration):
            yield f"{_FLOW}nodes", [node.id for node in value.nodes]
            yield from ((f"{_FLOW}nodes.{node.id}", node) for node in value.nodes)
            yield from ((f"{_FLOW}{key}", getattr(value, key)) for key in ("races", "outputs"))
        elif is_dataclass(value) and not isinstance(value, type):
            for inner in fields(value):
                yield f"{name}.{inner.name.removesuffix('_seconds')}", _in_unit(inner.name, getattr(value, inner.name))
        else:
            yield name, _in_unit(field.name, value)


def _in_unit(name: str, value: object) -> object:
    is_duration = name.endswith("_seconds") and isinstance(value, int | float)
    return shown_seconds(value) if is_duration and isinstance(value, int | float) else value


def _plain(value: Any) -> Json:
    """Return a value as JSON; a secret is `***`."""
    match value:
        case Mapping():
            return {str(key): _plain(each) for key, each in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_plain(each) for each in value]
        case bool() | int() | float() | str() | None:
            return value
        case Secret():
            return "***"
        case Declaration():
            return {key: _plain(getattr(value, key)) for key in sorted(value.model_fields_set)}
        case _ if is_dataclass(value):
            return {each.name: _plain(getattr(value, each.name)) for each in fields(value) if each.compare}
        case _:
            return str(value)


def _place_of(origin: Mapping[str, Any]) -> str:
    """Return the place of a name, else of whichever field is known."""
    return str(origin.get("name") or next(iter(origin.values()), "default"))

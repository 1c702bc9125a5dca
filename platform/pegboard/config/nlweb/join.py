"""Put together what NLWeb's files say about the same site, before it is declared.

`<Site id="imdb">` of `tools.xml` and `<Site name="IMDb">` of `sites.xml` are one site: its tools come from the
first, its types and its description from the second. Each place keeps its file, for the values keep theirs.

Only trees are changed here, and only those of NLWeb's files.
"""

import re
from collections.abc import Iterator, Sequence

from pegboard.config.nlweb.sites import values_of
from pegboard.config.problems import Problems
from pegboard.config.syntax.node import Entry, List, Map, Scalar
from pegboard.text import folded

DEFAULT = "default"
"""NLWeb's name for the tools of all sites that have none of their own."""

_DOMAIN = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})")
_ROOTS = frozenset({"Item", "Thing"})
"""Types that every site has anyway."""


def join_sites(documents: Sequence[Map], problems: Problems) -> None:
    """Join the sites of NLWeb's `tools.xml` and `sites.xml`, give them their domains, and the rest a site."""
    named = _named_once(documents, problems)
    owners = [site for site in _sites(documents) if site.dialect == "nlweb" and _is_own_toolset(site)]
    for site in owners:
        if (other := named.get(folded(_name(site)))) is not None:
            _join(site, other)
    joined = {folded(_name(site)) for site in owners} & named.keys()
    _drop(documents, [named[name] for name in joined])
    _give_domains(documents)
    _give_default(documents)


def _named_once(documents: Sequence[Map], problems: Problems) -> dict[str, Map]:
    """Return the sites of `sites.xml` by their folded names; a second one of a name is a problem and goes."""
    first: dict[str, Map] = {}
    again: list[Map] = []
    for site in _sites(documents):
        if site.dialect != "nlweb" or _is_own_toolset(site) or not _name(site):
            continue
        if (known := first.setdefault(folded(_name(site)), site)) is not site:
            again.append(site)
            places = site.entries["name"].value.span, known.entries["name"].value.span
            message = f"site {_name(site)!r} is declared twice; capitals make no other name"
            hint = f"A site is declared in one place: put all of it at {places[1]}, or rename one of the two."
            problems.add("PB201", places[0], message, hint=hint, also=(places[1],), dialect="nlweb")
    _drop(documents, again)
    return first


def _join(site: Map, other: Map) -> None:
    """Give `site`, which has the tools, the types and the description of `other`."""
    own = [item for item in _items(site, "types") if _text(item) not in {*_ROOTS, *values_of(other, "types")}]
    if "types" in other.entries:
        entry = other.entries["types"]
        types = List(other.source, entry.value.start, entry.value.end, [*_items(other, "types"), *own])
        site.entries["types"] = Entry(entry.source, entry.start, entry.end, types)
    if "description" in other.entries:
        site.entries["description"] = other.entries["description"]


def _drop(documents: Sequence[Map], sites: Sequence[Map]) -> None:
    gone = {id(site) for site in sites}
    for document in documents if gone else ():
        if isinstance(listed := document.get("sites"), List):
            listed.items = [item for item in listed.items if id(item) not in gone]


def _give_domains(documents: Sequence[Map]) -> None:
    """Let a site that is named like a domain answer for it, unless a document gives the domain to a site itself."""
    taken = {domain.lower() for site in _sites(documents) for domain in values_of(site, "domains")}
    for site in _sites(documents):
        domain = _domain(_name(site)) if site.dialect == "nlweb" else None
        if domain is None or domain in taken:
            continue
        taken.add(domain)
        name = site.entries["name"]
        value = Scalar(name.value.source, name.value.start, name.value.end, domain, is_untyped=True)
        domains = List(value.source, value.start, value.end, [value])
        site.entries["domains"] = Entry(name.source, name.start, name.end, domains)


def _domain(name: str) -> str | None:
    """Return the domain that a name spells, as a Host header has it; None where it spells none."""
    try:
        host = name.lower().encode("idna").decode("ascii")
    except UnicodeError:
        return None
    return host if _DOMAIN.fullmatch(host) else None


def _give_default(documents: Sequence[Map]) -> None:
    """Declare a site for the tools of all sites, where every site that is declared has tools of its own only."""
    sites = list(_sites(documents))
    tools = [tool for document in documents for tool in _items(document, "tools") if isinstance(tool, Map)]
    first = next((tool for tool in tools if tool.dialect == "nlweb"), None)
    if first is None or not sites or not all(_is_own_toolset(site) for site in sites):
        return
    document = next(each for each in documents if first in _items(each, "tools"))
    start, source = first.start, first.source
    site = Map(source, start, first.end, {}, "nlweb")
    types = {_text(tool.get("type")) or "Item": None for tool in tools}
    values: dict[str, Scalar | List] = {
        "name": Scalar(source, start, start, DEFAULT),
        "types": List(source, start, start, [Scalar(source, start, start, name) for name in types]),
        "default": Scalar(source, start, start, True),
    }
    site.entries = {key: Entry(source, start, start, value) for key, value in values.items()}
    listed = document.entries.setdefault("sites", Entry(source, start, start, List(source, start, start, [])))
    if isinstance(listed.value, List):
        listed.value.items.insert(0, site)


def _sites(documents: Sequence[Map]) -> Iterator[Map]:
    for document in documents:
        yield from (site for site in _items(document, "sites") if isinstance(site, Map))


def _items(owner: Map, key: str) -> list[Map | List | Scalar]:
    found = owner.get(key)
    return found.items if isinstance(found, List) else []


def _name(site: Map) -> str:
    return _text(site.get("name"))


def _text(node: Map | List | Scalar | None) -> str:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else ""


def _is_own_toolset(site: Map) -> bool:
    """Tell whether a site inherits nothing, as NLWeb's `<Site id>` of `tools.xml`."""
    inherit = site.get("inherit")
    return isinstance(inherit, Scalar) and inherit.value is False

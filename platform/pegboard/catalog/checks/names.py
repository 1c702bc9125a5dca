"""Names: what is declared twice, two default sites, domains, tags that no tool has."""

from collections.abc import Iterable

from pegboard.catalog.findings import Findings
from pegboard.config.declarations import Declarations, Declared, Kind, SiteDeclaration, ToolDeclaration
from pegboard.config.span import Span
from pegboard.hosts import canonical, wrong_in


def check_unique(noun: str, declared: Iterable[Declared[Kind]], findings: Findings) -> None:
    """Report names that are declared twice; of tools, within one type."""
    first: dict[tuple[str, ...], Span] = {}
    for one in declared:
        names, place = _key(one.value), one.at("name")
        if names in first:
            _report_twice(noun, names, place, first[names], findings)
        else:
            first[names] = place


def _key(value: object) -> tuple[str, ...]:
    name = str(getattr(value, "name", ""))
    return (value.type, name) if isinstance(value, ToolDeclaration) else (name,)


def _report_twice(noun: str, names: tuple[str, ...], place: Span, first: Span, findings: Findings) -> None:
    shown = repr(names[-1]) if len(names) == 1 else f"{names[-1]!r} of type {names[0]}"
    kind = noun.partition(" ")[0]
    kind = kind if kind == "knowledge" else f"a {kind}"
    hint = f"{kind.capitalize()} is declared in one place: put all of it at {first}, or rename one of the two."
    findings.add("PB201", place, f"{noun} {shown} is declared twice", hint=hint, also=(first,))


def check_default(sites: Iterable[Declared[SiteDeclaration]], findings: Findings) -> None:
    """Report a second default site."""
    defaults = [site for site in sites if site.value.default]
    for site in defaults[1:]:
        message = f"{site.value.name!r} is marked as the default site, but so is {defaults[0].value.name!r}"
        findings.add("PB208", site.at("default"), message, also=(defaults[0].at("default"),))


def check_domains(sites: Iterable[Declared[SiteDeclaration]], findings: Findings) -> None:
    """Report domains that are none, and those that are given twice, in whatever spelling."""
    first: dict[str, tuple[str, str, Span]] = {}
    for site in sites:
        for index, domain in enumerate(site.value.domains):
            place, name = site.at("domains", index), site.value.name
            if (wrong := wrong_in(domain)) is not None:
                message = f"domain {domain!r} of site {name!r} {wrong[0]}"
                findings.add("PB211", place, message, hint=wrong[1])
                continue
            owner, spelling, other = first.setdefault(canonical(domain), (name, domain, place))
            if other == place:
                continue
            known = "" if spelling == domain else f" as {spelling!r}"
            belongs = f"belongs to site {owner!r}{known}" if owner != name else f"stands there already{known}"
            findings.add("PB207", place, f"domain {domain!r} of site {name!r} {belongs}", also=(other,))


def check_tags(declarations: Declarations, tools: Iterable[Declared[ToolDeclaration]], findings: Findings) -> None:
    """Report tags by which a site takes or leaves tools, and which no tool has."""
    known = list(dict.fromkeys(tag for tool in tools for tag in tool.value.tags))
    has = frozenset(known)
    for site in declarations.sites:
        for key in ("include_tags", "exclude_tags"):
            for index, tag in enumerate(getattr(site.value, key)):
                if tag not in has:
                    message = f"site {site.value.name!r} names the tag {tag!r}, which no tool has"
                    hint = findings.near(tag, known, noun="tags")
                    findings.unknown("PB210", site.at(key, index), message, hint=hint)

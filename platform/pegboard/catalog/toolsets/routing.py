"""How a site chooses: `Routing` from its declaration, and what in it contradicts itself."""

from collections.abc import Iterable, Iterator, Sequence

from pegboard.catalog.findings import Findings
from pegboard.catalog.tool import Routing, Tool
from pegboard.catalog.toolsets.inheritance import Inherited
from pegboard.config.declarations import BudgetDeclaration, Declared, RouteDeclaration, SiteDeclaration
from pegboard.config.span import Span
from pegboard.llm.usage import Budget


def routing_of(
    site: Declared[SiteDeclaration], inherited: Inherited, tools: Iterable[Tool], findings: Findings
) -> Routing:
    """Return how `site` chooses among `tools`, those of its toolset that can work; report what cannot be meant."""
    route = site.value.route
    names = [tool.name for tool in tools]
    if route.fallback and route.fallback not in names and _gives(site, "fallback"):
        _report_fallback(site, inherited, names, findings)
    for key, against, message in _contradictions(route):
        if _gives(site, key) or _gives(site, against):
            place, other = _places(site, key, against)
            hint = f"Set {key} too." if not _gives(site, key) else ""
            findings.add("PB308", place, f"site {site.value.name!r}: {message}", hint=hint, also=other)
    return Routing(
        strategy=route.strategy,
        early_stop=route.early_stop,
        cutoff=route.cutoff,
        single_score=route.single_score,
        fallback=route.fallback if route.fallback in names else "",
        grace_seconds=route.grace,
        timeout_seconds=route.timeout,
        budget=_budget(route.budget),
    )


def _budget(declared: BudgetDeclaration | None) -> Budget | None:
    return None if declared is None else Budget(declared.calls, declared.tokens, declared.time)


def _gives(site: Declared[SiteDeclaration], key: str) -> bool:
    return site.gives("route") and key in site.value.route.model_fields_set


def _contradictions(route: RouteDeclaration) -> Iterator[tuple[str, str, str]]:
    """Yield pairs of settings that cannot both be meant, and why."""
    if route.early_stop < route.cutoff:
        message = f"a score of early_stop {route.early_stop:g} ends the scoring and is below cutoff {route.cutoff:g}"
        yield "early_stop", "cutoff", f"{message}: the tool is not taken"
    if route.single_score < route.cutoff:
        message = f"single_score {route.single_score:g} is below cutoff {route.cutoff:g}"
        yield "single_score", "cutoff", f"{message}: a tool that is alone is never taken"
    if route.grace > route.timeout:
        message = f"grace {route.grace:g}s is longer than timeout {route.timeout:g}s, which all scoring may take"
        yield "grace", "timeout", message


def _places(site: Declared[SiteDeclaration], key: str, against: str) -> tuple[Span, tuple[Span, ...]]:
    """Return the place of what is reported, and of what it contradicts where a document gives both."""
    given = [site.at("route", each) for each in (key, against) if _gives(site, each)]
    return given[0], tuple(given[1:])


def _report_fallback(
    site: Declared[SiteDeclaration], inherited: Inherited, names: Sequence[str], findings: Findings
) -> None:
    name, place = site.value.route.fallback, site.at("route", "fallback")
    whose = f"site {site.value.name!r} falls back to {name!r}"
    stack = inherited.stacks.get(name)
    if stack is not None and stack in inherited.enabled:
        return  # it cannot work, and that is reported where it is declared
    if stack is not None:
        off = (stack.giver("enabled") or stack.top).at("enabled")
        findings.add("PB205", place, f"{whose}, which is switched off there", hint="Name another tool.", also=(off,))
    elif name in site.value.exclude:
        other = site.at("exclude", site.value.exclude.index(name))
        findings.add("PB205", place, f"{whose} and excludes it", hint="Name another tool.", also=(other,))
    else:
        hint = findings.near(name, names, noun="tools")
        message = f"site {site.value.name!r} has no tool {name!r} to fall back to"
        findings.unknown("PB205", place, message, hint=hint)

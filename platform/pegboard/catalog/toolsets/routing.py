"""How a site chooses: `Routing` from its declaration, and what in it contradicts itself."""

from collections.abc import Iterable, Iterator

from pegboard.catalog.findings import Findings
from pegboard.catalog.tool import Cascade, Routing, Tool
from pegboard.catalog.toolsets.inheritance import Inherited
from pegboard.catalog.toolsets.mentions import Mentions
from pegboard.catalog.toolsets.rules import rules_of
from pegboard.config.declarations import BudgetDeclaration, Declared, RouteDeclaration, SiteDeclaration
from pegboard.config.span import Span
from pegboard.llm.usage import Budget


def routing_of(
    site: Declared[SiteDeclaration], inherited: Inherited, tools: Iterable[Tool], findings: Findings
) -> Routing:
    """Return how `site` chooses among `tools`, those of its toolset that can work; report what cannot be meant."""
    route = site.value.route
    names = [tool.name for tool in tools]
    mentions = Mentions(site, inherited, names, findings)
    if route.fallback and _gives(site, "fallback"):
        whose = f"site {site.value.name!r}"
        mentions.check(
            route.fallback,
            site.at("route", "fallback"),
            whose=f"{whose} falls back to {route.fallback!r}",
            missing=f"{whose} has no tool {route.fallback!r} to fall back to",
        )
    _check_cascade(site, findings)
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
        plan_timeout_seconds=route.plan_timeout,
        budget=_budget(route.budget),
        shortlist=route.shortlist,
        rules=rules_of(site, mentions, findings),
        cascade=Cascade(
            sure=route.cascade.sure,
            margin=route.cascade.margin,
            floor=route.cascade.floor,
            most=route.cascade.most,
        ),
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


def _check_cascade(site: Declared[SiteDeclaration], findings: Findings) -> None:
    """Report a cascade that takes without a model what is not good enough, or drops what is."""
    route = site.value.route
    if not _gives(site, "cascade"):
        return
    for key in ("sure", "floor"):
        value = getattr(route.cascade, key)
        if key not in route.cascade.model_fields_set or (value >= route.cutoff) is (key == "sure"):
            continue
        than = "below" if key == "sure" else "not below"
        message = f"site {site.value.name!r}: {key} {value:g} of the cascade is {than} cutoff {route.cutoff:g}"
        also = (site.at("route", "cutoff"),) if _gives(site, "cutoff") else ()
        findings.add("PB308", site.at("route", "cascade", key), message, also=also)


def _places(site: Declared[SiteDeclaration], key: str, against: str) -> tuple[Span, tuple[Span, ...]]:
    """Return the place of what is reported, and of what it contradicts where a document gives both."""
    given = [site.at("route", each) for each in (key, against) if _gives(site, each)]
    return given[0], tuple(given[1:])

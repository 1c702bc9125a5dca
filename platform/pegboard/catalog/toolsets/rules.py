"""Rules of a site's routing, from their declaration; with what keeps one from ever applying."""

from collections.abc import Iterator

from pegboard.catalog.findings import Findings
from pegboard.catalog.schema.linear import unusable
from pegboard.catalog.tool import Rule
from pegboard.catalog.toolsets.mentions import Mentions
from pegboard.config.declarations import Declared, RuleDeclaration, SiteDeclaration


def rules_of(site: Declared[SiteDeclaration], mentions: Mentions, findings: Findings) -> tuple[Rule, ...]:
    """Return the rules that can be used, in declared order; report the others."""
    return tuple(_usable(site, mentions, findings))


def _usable(site: Declared[SiteDeclaration], mentions: Mentions, findings: Findings) -> Iterator[Rule]:
    whose = f"site {site.value.name!r}"
    for index, rule in enumerate(site.value.route.rules):
        named = f"{whose} has a rule for {rule.tool!r}"
        place = site.at("route", "rules", index, "tool")
        missing = f"{named}, and no such tool"
        mentions.check(rule.tool, place, whose=named, missing=missing)
        faults = list(_faults(rule))
        for key, message, hint in faults:
            where = site.at("route", "rules", index, *key)
            findings.add("PB315", where, f"rule {index + 1} of {whose} {message}", hint=hint)
        if rule.tool in mentions.names and not faults:
            yield Rule(rule.tool, tuple(rule.keywords), rule.pattern, site.at("route", "rules", index))


def _faults(rule: RuleDeclaration) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Yield where and why a rule cannot be used, and what to do."""
    if not rule.keywords and not rule.pattern:
        yield (), "has neither keywords nor a pattern: it never applies", "Give it one of them."
    for index, keyword in enumerate(rule.keywords):
        if not keyword.strip():
            yield ("keywords", index), "has a blank keyword", "Write a word, or remove it."
    if rule.pattern and (why := unusable(rule.pattern)):
        yield ("pattern",), f"has a pattern that cannot be used: {why}", "Write it without, or use keywords."

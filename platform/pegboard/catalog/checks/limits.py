"""Limits of time that never take effect, because a request ends before them."""

from pegboard.catalog.findings import Findings
from pegboard.config.declarations import Declared, SiteDeclaration, ToolDeclaration


def check_limits(
    declared: Declared[ToolDeclaration] | Declared[SiteDeclaration], request_seconds: float, findings: Findings
) -> None:
    """Report a timeout that a document gives and that is longer than a whole request may take."""
    value = declared.value
    if isinstance(value, ToolDeclaration):
        block, seconds, whose = "call", value.call.timeout, f"a call of tool {value.name!r}"
        is_given = declared.gives("call") and "timeout" in value.call.model_fields_set
    else:
        block, seconds, whose = "route", value.route.timeout, f"scoring in site {value.name!r}"
        is_given = declared.gives("route") and "timeout" in value.route.model_fields_set
    if is_given and seconds > request_seconds:
        message = f"{whose} may take {seconds:g}s, but a request ends after {request_seconds:g}s"
        hint = "Shorten it, or raise request_timeout in pegboard.toml."
        findings.add("PB313", declared.at(block, "timeout"), message, hint=hint, dialect=declared.dialect)

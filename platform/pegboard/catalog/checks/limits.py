"""Limits that never take effect because a request ends before them, and limits that a tool cannot have."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pegboard.catalog.findings import Findings
from pegboard.catalog.loading.kinds import BLOCKS
from pegboard.catalog.rooms import ROOMS, spelled
from pegboard.catalog.tool import RUNNING_OTHERS
from pegboard.catalog.toolsets.calls import Calling
from pegboard.catalog.toolsets.layers import Stack
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.calling import CallDeclaration
from pegboard.config.declarations import Declared, SiteDeclaration, ToolDeclaration, TypeDeclaration
from pegboard.config.span import Span
from pegboard.text import Json

_HINT = "Shorten it, or raise request_timeout in pegboard.toml."


def check_limits(
    declared: Declared[ToolDeclaration]
    | Declared[SiteDeclaration]
    | Declared[TypeDeclaration]
    | Declared[SourceDeclaration]
    | Declared[CallDeclaration],
    request_seconds: float,
    findings: Findings,
) -> None:
    """Report a timeout that a document gives and that is longer than a whole request may take."""
    for path, seconds, whose in _timeouts(declared):
        if seconds > request_seconds:
            message = f"{whose} may take {seconds:g}s, but a request ends after {request_seconds:g}s"
            findings.add("PB313", declared.at(*path), message, hint=_HINT, dialect=declared.dialect)


def running_others(tools: Iterable[Declared[ToolDeclaration]]) -> frozenset[str]:
    """Return the names of the tools that run others by one of their declarations.

    A timeout of theirs may be longer than a request: as nodes of a run, which no request ends, they reach it.
    """
    return frozenset(tool.value.name for tool in tools if _handler(tool.value).startswith(RUNNING_OTHERS))


def _handler(tool: ToolDeclaration) -> str:
    made_by = (path for block, path in BLOCKS.items() if getattr(tool, block) is not None)
    return spelled(tool.handler) or next(made_by, f"{ROOMS}.{tool.name}:")


def _timeouts(declared: Declared[Any]) -> Iterator[tuple[tuple[str, ...], float, str]]:
    """Yield each timeout that `declared` gives: its place, its seconds, what it is of."""
    call, path = _call_of(declared)
    name = repr(getattr(declared.value, "name", ""))
    noun = next((noun for kind, noun in _NOUNS.items() if isinstance(declared.value, kind)), "")
    if "timeout" in call.model_fields_set:
        yield (*path, "timeout"), call.timeout, f"a call of {noun} {name}" if noun else "a call"
    if isinstance(declared.value, SiteDeclaration) and declared.gives("route"):
        route = declared.value.route
        if "timeout" in route.model_fields_set:
            yield ("route", "timeout"), route.timeout, f"scoring in site {name}"


_NOUNS: Mapping[type, str] = {
    ToolDeclaration: "tool",
    SiteDeclaration: "a tool of site",
    TypeDeclaration: "a tool of type",
    SourceDeclaration: "a tool of source",
}


def _call_of(declared: Declared[Any]) -> tuple[CallDeclaration, tuple[str, ...]]:
    value = declared.value
    return (value, ()) if isinstance(value, CallDeclaration) else (value.call, ("call",))


def check_once(calls: Sequence[Declared[CallDeclaration]], findings: Findings) -> None:
    """Report a field that two documents give for all calls."""
    first: dict[str, Span] = {}
    for declared in calls:
        for key in sorted(declared.value.model_fields_set):
            place = declared.at(key)
            if first.setdefault(key, place) is not place:
                findings.add("PB005", place, f"`call.{key}` is given by two documents", also=(first[key],))


def check_calling(
    stack: Stack, calling: Calling, *, read_only: bool, parameters: Mapping[str, Json], findings: Findings
) -> None:
    """Report what the tool itself declares of its calls and cannot have: what is given for many passes it by."""
    for key, message, hint in _impossible(calling, read_only=read_only):
        giver = calling.givers[key]
        if giver.is_own:
            findings.add(
                "PB320", giver.at(key), f"tool {stack.name!r} {message}", hint=hint, dialect=giver.owner.dialect
            )
    _check_network(calling, findings)
    _check_redacted(stack, calling, parameters, findings)


def _impossible(calling: Calling, *, read_only: bool) -> Iterator[tuple[str, str, str]]:
    limits = calling.limits
    if limits.retries and not (read_only or limits.idempotent):
        message = "is tried again, and does not say that it may be called twice"
        yield "retries", message, "Add `read_only: true`, or `idempotent: true` to `call`, if that is so."
    if limits.cache_seconds and not read_only:
        message = "keeps its results, and does not say that it has no side effects"
        yield "cache", message, "Add `read_only: true` if it has none, else remove `cache`."


def _check_network(calling: Calling, findings: Findings) -> None:
    """Report a connection that may take longer than the whole call, where one declaration says both, or the tool."""
    network, whole = calling.givers.get("network_timeout"), calling.givers.get("timeout")
    limits = calling.limits
    if network is None or limits.network_timeout_seconds <= limits.timeout_seconds:
        return
    if network.is_own or network is whole:
        seconds = f"{limits.network_timeout_seconds:g}s is longer than timeout {limits.timeout_seconds:g}s"
        place, also = network.at("network_timeout"), (whole.at("timeout"),) if whole else ()
        message = f"network_timeout {seconds} of a whole call"
        findings.add("PB313", place, message, hint="Shorten it.", dialect=network.owner.dialect, also=also)


def _check_redacted(stack: Stack, calling: Calling, parameters: Mapping[str, Json], findings: Findings) -> None:
    """Report an argument that shall be shown nowhere and that the tool does not have: it is a slip that shows one."""
    giver, properties = calling.givers.get("redact"), parameters.get("properties")
    if giver is None or not giver.is_own or not isinstance(properties, Mapping) or not properties:
        return
    for index, name in enumerate(giver.value.redact):
        if name not in properties:
            message = f"tool {stack.name!r} hides the argument {name!r}, which its parameters lack"
            place = giver.owner.at(*giver.path, "redact", index)
            hint = findings.near(name, properties, noun="parameters")
            findings.add("PB303", place, message, hint=hint, dialect=giver.owner.dialect)

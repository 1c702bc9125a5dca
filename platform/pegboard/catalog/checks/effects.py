"""What is to be minded of a tool's calls: as it is declared, else as its kind or its room knows it."""

from pegboard.catalog.findings import Findings
from pegboard.catalog.kind import EFFECTS, Effect, Kind
from pegboard.catalog.rooms import WRITING
from pegboard.catalog.toolsets.layers import Stack


def effects_of(
    stack: Stack, handler: str, kind: Kind | None, *, read_only: bool, findings: Findings
) -> frozenset[Effect]:
    """Return the effects of a tool, and report those that it cannot have.

    Of what its kind knows, a tool that is declared `read_only` keeps only that it returns the text of others.
    """
    known = WRITING.get(handler, frozenset()) if kind is None else kind.effects
    if read_only:
        known &= {"untrusted"}
        _check_harmless(stack, findings)
    if handler in WRITING:
        _check_writing(stack, handler, findings)
    return frozenset(each for each in EFFECTS if (stack.value(each) if stack.giver(each) else each in known))


def _check_harmless(stack: Stack, findings: Findings) -> None:
    giver = stack.giver("destructive")
    if giver is not None and giver.value.destructive:
        message = f"tool {stack.name!r} is read_only, and destructive"
        hint = "Say `read_only: false` if a call changes something, else remove `destructive`."
        findings.add("PB325", giver.at("destructive"), message, hint=hint, dialect=giver.dialect)


def _check_writing(stack: Stack, handler: str, findings: Findings) -> None:
    giver = stack.giver("read_only")
    if giver is not None and giver.value.read_only:
        message = f"tool {stack.name!r} is read_only, and {handler} changes something"
        findings.add("PB237", giver.at("read_only"), message, dialect=giver.dialect)

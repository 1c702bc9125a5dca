"""`platform check --explain`: what a code means, in words and by example."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pegboard.edges.cli.output import print_json, print_line, print_table, styled
from pegboard.edges.cli.report import COLOURS
from pegboard.errors import UsageError
from pegboard.text import did_you_mean

if TYPE_CHECKING:
    from pegboard.app import Explanation


def explain(codes: Sequence[str], explained: Mapping[str, "Explanation"], *, as_json: bool) -> None:
    """Print what each of `codes` means; without one, list all.

    Raises:
        UsageError: there is no such code.
    """
    chosen = [_one(code, explained) for code in codes] or list(explained.values())
    if as_json:
        print_json([each.to_json() for each in chosen])
    elif codes:
        print_line("\n\n".join("\n".join(_told(each)) for each in chosen))
    else:
        print_table(
            ["CODE", "SEVERITY", "MEANS"], [[each.kind.code, each.severity, each.kind.title] for each in chosen]
        )


def _one(code: str, explained: Mapping[str, "Explanation"]) -> "Explanation":
    found = explained.get(code.upper())
    if found is None:
        hint = did_you_mean(code.upper(), explained, noun="codes")
        raise UsageError(f"There is no problem code {code!r}.", hint=f"{hint} platform check --explain lists all.")
    return found


def _told(explanation: "Explanation") -> Iterator[str]:
    kind = explanation.kind
    yield styled(f"{kind.code}: {kind.title}", "bold", to=sys.stdout)
    yield styled(explanation.severity, COLOURS[kind.own], to=sys.stdout)
    if explanation.found_by != "check":
        yield f"found by platform {explanation.found_by}"
    yield f"\n{explanation.why}"
    for heading, example in explanation.examples:
        colour = "red" if heading.startswith("Wrong") else "green"
        for name, content in example.items():
            yield f"\n{styled(heading, colour, 'bold', to=sys.stdout)} ({name}):\n"
            yield from (f"    {line}".rstrip() for line in content.rstrip("\n").split("\n"))
    yield f"\n{styled('What to do', 'bold', to=sys.stdout)}: {explanation.do}"

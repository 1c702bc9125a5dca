"""The arguments of a node with what they refer to, its citations under one numbering. Pure.

Each result numbers its evidence from 1. Where a call takes the words of several, `"${a.text} ${b.text}"`, the marks of
one would be taken for the other's: so all that one call takes is numbered on, words and evidence alike, in the order
in which the arguments name them.
"""

from collections.abc import Callable

from pegboard.catalog.gathered import number
from pegboard.catalog.result_json import gave, result_json
from pegboard.plan.graph import Node
from pegboard.plan.references import INPUTS, Given, Unresolvable, references_in, resolved
from pegboard.run.journal.stored import Output
from pegboard.run.record import Failed
from pegboard.text import Json

_CITING = frozenset({"text", "evidence"})


def arguments_of(
    node: Node, given: Given, output: Callable[[str], Output | None], giver: Callable[[str], str] = str
) -> dict[str, Json] | Failed:
    """Return the arguments of `node`; a reference that leads nowhere is its failure.

    `given` says what a name stands for, `output` what the node of that name gave, `giver` what people know
    it by.
    """
    numbered = _numbered(node, given, output)
    try:
        return {key: resolved(value, numbered) for key, value in node.arguments.items()}
    except Unresolvable as error:
        return Failed(node.id, error.told(giver(error.reference.name)))


def _numbered(node: Node, given: Given, output: Callable[[str], Output | None]) -> Given:
    """Return `given` with the evidence of all whose words `node` takes under one numbering."""
    found = references_in(dict(node.arguments))
    names = dict.fromkeys(each.name for each in found if not each.path or each.path[0] in _CITING)
    outputs = {name: output(name) for name in names if name != INPUTS}
    results = {name: each.result for name, each in outputs.items() if each is not None and each.is_cited}
    if len(results) < 2:
        return given
    renumbered = dict(zip(results, number([*results.values()]).results, strict=True))
    return lambda name: gave(result_json(renumbered[name])) if name in renumbered else given(name)

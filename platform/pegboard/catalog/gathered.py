"""What a run came to, as one result: what its nodes gave, with their evidence, and which of them failed. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from pegboard.catalog.contract import Evidence, NodeEnd, Ran, Result


def gathered(ran: Ran) -> Result:
    """Return the results of the nodes of `ran` as one, in the order of the plan."""
    given = [(end, end.result) for end in ran.nodes if end.result is not None]
    evidence: list[Evidence] = []
    texts: list[str] = []
    for _, result in given:
        evidence += [replace(each, number=len(evidence) + each.number) for each in result.evidence]
        texts.append(result.text)
    texts += [f"{end.tool}: {end.reason}" for end in _failed(ran.nodes)]
    return Result("\n\n".join(filter(None, texts)), evidence=tuple(evidence))


def _failed(ends: Sequence[NodeEnd]) -> list[NodeEnd]:
    return [end for end in ends if end.state == "failed"]

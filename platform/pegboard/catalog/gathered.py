"""What a run came to, as one result: the generator of answers to what took several steps. Pure.

The result streams, cites and is written by a model as that of any tool is (`answer/compose.py`): its text is the texts
of the parts with one numbering of their evidence, its `task` says what a model shall make of them, and both say what
could not be done. A part is what a node gave that nothing else waits for, and what those that wait for it do not hold.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pegboard.catalog.citing import renumbered
from pegboard.catalog.contract import Evidence, File, Hit, NodeEnd, Ran, Result, Status
from pegboard.catalog.lacking import Lack, lacking, said
from pegboard.errors import CallFailed
from pegboard.llm.fence import harmless
from pegboard.plan.graph import Node, Plan
from pegboard.plan.references import references_in
from pegboard.text import Json, clipped

_SHORTEST_HELD = 8
"""Characters of a text that is looked for in another; a shorter one is found anywhere."""
_LONGEST_ASKED = 120
_TASK = "Put what these steps found together into one answer to the question, in this order:"
_UNDONE = "Then say in a sentence what could not be done, and why:"
_NOTHING = {
    "en": "Nothing was to be done: none of the conditions holds.",
    "zh": "没有需要执行的步骤：条件均不成立。",
}


@dataclass(frozen=True, slots=True)
class Numbered:
    """Several results under one numbering of their evidence."""

    results: tuple[Result, ...]
    """As they were given, with the marks in their texts rewritten."""
    evidence: tuple[Evidence, ...]
    """Of all of them; what several have is there once."""


def gathered(ran: Ran, plan: Plan, *, language: str) -> Result:
    """Return what the nodes of `ran`, a run of `plan`, gave as one result; words of our own are in `language`.

    Raises:
        CallFailed: no node gave anything, and some failed; with all their reasons.
    """
    lacks = lacking(ran, plan)
    ends = _told(ran, plan)
    if not ends and any(lack.is_failure for lack in lacks):
        raise CallFailed(f"No step of the plan gave anything: {'; '.join(map(str, lacks))}")
    parts = [(plan.by_id[end.node], end.result) for end in ends if end.result is not None]
    numbered = number([result for _, result in parts])
    asked = [node for node, _ in parts]
    texts = [result.text.strip() for result in numbered.results] or [_NOTHING[_known(language)]]
    evidence, task = _for_a_model(asked, numbered, lacks)
    return Result(
        "\n\n".join(filter(None, [*texts, renumbered(said(lacks, language), {})])),
        items=_items(numbered.results),
        evidence=evidence,
        task=task,
        data=_data(ran),
        status=_status(numbered.results),
        files=_files(numbered.results),
    )


def number(results: Sequence[Result]) -> Numbered:
    """Give the evidence of `results` numbers from 1 on, in their order, and let their texts cite it so."""
    if not any(result.evidence for result in results):
        return Numbered(tuple(results), ())
    numbers: dict[tuple[str, str, str], int] = {}
    merged: list[Evidence] = []
    found: list[Result] = []
    for result in results:
        own: dict[int, int] = {}
        for each in result.evidence:
            key = (each.text, each.url, each.name)
            if key not in numbers:
                numbers[key] = len(merged) + 1
                merged.append(replace(each, number=numbers[key]))
            own.setdefault(each.number, numbers[key])
        evidence = tuple(merged[place - 1] for place in dict.fromkeys(own.values()))
        found.append(replace(result, text=renumbered(result.text, own), evidence=evidence))
    return Numbered(tuple(found), tuple(merged))


# What is told


def _told(ran: Ran, plan: Plan) -> list[NodeEnd]:
    """Return the nodes whose results make the answer, in the order of the plan."""
    came = {end.node: end.result for end in ran.nodes if end.result is not None}
    followers: dict[str, list[Result]] = {}
    for name, result in came.items():
        for unit in plan.needs[name]:
            followers.setdefault(unit, []).append(result)
    return [
        end
        for end in ran.nodes
        if end.result is not None and not _is_held(end.result, followers.get(plan.unit(end.node)))
    ]


def _is_held(result: Result, followers: Sequence[Result] | None) -> bool:
    """Tell whether those that wait for a node hold what it gave; where none does, it is what was asked for."""
    if followers is None:
        return False
    text = result.text.strip()
    if not (text or result.items or result.evidence or result.files):
        return True
    facts, things = {each.text for each in result.evidence}, set(map(_thing, result.items))
    return any(
        facts & {each.text for each in follower.evidence}
        or things & set(map(_thing, follower.items))
        or (len(text) >= _SHORTEST_HELD and text in follower.text)
        for follower in followers
    )


def _items(results: Iterable[Result]) -> tuple[Hit, ...]:
    merged: dict[tuple[str, str], Hit] = {}
    for hit in (hit for result in results for hit in result.items):
        merged.setdefault(_thing(hit), hit)
    return tuple(merged.values())


def _thing(hit: Hit) -> tuple[str, str]:
    return (hit.item.url, "") if hit.item.url else (hit.item.site, hit.item.name)


def _files(results: Iterable[Result]) -> tuple[File, ...]:
    return tuple(dict.fromkeys(file for result in results for file in result.files))


def _status(results: Sequence[Result]) -> Status:
    """Return `ok` where any part has come to something."""
    if not results:
        return "not_found"
    return "ok" if any(result.status == "ok" for result in results) else results[0].status


def _data(ran: Ran) -> Json:
    nodes: dict[str, Json] = {}
    for end in ran.nodes:
        told: dict[str, Json] = {"tool": end.tool, "state": end.state}
        if end.result is not None:
            told["data"] = end.result.text if end.result.data is None else end.result.data
        nodes[end.node] = told | ({"reason": end.reason} if end.reason else {})
    return {"status": ran.status, "nodes": nodes}


# What a model makes of it


def _for_a_model(asked: Sequence[Node], numbered: Numbered, lacks: Sequence[Lack]) -> tuple[tuple[Evidence, ...], str]:
    """Return the evidence that a model rests on, and what it shall do; no task where there is nothing to write from."""
    results = numbered.results
    if not any(result.task for result in results):
        return numbered.evidence, ""
    evidence = [*numbered.evidence]
    steps: list[str] = []
    for place, (node, result) in enumerate(zip(asked, results, strict=True), start=1):
        own = [each.number for each in result.evidence]
        if not own and result.text.strip():  # it is final, and the model must know it
            own = [len(evidence) + 1]
            evidence.append(Evidence(own[0], result.text.strip(), "", node.tool))
        marks = "".join(f"[{each}]" for each in own) or "nothing was found"
        steps.append(" ".join(filter(None, (f"{place}. {_asked(node)}: {marks}.", result.task))))
    told = [results[0].task] if len(results) == 1 else [_TASK, *steps]
    undone = [_UNDONE, *(f"- {harmless(clipped(str(lack), 2 * _LONGEST_ASKED))}" for lack in lacks)] if lacks else []
    return tuple(evidence), "\n".join([*told, *undone])


def _asked(node: Node) -> str:
    """Say what a node was to do: its tool, and the words that it was given."""
    words = [value for value in _texts(node.arguments) if next(references_in(value), None) is None]
    if not words:
        return node.tool
    return f"{node.tool} “{harmless(clipped('; '.join(words), _LONGEST_ASKED))}”"


def _texts(arguments: Mapping[str, Json]) -> list[str]:
    return [value for value in arguments.values() if isinstance(value, str)]


def _known(language: str) -> str:
    return "zh" if language == "zh" else "en"

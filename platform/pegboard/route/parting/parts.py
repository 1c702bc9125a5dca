"""A question's parts: its clauses, each with the tool that it goes to.

What the wording leaves open the tools tell: at a joint that may be one between two things, both sides have to go to
different tools, each for sure, while no tool is sure of the whole. No model is asked.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pegboard.catalog.tool import Tool, Toolset
from pegboard.route.gating import plain
from pegboard.route.parting import chinese, english
from pegboard.route.parting.clauses import Clauses, read
from pegboard.route.parting.cut import Cut
from pegboard.route.parting.duties import able, doing, duty
from pegboard.route.score import Score
from pegboard.text import Json, language

ScoreToolset: TypeAlias = Callable[[str, Toolset], Awaitable[Sequence[Score]]]
"""Scores a text; `scores[i]` belongs to tool i of the toolset."""
MOST_TRIED = 4
"""Joints at which tools are asked whether they part a question."""
SURE = 90.0
"""From this score on both sides have to go to their tools, and below it the whole, where the wording is not enough."""


@dataclass(frozen=True, slots=True)
class Part:
    """One of them."""

    text: str
    tool: str | None
    """The name of the tool that it goes to; None: none fits."""
    score: float

    def to_json(self) -> dict[str, Json]:
        """Return it as a decision shows it."""
        return {"text": self.text, "tool": self.tool, "score": round(self.score, 1)}


@dataclass(frozen=True, slots=True)
class Parting:
    """What parts a question."""

    toolset: Toolset
    """What its parts may go to: agents, but nothing that plans."""
    score: ScoreToolset

    async def best(self, text: str, toolset: Toolset) -> tuple[Tool | None, float]:
        """Return the tool of `toolset` that fits best, and how well."""
        scores = [score.value or 0.0 for score in await self.score(text, toolset)]
        place = max(range(len(scores)), key=scores.__getitem__, default=None)
        return (None, 0.0) if place is None else (toolset.tools[place], scores[place])


async def parts(question: str, by: Parting) -> list[Part]:
    """Return the parts of `question`, in its order; none where it is of one part.

    What only asks on about the same, at the same tool or at none, belongs to the clause before it. Any other clause
    that fits no tool is a part without one.
    """
    found = read(question)
    if not found.cuts:
        return []
    cuts = await _parting(found, by)
    if not cuts:
        return []
    taken = [await _part(text, by) for text in found.at(cuts)]
    joined = _joined(taken, found.text)
    return joined if len([part for part in joined if part.tool or duty(part.text)]) > 1 else []


async def _parting(found: Clauses, by: Parting) -> list[Cut]:
    """Return the cuts that the wording is enough for, and those that the tools confirm."""
    open_ones = [cut for cut in found.cuts if not cut.is_sure][:MOST_TRIED]
    chosen = list(found.sure)
    for cut in open_ones:
        begins = max((each.end for each in chosen if each.end <= cut.start), default=0)
        ends = min((each.start for each in chosen if each.start >= cut.end), default=len(found.text))
        sides = found.text[begins : cut.start], found.text[cut.end : ends], found.text[begins:ends]
        left, right, whole = [await _part(text, by) for text in sides]
        if left.tool != right.tool and min(left.score, right.score) >= SURE > whole.score and left.tool and right.tool:
            chosen.append(cut)
    return sorted(chosen, key=lambda cut: cut.start)


async def _part(text: str, by: Parting) -> Part:
    """Return a clause with its tool: agents, whose examples are of whole errands, take what nothing else does."""
    rules = chinese if language(text) == "zh" else english
    asked = rules.bare(text)
    wanted = duty(asked)
    tool = doing(wanted, by.toolset) if wanted else None
    if tool is not None:
        return Part(asked, tool.name, 100.0)
    value = 0.0
    left = able(by.toolset, wanted) if wanted else by.toolset
    for toolset in dict.fromkeys((plain(left), left)):
        tool, value = await by.best(asked, toolset)
        if tool is not None and value >= by.toolset.routing.cutoff:
            return Part(asked, tool.name, value)
    fallback = by.toolset.fallback
    looks = fallback is not None and rules.looks_for(asked)
    return Part(asked, fallback.name if fallback is not None and looks and not wanted else None, value)


def _joined(taken: Sequence[Part], text: str) -> list[Part]:
    """Return the parts with those taken together that are one."""
    found: list[Part] = []
    for part in taken:
        before = found[-1] if found else None
        if before is not None and _belongs(part, before):
            found[-1] = Part(
                f"{before.text}{_between(text, before.text, part.text)}{part.text}", before.tool, before.score
            )
        else:
            found.append(part)
    return found


def _belongs(part: Part, before: Part) -> bool:
    rules = chinese if language(part.text) == "zh" else english
    if part.tool is None and duty(part.text):
        return False  # it is said that it cannot be done
    return part.tool in {None, before.tool} and (rules.refers_back(part.text) or rules.tells(part.text))


def _between(text: str, left: str, right: str) -> str:
    """Return what stands between two neighbouring clauses in the question."""
    end = text.find(left) + len(left)
    start = text.find(right, end)
    return text[end:start] if start >= end else " "

"""What an agent does without a model: it plans by rules within its list, keeps what it is given, or writes it up.

Given material, an agent whose tools keep texts has it kept, and one without tools writes it up; any other plans.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pegboard.catalog.contract import Context, Offer, Result
from pegboard.catalog.gathered import number
from pegboard.catalog.titles import named, title_for
from pegboard.errors import CallFailed
from pegboard.handlers.agent.calls import Calls, with_ids
from pegboard.handlers.agent.found import sources_of, takes_sources
from pegboard.handlers.agent.material import Material, Piece
from pegboard.llm.model import FunctionCall
from pegboard.text import Json, clipped

_LONGEST_TITLE = 80
_LONGEST_GOAL = 200
"""Characters of a goal that is nothing but one; a longer one, or one of several lines, brings its material along."""
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_ORDER = re.compile(
    r"^\s*(?:please\s+)?(?:(?:write|save|keep|store|make|turn|put|compose|draft|archive)\b(?:\s+\w+){0,4}?\s+"
    r"(?:report|summary|document|text|note|page|article|memo)s?)\b\s*(?:about|on|of|for|from|:)?\s*"
    r"|^\s*(?:please\s+)?(?:save|keep|store|archive)\s+(?:it|this|that|them)\b\s*"
    r"|^\s*(?:请|帮我|把)?(?:这些|它|内容|结果|材料)?(?:写成|写一份|写一篇|整理成|保存|存档|归档|生成)"
    r"(?:一?份|一?篇|为)?(?:报告|总结|文档|摘要|文章)?(?:保存|存档)?(?:关于|：|:)?",
    re.IGNORECASE,
)
"""What a goal says that shall be done, before what it is about."""
_PRONOUN = re.compile(
    r"it|this|that|them|these|those|all|all of (?:it|this|that|them)|它|它们|这|这些|那些", re.IGNORECASE
)
_LONGEST_HEADING = 60
_IS_NO_HEADING = re.compile(r"^[#\-*>|\d]|[:：,，;；]\s*$")
_NOT_ALONE = {
    "en": "There is nothing to write from: give it `material`.",
    "zh": "没有可供撰写的材料：请提供 `material`。",
}
_TITLE = {"en": "Report", "zh": "报告"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What an agent is to do."""

    goal: str
    material: Material

    @classmethod
    def of(cls, goal: str, material: Material) -> "Asked":
        """Return it with the material that a long goal brings along by itself."""
        first, _, rest = goal.strip().partition("\n")
        if material.pieces or (not rest.strip() and len(goal) <= _LONGEST_GOAL):
            return cls(goal.strip(), material)
        if rest.strip():
            return cls(first.strip(), Material((Piece("", rest.strip()),)))
        return cls(clipped(goal, _LONGEST_TITLE), Material((Piece("", goal.strip()),)))


async def done(asked: Asked, offers: Sequence[Offer], context: Context) -> Result:
    """Do what can be done.

    Raises:
        CallFailed: nothing can.
    """
    if asked.material.pieces and (keeping := _keeping(offers)) is not None:
        return await _kept(asked, keeping, offers, context)
    if not offers:
        return written(asked, context.question, context.language)
    result = await context.solve(asked.goal, tools=[offer.name for offer in offers])
    return replace(result, data=None)  # its words are what others go on with


# Keeping


def _keeping(offers: Sequence[Offer]) -> Offer | None:
    """Return the tool that keeps a text under a title."""
    return next((offer for offer in offers if not offer.read_only and {"title", "text"} <= _required(offer)), None)


def _required(offer: Offer) -> set[str]:
    listed = offer.parameters.get("required")
    return {str(name) for name in listed} if isinstance(listed, list) else set()


async def _kept(asked: Asked, keeping: Offer, offers: Sequence[Offer], context: Context) -> Result:
    title = title_of(asked, context.question, context.language)
    arguments: dict[str, Json] = {"title": title, "text": asked.material.text}
    if takes_sources(keeping) and asked.material.evidence:
        arguments["sources"] = sources_of(asked.material.evidence)
    (call,) = with_ids([FunctionCall(keeping.name, arguments)], (), 1)
    (came,) = await Calls(context, offers).made([call], 1, ())
    if came.result is None:
        raise CallFailed(came.reason)
    return came.result


# Writing


def written(asked: Asked, question: str, language: str) -> Result:
    """Write up the material: a title, and a section of each piece.

    Raises:
        CallFailed: there is none.
    """
    spoken = language if language in _TITLE else "en"
    pieces = asked.material.pieces
    if not pieces:
        raise CallFailed(_NOT_ALONE[spoken])
    title = title_of(asked, question, language)
    whole = pieces[0].text if len(pieces) == 1 else ""
    if whole.startswith("# "):
        parts = [whole]  # it is a text already
    else:
        parts = [f"# {title}", *(_section(piece, alone=len(pieces) == 1) for piece in pieces)]
    (result,) = number([Result("\n\n".join(parts), evidence=asked.material.evidence)]).results
    return result


def _section(piece: Piece, *, alone: bool) -> str:
    """Return a piece under its title; under its first line, where that is short and leads to no more."""
    if piece.title:
        return f"## {piece.title}\n\n{piece.text}"
    first, _, rest = piece.text.partition("\n")
    is_heading = len(first) <= _LONGEST_HEADING and rest.strip() and not _IS_NO_HEADING.search(first)
    return f"## {first}\n\n{rest.strip()}" if is_heading and not alone else piece.text


def title_of(asked: Asked, question: str, language: str) -> str:
    """Return the title of a text: its own, else one that is named, else what the goal is about, else what was asked."""
    own = _HEADING.search(asked.material.text)
    if own is not None and asked.material.text.startswith(own[0]):
        return clipped(own[1], _LONGEST_TITLE)
    if name := named(asked.goal) or named(question):
        return clipped(name, _LONGEST_TITLE)
    subject = _ORDER.sub("", asked.goal.partition("\n")[0], count=1).strip(" :：。.，,")
    if _PRONOUN.fullmatch(subject):
        subject = ""
    whole = title_for(question, [piece.title for piece in asked.material.pieces if piece.title])
    whole = whole or " ".join(question.split())
    return clipped(subject or whole, _LONGEST_TITLE) or _TITLE.get(language, _TITLE["en"])

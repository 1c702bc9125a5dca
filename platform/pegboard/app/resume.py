"""A conversation that goes on after a question back, with no session and no model.

The earlier question is decided and bound anew, by the embedded scorer and by rules, which comes to what it came to
then; what the visitor has said since fills what was missing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from pegboard.bind.answered import is_answer
from pegboard.bind.bind import Names, bind
from pegboard.catalog.contract import Question
from pegboard.catalog.tool import Toolset
from pegboard.errors import InvalidArguments
from pegboard.events import Emit, Event
from pegboard.route.choose import instead
from pegboard.route.decision import Decision
from pegboard.route.router import Router
from pegboard.text import language

_MOST_TURNS = 3
"""Earlier texts that may be the question to which the last ones are answers."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """An earlier question with what was missing in it."""

    question: Question
    """The earlier one, completed."""
    decision: Decision
    """Its tool, for sure, with the arguments that are known."""
    lacking: InvalidArguments | None
    """What is missing still."""


async def resume(question: Question, toolset: Toolset, router: Router, names: Names, *, emit: Emit) -> Resumed | None:
    """Return the earlier question if `question` answers what it was asked back; None: it is one of its own.

    A text that asks something itself is no answer, nor is one that gives nothing of what was missing. The oldest
    question counts that all texts since have answered.
    """
    said = [*question.previous, question.text]
    most = min(_MOST_TURNS, len(question.previous))
    answering = list(takewhile(lambda count: is_answer(said[-count]), range(1, most + 1)))
    for count in reversed(answering):
        before, answers = said[:-count], said[-count:]
        earlier = replace(question, text=before[-1], previous=tuple(before[:-1]))
        told: list[Event] = []
        decision = await router.route(earlier, toolset, emit=told.append, model=None)
        if (going_on := await _filled(earlier, decision, toolset, answers, names)) is not None:
            for event in told:
                emit(event)
            return going_on
    return None


async def _filled(
    earlier: Question, decision: Decision, toolset: Toolset, answers: Sequence[str], names: Names
) -> Resumed | None:
    asked_back = await _asked_back(earlier, decision, toolset, names)
    if asked_back is None:
        return None
    decision, lacked = asked_back
    assert decision.tool is not None  # it was asked back for
    spoken = language(earlier.text)
    completed = replace(earlier, text=_completed(earlier.text, answers))
    sure = replace(decision, decided_by="explicit")
    for count in range(1, len(answers) + 1):
        try:
            bound = await bind(decision.tool, earlier.text, language=spoken, names=names, answers=answers[:count])
        except InvalidArguments as error:
            if set(error.missing) == set(lacked.missing):
                return None
            lacked = error
        else:
            is_last = count == len(answers)
            return Resumed(completed, replace(sure, arguments=bound.arguments), None) if is_last else None
    return Resumed(completed, sure, lacked)


async def _asked_back(
    question: Question, decision: Decision, toolset: Toolset, names: Names
) -> tuple[Decision, InvalidArguments] | None:
    """Return the tool for which `question` lacked something; None where one could be called, or none fits."""
    while decision.tool is not None:
        try:
            await bind(decision.tool, question.text, language=language(question.text), names=names)
        except InvalidArguments as error:
            other = instead(decision, toolset)
            if other is None or other.tool is None:
                return decision, error
            decision = other
        else:
            return None
    return None


def _completed(question: str, answers: Sequence[str]) -> str:
    """Write a question and what was answered as one: `要多久？（番茄炒蛋）`."""
    if language(question) == "zh":
        return f"{question}（{'，'.join(answers)}）"
    return f"{question} ({', '.join(answers)})"

"""`drafted`: the steps that stand in a reply, each as it was written; within limits that come before all reading.

Three shapes are read: ours, a flat list of tools with arguments, and native function calls (`llm/shapes.py`). What is
read by a guess, or breaks off within a step, is a fault: nobody knows what it would have been.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pegboard.errors import ModelMalformed, UsageError
from pegboard.llm.reply import Reply, read_all
from pegboard.llm.shapes import STEPS, steps
from pegboard.plan.graph import Race
from pegboard.plan.written import read_plan
from pegboard.planner.reading.mend import Findings
from pegboard.planner.reading.pieces import StepReader
from pegboard.text import Json, clipped

MOST_CHARACTERS = 200_000
"""Of a reply; a longer one is refused unread, and not heard to its end."""
MOST_STEPS = 200
"""A plan of more is refused before a step of it is looked at."""
_DEEPEST = 3
"""Wrappers around a plan."""


class NothingPlanned(Exception):
    """The plan has no step: the model says that there is nothing to be done."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A plan as it was written."""

    rows: list[dict[str, Json]]
    """Its steps, each with `tool` and `arguments` where it names a tool."""
    races: tuple[Race, ...] = ()


def drafted(text: str, findings: Findings) -> Draft:
    """Return the steps that `text` holds.

    Raises:
        ModelMalformed: it holds none, or is too large, too deep, or of too many steps.
        NothingPlanned: it is a plan without any.
    """
    if len(text) > MOST_CHARACTERS:
        message = f"The reply has {len(text):,} characters; a plan has at most {MOST_CHARACTERS:,}."
        raise ModelMalformed(message, raw=text[:MOST_CHARACTERS])
    replies = read_all(text)
    for reply in replies:
        if rows := steps(reply.value):
            if len(rows) > MOST_STEPS:
                raise ModelMalformed(f"The plan has {len(rows):,} steps; at most {MOST_STEPS:,} are read.", raw=text)
            _note_defence(reply, text, findings)
            return Draft(rows, _races(reply.value, findings))
    if any(_is_empty(reply.value) for reply in replies):
        raise NothingPlanned
    raise ModelMalformed(f"The reply holds no steps of a plan: {clipped(text[:1000], 120)!r}.", raw=text)


def _is_empty(value: Json) -> bool:
    return value == [] or (isinstance(value, dict) and any(value.get(key) == [] for key in STEPS))


def _note_defence(reply: Reply, text: str, findings: Findings) -> None:
    if reply.is_cut_off:
        if reply.defence == "repaired" or not _ends_between_steps(text):
            findings.fault("unclear", "", "The plan breaks off before its end.", "Write all of it, and shorter.")
        else:
            findings.mend("closed", "The brackets that the plan lacked at its end were added.")
    elif reply.defence == "repaired":
        message = "The JSON of the plan is broken, and can be read in more than one way."
        findings.fault("unclear", "", message, "Write strict JSON.")
    elif reply.defence == "lenient":
        findings.mend("lenient", "The plan was no strict JSON; it was read by looser rules, in the one way there is.")
    elif reply.defence == "cleaned":
        findings.mend("cleaned", "What stood around the plan was left out.")


def _ends_between_steps(text: str) -> bool:
    reader = StepReader()
    reader.feed(text)
    return reader.is_between_steps


def _races(value: Json, findings: Findings) -> tuple[Race, ...]:
    """Return how races run, where the plan says so beside its steps."""
    held = _holding_races(value)
    if not held:
        return ()
    try:
        return read_plan({"nodes": [], "races": dict(held)}).races
    except UsageError as error:
        findings.fault("race", "", str(error))
        return ()


def _holding_races(value: Json) -> Mapping[str, Json]:
    level = [value]
    for _ in range(_DEEPEST):
        objects = [inner for inner in level if isinstance(inner, dict)]
        for each in objects:
            if isinstance(races := each.get("races"), dict):
                return races
        level = [inner for each in objects for inner in each.values() if isinstance(inner, dict)]
    return {}

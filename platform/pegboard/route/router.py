"""`Router`: from a question to a decision, by the way that the site, the client and the model allow.

It decides and never runs a tool. Above it lies `bind`, below it the strategies and the embedded scorer.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import anyio

from pegboard.catalog.contract import Question, Strategy
from pegboard.catalog.tool import Tool, Toolset
from pegboard.events import CandidateScored, Degraded, Emit, ToolChosen
from pegboard.llm.model import Model
from pegboard.llm.usage import answered_by, measured
from pegboard.route.candidates import candidates
from pegboard.route.choose import Choice, alone, choose, settled
from pegboard.route.decision import Candidate, Decision
from pegboard.route.embedded import EmbeddedScorer
from pegboard.route.gating import LEFT_OUT, owner, plain, steps
from pegboard.route.local import Local
from pegboard.route.parting.parts import Part, Parting, parts
from pegboard.route.score import Score
from pegboard.route.shortlist import shortlist
from pegboard.route.strategies.embedded import local_scores
from pegboard.route.strategies.named import STRATEGIES
from pegboard.route.strategies.strategy import Asked, Scored
from pegboard.text import Json

_TAKES_ALL: frozenset[Strategy] = frozenset({"embedded", "cascade"})
"""Strategies that look at all candidates, however many they are."""


MOST_AT_ONCE = 200
"""How many questions one model scores at once. More than that only fill the memory with calls that wait for the
endpoint, and the garbage collector holds the event loop while it looks through them."""


def _nothing() -> None:
    """Do nothing when a model is about to be asked."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How a decision is made and told."""

    emit: Emit
    model: Model | None
    asking: Callable[[], None]
    is_part: bool


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A choice with its reasons, before it is measured and told."""

    choice: Choice
    candidates: tuple[Candidate, ...]
    by: str
    strategy: Strategy | None = None
    scored: Scored | None = None
    degraded: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class _Gate:
    """What a question may go to."""

    tools: tuple[Tool, ...]
    """The candidates that are left, in declared order."""
    left_out: tuple[Tool, ...] = ()
    why: str = LEFT_OUT
    parts: tuple[Part, ...] = ()
    """Of the question; empty: it is of one, or nobody had to know."""


class Router:
    """Decides which tool of a toolset a question goes to."""

    def __init__(self, embedded: EmbeddedScorer, *, most_at_once: int = MOST_AT_ONCE) -> None:
        self._embedded = embedded
        self._most_at_once = most_at_once
        self._turns: dict[str, anyio.CapacityLimiter] = {}

    async def route(
        self,
        question: Question,
        toolset: Toolset,
        *,
        emit: Emit,
        model: Model | None,
        asking: Callable[[], None] = _nothing,
        is_part: bool = False,
    ) -> Decision:
        """Decide; without a model, or when it gives no score at all, the embedded scorer scores.

        What is for questions of several parts is left out of one that is of one part, before anything is asked; not
        where the question `is_part` of another. `asking` is called when a model is about to be asked, so that other
        work may begin meanwhile. Emits `CandidateScored` for each candidate that a scorer was asked about, `Degraded`
        where the embedded scorer stood in, and `ToolChosen`.

        Raises:
            UnknownTool: the question names a tool that the site does not have.
        """
        started = time.perf_counter()
        tools = candidates(question, toolset)
        with measured() as usage:
            outcome = await self._decide(question, toolset, tools, _Way(emit, model, asking, is_part))
        chosen, scored = outcome.choice.candidate, outcome.scored
        decision = Decision(
            question=question.text,
            site=question.site,
            tool=toolset.get(chosen.tool) if chosen else None,
            score=chosen.score if chosen else None,
            decided_by=outcome.choice.decided_by,
            candidates=outcome.candidates,
            model=outcome.by,
            model_calls=usage.calls,
            milliseconds=1000 * (time.perf_counter() - started),
            degraded=outcome.degraded,
            arguments=_arguments(outcome),
            mode=question.mode,
            strategy=outcome.strategy,
            named=tuple(dict.fromkeys(question.tools)),
            rule=outcome.choice.rule,
            shortlisted_by=scored.shortlisted_by if scored else "",
            cut_off=scored.cut_off if scored else "",
            parts=outcome.parts,
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
        )
        name = decision.tool.name if decision.tool else None
        emit(ToolChosen(name, decision.score, decision.decided_by, decision.to_json()))
        return decision

    async def nearest(self, question: Question, toolset: Toolset, most: int) -> tuple[Tool, ...]:
        """Return the tools that the local ranking puts first, and pinned ones, in declared order; asks no model."""
        if len(toolset.tools) <= most:
            return toolset.tools
        scores = await self._local_scores(question, toolset, _Gate(toolset.tools))
        return tuple(toolset.tools[index] for index in shortlist(toolset.tools, scores, most))

    async def parts(self, question: str, toolset: Toolset) -> list[Part]:
        """Return the parts of `question`, each with the tool that the embedded scorer finds; none: it is of one."""
        return await parts(question, Parting(steps(toolset), self._embedded.score))

    async def _decide(self, question: Question, toolset: Toolset, tools: tuple[Tool, ...], way: _Way) -> _Outcome:
        names = [tool.name for tool in tools]
        choice = settled(question.text, question.mode, question.tools, names, toolset.routing)
        if choice is not None:
            told = (choice.candidate,) if choice.candidate else ()
            return _Outcome(choice, told, self._embedded.name if way.model is None else way.model.name)
        gate = _Gate(tools) if way.is_part else await self._gate(question, toolset, tools)
        out = tuple(Candidate(tool.name, None, gate.why, "left_out") for tool in gate.left_out)
        tools = gate.tools
        choice = alone([tool.name for tool in tools], toolset.routing) if tools else choose(out, toolset.routing)
        if choice is not None:
            chosen = (choice.candidate,) if choice.candidate and choice.candidate not in out else ()
            return _Outcome(choice, (*chosen, *out), self._embedded.name if way.model is None else way.model.name)
        local = Local(partial(self._local_scores, question, toolset, gate))

        def arrived(index: int, score: Score) -> None:
            way.emit(CandidateScored(tools[index].name, score.value, score.reason, score.defence, score.raw))

        strategy = question.strategy or toolset.routing.strategy
        degraded = ""
        if way.model is None:
            strategy, scored = "embedded", local_scores(await local.scores(), self._embedded.name, arrived=arrived)
        else:
            asked = Asked(question, toolset, tools, local, self._embedded.name, way.model, arrived, way.asking)
            async with self._turn(way.model):
                scored = await _scored(asked, strategy)
            if scored.is_empty:
                degraded = f"{scored.by} scored no candidate, so the embedded scorer did. {_why(scored.scores)}"
                way.emit(Degraded(degraded))
                scored = local_scores(await local.scores(), self._embedded.name, arrived=arrived)
        ranked = await local.scores() if scored.by != self._embedded.name else ()
        found = (*_candidates(tools, scored, ranked), *out)
        by = scored.by if scored.by == self._embedded.name else answered_by(scored.by)
        return _Outcome(choose(found, toolset.routing), found, by, strategy, scored, degraded, gate.parts)

    async def _gate(self, question: Question, toolset: Toolset, tools: tuple[Tool, ...]) -> _Gate:
        """Leave out what is for several parts where there is one; what finds that out asks no model."""
        if not any(tool.is_for_parts for tool in tools):
            return _Gate(tools)
        whose = owner(question.text, toolset)
        if whose not in {tool.name for tool in tools}:
            whose = None
        found = await self.parts(question.text, toolset) if whose is None else []
        if found:
            return _Gate(tools, parts=tuple(found))
        kept = tuple(tool for tool in tools if not tool.is_for_parts or tool.name == whose)
        why = LEFT_OUT if whose is None else f"the question is an example of {whose}"
        return _Gate(kept, tuple(tool for tool in tools if tool not in kept), why)

    def _turn(self, model: Model) -> anyio.CapacityLimiter:
        """Return what lets so many questions at once be scored by `model`; others wait for no slow one."""
        if model.name not in self._turns:
            self._turns[model.name] = anyio.CapacityLimiter(self._most_at_once)
        return self._turns[model.name]

    async def _local_scores(self, question: Question, toolset: Toolset, gate: _Gate) -> tuple[Score, ...]:
        has_agents = any(tool.is_for_parts and not tool.is_planning for tool in gate.tools)
        scorable = steps(toolset) if has_agents else plain(toolset)
        scores = await self._embedded.score(question.text, scorable)
        by_name = {tool.name: score for tool, score in zip(scorable.tools, scores, strict=True)}
        return tuple(_of_parts(gate.parts) if tool.is_planning else by_name[tool.name] for tool in gate.tools)


async def _scored(asked: Asked, strategy: Strategy) -> Scored:
    """Let `strategy` score the candidates; of too many, those that the local scores put first, and pinned ones."""
    most = asked.toolset.routing.shortlist
    if strategy in _TAKES_ALL or len(asked.tools) <= most:
        return await STRATEGIES[strategy].score(asked)
    chosen = shortlist(asked.tools, await asked.local.scores(), most)
    return (await STRATEGIES[strategy].score(asked.only(chosen))).among(asked, chosen)


def _of_parts(found: Sequence[Part]) -> Score:
    """Return what a tool that plans is worth: where a question has parts, no other does all of them."""
    goes_to = ", ".join(part.tool or "?" for part in found)
    return Score(100.0, f"the question has {len(found)} parts: {goes_to}")


def _candidates(tools: Sequence[Tool], scored: Scored, local: Sequence[Score]) -> tuple[Candidate, ...]:
    """Return what the decision says of each tool; `local` is empty where the local scores are those that count."""
    return tuple(
        Candidate(
            tool=tool.name,
            score=score.value,
            reason=score.reason,
            state=score.state,
            defence=score.defence,
            local=local[index].value if local else None,
        )
        for index, (tool, score) in enumerate(zip(tools, scored.scores, strict=True))
    )


def _arguments(outcome: _Outcome) -> dict[str, Json] | None:
    """Return the arguments that stood in the winner's scoring reply."""
    for candidate, score in zip(outcome.candidates, outcome.scored.scores if outcome.scored else (), strict=False):
        if candidate is outcome.choice.candidate and score.arguments is not None:
            return dict(score.arguments)
    return None


def _why(scores: Sequence[Score]) -> str:
    """Return the reason that most of those that were asked about share for having no score."""
    reasons = [score.reason for score in scores if score.absence != "not_shortlisted"]
    return max(reasons, key=reasons.count, default="")

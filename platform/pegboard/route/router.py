"""`Router`: from a question to a decision, by the way that the site, the client and the model allow.

It decides and never runs a tool. Above it lies `bind`, below it the scorers.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import anyio

from pegboard.catalog.contract import Question
from pegboard.catalog.tool import Tool, Toolset
from pegboard.events import CandidateScored, Degraded, Emit, ToolChosen
from pegboard.llm.model import Model
from pegboard.llm.usage import measured
from pegboard.route.choose import choose
from pegboard.route.decision import Candidate, DecidedBy, Decision
from pegboard.route.embedded import EmbeddedScorer
from pegboard.route.fan import Fanned, Patience, fan
from pegboard.route.score import Score
from pegboard.route.scoring import score_by_model
from pegboard.text import Json

ASKED_AT_ONCE = 8
"""How many calls an endpoint takes at once, if nothing else is declared."""
MOST_AT_ONCE = 200
"""How many questions one model scores at once. More than that only fill the memory with calls that wait for the
endpoint, and the garbage collector holds the event loop while it looks through them."""
CALL_SHARE = 0.95
"""A call ends a little before all scoring does, so that the model learns that its endpoint is slow."""


@dataclass(frozen=True, slots=True)
class _Scored:
    """The scores of all candidates, in declared order, and who gave them."""

    scores: tuple[Score, ...]
    by: str
    degraded: str = ""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A choice with its reasons, before it is measured and told."""

    tool: Tool | None
    score: float | None
    decided_by: DecidedBy
    candidates: tuple[Candidate, ...]
    scored: _Scored


class Router:
    """Decides which tool of a toolset a question goes to."""

    def __init__(self, embedded: EmbeddedScorer, *, most_at_once: int = MOST_AT_ONCE) -> None:
        self._embedded = embedded
        self._most_at_once = most_at_once
        self._turns: dict[str, anyio.CapacityLimiter] = {}

    async def route(self, question: Question, toolset: Toolset, *, emit: Emit, model: Model | None) -> Decision:
        """Decide; without a model, or when it gives no score at all, the embedded scorer scores.

        Emits `CandidateScored` for each candidate, `Degraded` where the embedded scorer stood in, and
        `ToolChosen`.

        Raises:
            UnknownTool: the question names a tool that the site does not have.
        """
        started = time.perf_counter()
        candidates = _named(question, toolset)
        with measured() as usage:
            outcome = await self._decide(question, toolset, candidates, emit, model)
        decision = Decision(
            question=question.text,
            site=question.site,
            tool=outcome.tool,
            score=outcome.score,
            decided_by=outcome.decided_by,
            candidates=outcome.candidates,
            model=outcome.scored.by,
            model_calls=usage.calls,
            milliseconds=1000 * (time.perf_counter() - started),
            degraded=outcome.scored.degraded,
            arguments=_arguments(outcome, candidates),
        )
        emit(ToolChosen(_name(decision.tool), decision.score, decision.decided_by, decision.to_json()))
        return decision

    async def _decide(
        self, question: Question, toolset: Toolset, tools: Sequence[Tool], emit: Emit, model: Model | None
    ) -> _Outcome:
        name = self._embedded.name if model is None else model.name
        if len(set(question.tools)) == 1:
            return _sure(tools[0], None, "explicit", "named by the client", name)
        if len(tools) == 1:
            return _sure(tools[0], toolset.routing.single_score, "single", "the only candidate", name)
        scored = await self._scores(question, toolset, tools, emit, model)
        candidates = tuple(
            Candidate(tool.name, score.value, score.reason) for tool, score in zip(tools, scored.scores, strict=True)
        )
        choice = choose(candidates, toolset.routing)
        chosen = choice.candidate
        tool = toolset.get(chosen.tool) if chosen else None
        return _Outcome(tool, chosen.score if chosen else None, choice.decided_by, candidates, scored)

    async def _scores(
        self, question: Question, toolset: Toolset, tools: Sequence[Tool], emit: Emit, model: Model | None
    ) -> _Scored:
        async def local() -> tuple[Score, ...]:
            return await self._local_scores(question, toolset, tools)

        if model is None or toolset.routing.strategy == "embedded":
            return self._tell_local(await local(), tools, emit)
        async with self._turn(model):
            by_model = await _ask(model, question, toolset, tools, local, emit)
        if any(score.value is not None for score in by_model):
            return _Scored(by_model, model.name)
        degraded = f"{model.name} scored no candidate, so the embedded scorer did. {_why(by_model)}"
        emit(Degraded(degraded))
        return self._tell_local(await local(), tools, emit, degraded)

    def _turn(self, model: Model) -> anyio.CapacityLimiter:
        """Return what lets so many questions at once be scored by `model`; others wait for no slow one."""
        if model.name not in self._turns:
            self._turns[model.name] = anyio.CapacityLimiter(self._most_at_once)
        return self._turns[model.name]

    async def _local_scores(self, question: Question, toolset: Toolset, tools: Sequence[Tool]) -> tuple[Score, ...]:
        scores = await self._embedded.score(question.text, toolset)
        by_name = {tool.name: score for tool, score in zip(toolset.tools, scores, strict=True)}
        return tuple(by_name[tool.name] for tool in tools)

    def _tell_local(self, local: tuple[Score, ...], tools: Sequence[Tool], emit: Emit, degraded: str = "") -> _Scored:
        for tool, score in zip(tools, local, strict=True):
            emit(CandidateScored(tool.name, score.value, score.reason))
        return _Scored(local, self._embedded.name, degraded)


async def _ask(
    model: Model,
    question: Question,
    toolset: Toolset,
    tools: Sequence[Tool],
    local: Callable[[], Awaitable[Sequence[Score]]],
    emit: Emit,
) -> tuple[Score, ...]:
    """Ask the model for all scores at once.

    The locally best candidates go first where there are more than `ASKED_AT_ONCE`. Fewer need no order, and the
    local ranking, which says who is waited for, is found meanwhile.
    """
    routing = toolset.routing
    call_seconds = CALL_SHARE * routing.timeout_seconds

    async def score_one(index: int) -> Score:
        return await score_by_model(model, tools[index], question, toolset, timeout_seconds=call_seconds)

    def arrived(index: int, score: Score) -> None:
        emit(CandidateScored(tools[index].name, score.value, score.reason))

    async def rank() -> Sequence[int]:
        scores = await local()
        return sorted(range(len(tools)), key=lambda index: -(scores[index].value or 0.0))

    patience = Patience(routing.early_stop, routing.grace_seconds, routing.timeout_seconds)
    if len(tools) > ASKED_AT_ONCE:
        fanned = await fan(score_one, await rank(), patience, arrived=arrived)
    else:
        fanned = await fan(score_one, range(len(tools)), patience, arrived=arrived, rank=rank)
    scores = tuple(score or _cut_off(fanned, tools, routing.timeout_seconds) for score in fanned.scores)
    for index, score in enumerate(fanned.scores):
        if score is None:
            arrived(index, scores[index])
    return scores


def _cut_off(fanned: Fanned, tools: Sequence[Tool], seconds: float) -> Score:
    """Say why a candidate has no score: another ended the scoring, or time did."""
    if fanned.stopped_by is None:
        return Score(None, f"no score within {seconds:g} s")
    hit = fanned.scores[fanned.stopped_by]
    assert hit is not None
    return Score(None, f"cut off: {tools[fanned.stopped_by].name} reached {hit.value:.0f} first")


def _named(question: Question, toolset: Toolset) -> tuple[Tool, ...]:
    """Return the candidates, in declared order: those that the client names, or all."""
    named = [toolset.tool(name) for name in question.tools] or toolset.tools
    return tuple(tool for tool in toolset.tools if tool in named)


def _sure(tool: Tool, score: float | None, decided_by: DecidedBy, reason: str, by: str) -> _Outcome:
    """Make the outcome of what needs no scoring."""
    return _Outcome(tool, score, decided_by, (Candidate(tool.name, score, reason),), _Scored((), by))


def _arguments(outcome: _Outcome, tools: Sequence[Tool]) -> dict[str, Json] | None:
    """Return the arguments that stood in the winner's scoring reply."""
    for tool, score in zip(tools, outcome.scored.scores, strict=False):
        if tool is outcome.tool and score.arguments is not None:
            return dict(score.arguments)
    return None


def _why(scores: Sequence[Score]) -> str:
    """Return the reason that most candidates share for having no score."""
    reasons = [score.reason for score in scores]
    return max(reasons, key=reasons.count, default="")


def _name(tool: Tool | None) -> str | None:
    return tool.name if tool else None

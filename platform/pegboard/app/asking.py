"""One question on its way: complete it, choose the tool, bind, call, put into words."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import anyio

from pegboard.answer.answer import Answer, results_json
from pegboard.answer.chat import chat
from pegboard.answer.compose import compose
from pegboard.app.resume import Resumed, resume
from pegboard.app.solving import Solver
from pegboard.app.speculation import Speculation, speculating
from pegboard.bind.bind import Bound, bind
from pegboard.catalog.contract import Documents, Question, Result, Search, Status
from pegboard.catalog.redaction import masked
from pegboard.catalog.tool import Tool, Toolset
from pegboard.errors import DeadlineExceeded, InvalidArguments, ModelError, UsageError
from pegboard.events import (
    AnswerEnded,
    AnswerPiece,
    ArgumentsBound,
    Degraded,
    Emit,
    Event,
    FollowUpCompleted,
    ItemsFound,
    Noticed,
    QuestionAsked,
    UserAsked,
)
from pegboard.llm.model import Model
from pegboard.llm.telling import heard_by
from pegboard.llm.usage import UNBOUNDED, Budget, Usage, measured
from pegboard.memory.documents.held import MemoryDocuments
from pegboard.memory.documents.of_site import SiteDocuments
from pegboard.memory.follow_up import complete
from pegboard.route.choose import instead
from pegboard.route.decision import Decision
from pegboard.route.router import Router
from pegboard.run.context import CallContext, Within
from pegboard.run.keeping import Keeper
from pegboard.run.limits.admission import Request
from pegboard.run.limits.kept import Guards
from pegboard.run.outcome import kept_of, result_of
from pegboard.run.results.store import MemoryResults, ResultStore
from pegboard.run.step import step
from pegboard.text import language

_NO_TOOL = {
    "en": "None of this site's tools fits this question.",
    "zh": "这个网站没有适合回答这个问题的工具。",
}
_NAMES_LOOKED_UP = 5
_SHOWN_MEANWHILE = 3
_MARGIN_SECONDS = 2.0
"""What is kept of a request's time so that a model that is too slow can be stood in for."""


@dataclass(frozen=True, slots=True)
class Stages:
    """What answers the questions of one site."""

    toolset: Toolset
    router: Router
    search: Search
    scorer: Model | None
    """Scores the tools."""
    writer: Model | None
    """Does everything else that a model does."""
    keeper: Keeper | None = None
    """Keeps open what handlers use between calls."""
    store: ResultStore = field(default_factory=MemoryResults)
    """Keeps what is too large to be handed around."""
    guards: Guards = field(default_factory=Guards)
    """Keep what tools' limits remember between calls."""
    within: Within | None = None
    """Runs plans."""
    documents: Documents = field(default_factory=lambda: SiteDocuments(MemoryDocuments(), ""))
    """What the site keeps of what was written."""
    planner: Model | None = None
    """Plans."""
    profiles: Mapping[str, Model] = field(default_factory=dict)
    """The models of the profiles that tools name."""

    @property
    def budget(self) -> Budget:
        """How much of models one request may use."""
        return self.toolset.routing.budget or UNBOUNDED

    def request(self, approved: frozenset[str] = frozenset()) -> Request:
        """Return what the calls of a new request have in common; of tools that are `approved`, calls are."""
        return Request(self.guards, approved)

    @property
    def solver(self) -> Solver:
        """What plans for the site."""
        routing = self.toolset.routing
        return Solver(self.router, self.planner, self.scorer, routing.timeout_seconds, routing.plan_timeout_seconds)

    def context(
        self, question: str, *, emit: Emit, deadline: float, request: Request, previous: tuple[str, ...] = ()
    ) -> CallContext:
        """Return what a handler is given for `question`."""
        return CallContext(
            question=question,
            toolset=self.toolset,
            language=language(question),
            search=self.search,
            model=self.writer,
            emit=emit,
            deadline=deadline,
            previous=previous,
            keeper=self.keeper,
            store=self.store,
            request=request,
            within=self.within,
            documents=self.documents,
            solving=self.solver,
            planner=self.planner,
            profiles=self.profiles,
        )


class Asking:
    """One question on its way through the stages."""

    def __init__(self, stages: Stages, question: Question, emit: Emit, deadline: float) -> None:
        self.stages = stages
        self.question = question
        self.deadline = deadline
        self.notices: list[str] = []
        self.degraded: list[str] = []
        self._emit = emit
        self._request = stages.request()

    def emit(self, event: Event) -> None:
        """Pass `event` on, keeping what the answer itself has to say."""
        if isinstance(event, Degraded):
            self.degraded.append(event.reason)
        if isinstance(event, Noticed):
            self.notices.append(event.message)
        self._emit(event)

    async def answer(self) -> Answer:
        """Answer the question.

        Raises:
            CallFailed, DeadlineExceeded: the chosen tool could not do its work.
        """
        with measured(self.stages.budget) as usage, heard_by(self.emit):
            return await self._measured(usage)

    async def _measured(self, usage: Usage) -> Answer:
        self.emit(QuestionAsked(self.question.text, self.question.site))
        asked = await self._completed()
        answer = await (self._begun(asked) if isinstance(asked, Question) else self._resumed(asked))
        answer = replace(
            answer,
            degraded=" ".join(dict.fromkeys(self.degraded)),
            notices=tuple(self.notices),
            usage=usage.to_json(),
        )
        self.emit(AnswerEnded(answer.to_json()))
        return answer

    def _context(self, asked: Question, request: Request | None = None) -> CallContext:
        return self.stages.context(
            asked.text,
            emit=self.emit,
            deadline=self.deadline,
            previous=asked.previous,
            request=request or self._request,
        )

    async def _begun(self, asked: Question) -> Answer:
        return await (self._planned(asked) if asked.mode == "plan" else self._routed(asked))

    async def _planned(self, asked: Question) -> Answer:
        """Answer by a plan; what cannot be planned is asked as the single step that it then is."""
        planning = next((tool.name for tool in self.stages.toolset.tools if tool.is_planning), None)
        context = self._context(asked)
        try:
            result = await self.stages.solver.solve(asked.text, context, tools=asked.tools or None)
        except UsageError as error:
            self.emit(Degraded(f"No plan could be made, so the question was asked as a single step: {error.message}"))
            return await self._routed(replace(asked, mode="tool"))
        return replace(await self._worded(asked, result), tool=planning)

    async def _routed(self, asked: Question) -> Answer:
        early = self._context(asked, self.stages.request())  # what is given up does not count for the request
        async with speculating(asked, self.stages.toolset, early) as speculation:
            decision = await self._decided(asked, speculation)
            return await self._answer(asked, decision, speculation)

    async def _decided(self, asked: Question, speculation: Speculation | None) -> Decision:
        """Choose the tool; the fallback may start meanwhile, and is cancelled when another is chosen."""
        toolset, model = self.stages.toolset, self.stages.scorer
        if speculation is None:
            return await self.stages.router.route(asked, toolset, emit=self.emit, model=model)
        decision = await self.stages.router.route(asked, toolset, emit=self.emit, model=model, asking=speculation.begin)
        if decision.tool is not toolset.fallback:
            speculation.given_up()
        return decision

    async def _resumed(self, resumed: Resumed) -> Answer:
        """Answer an earlier question whose missing arguments the visitor has given, or ask for the next."""
        tool, score = resumed.decision.tool, resumed.decision.score
        if tool is None or resumed.lacking is None:
            return await self._answer(resumed.question, resumed.decision, None)
        back = await self._asked_back(tool, resumed.lacking, self._context(resumed.question))
        return replace(back, tool=tool.name, score=score)

    async def _completed(self) -> Question | Resumed:
        """Return the question in a form that stands alone, or the one that it answers a question back to."""
        if not self.question.previous:
            return self.question
        if self.stages.writer is None:
            if (resumed := await self._resume()) is not None:
                return resumed
            self.emit(Noticed("Earlier questions (prev) were ignored: that needs a model, and there is none."))
            return self.question
        try:
            text = await complete(
                self.question.text,
                self.question.previous,
                model=self.stages.writer,
                timeout_seconds=min(self.stages.toolset.routing.timeout_seconds, seconds_left(self.deadline)),
            )
        except ModelError as error:
            if (resumed := await self._resume()) is not None:
                self.emit(Degraded(f"Rules put the question together with the earlier ones (prev): {error}"))
                return resumed
            self.emit(Degraded(f"Earlier questions (prev) were ignored: {error}"))
            return self.question
        if text != self.question.text:
            self.emit(FollowUpCompleted(self.question.text, text))
        return replace(self.question, text=text)

    async def _resume(self) -> Resumed | None:
        stages = self.stages
        found = await resume(self.question, stages.toolset, stages.router, self._names, emit=self.emit)
        if found is not None:
            self.emit(FollowUpCompleted(self.question.text, found.question.text))
        return found

    async def _names(self, text: str) -> list[str]:
        """Return the names of those of the site's items that `text` may mean."""
        return [hit.item.name for hit in await self.stages.search.named(text, limit=_NAMES_LOOKED_UP)]

    async def _answer(self, asked: Question, decision: Decision, speculation: Speculation | None) -> Answer:
        spoken = language(asked.text)
        if decision.tool is None:
            return await self._without_tool(asked, spoken)
        context = self._context(asked)
        try:
            bound = await self._bound(decision, context, speculation)
        except InvalidArguments as missing:
            other = instead(decision, self.stages.toolset)
            if other is None or other.tool is None:
                back = await self._asked_back(decision.tool, missing, context)
                return replace(back, tool=decision.tool.name, score=decision.score)
            lacks = ", ".join(missing.missing) or "an argument"
            self.emit(Noticed(f"Tool {decision.tool.name!r} scored best, but the question lacks {lacks}."))
            return await self._answer(asked, other, speculation)
        outcome = await speculation.outcome(decision.tool, bound.arguments) if speculation else None
        ended = outcome or await step(decision.tool, bound.arguments, context)
        result = result_of(ended)
        shown = masked(decision.tool, bound.arguments)
        answer = await self._worded(asked, result)
        if asked.form == "answer":
            answer = replace(answer, kept=kept_of(ended).ref)
        return replace(answer, tool=decision.tool.name, score=decision.score, arguments=shown)

    async def _worded(self, asked: Question, result: Result) -> Answer:
        """Put a result into words, or only show what it found."""
        self.emit(ItemsFound(results_json(result.items)))
        if asked.form == "list":
            return Answer("", results=result.items, status=result.status)
        return await compose(
            asked.text,
            language(asked.text),
            result,
            model=self.stages.writer,
            emit=self.emit,
            previous=asked.previous,
            timeout_seconds=seconds_left(self.deadline),
        )

    async def _without_tool(self, asked: Question, spoken: str) -> Answer:
        if asked.mode != "chat":
            return self._said(_NO_TOOL.get(spoken, _NO_TOOL["en"]), "not_found")
        return await chat(
            asked.text,
            spoken,
            model=self.stages.writer,
            emit=self.emit,
            about=self.stages.toolset.description,
            timeout_seconds=seconds_left(self.deadline),
        )

    async def _bound(self, decision: Decision, context: CallContext, speculation: Speculation | None) -> Bound:
        assert decision.tool is not None  # the caller has looked
        if speculation and (kept := speculation.arguments_of(decision.tool)) is not None:
            self.emit(ArgumentsBound(decision.tool.name, masked(decision.tool, kept)))
            return Bound(dict(kept), "proposed")

        bound = await bind(
            decision.tool,
            context.question,
            language=context.language,
            proposed=decision.arguments,
            model=self.stages.writer,
            names=self._names,
            timeout_seconds=min(self.stages.toolset.routing.timeout_seconds, seconds_left(self.deadline)),
        )
        if bound.degraded:
            self.emit(Degraded(bound.degraded))
        self.emit(ArgumentsBound(decision.tool.name, masked(decision.tool, bound.arguments)))
        return bound

    async def _asked_back(self, tool: Tool, missing: InvalidArguments, context: CallContext) -> Answer:
        """Ask for what is missing, with what the site's search finds meanwhile."""
        self.emit(UserAsked(tool.name, missing.message, missing.missing))
        answer = self._said(missing.message, "needs_clarification")
        if tool is self.stages.toolset.fallback:
            return answer
        found = await context.search.items(context.question, limit=_SHOWN_MEANWHILE)
        self.emit(ItemsFound(results_json(found.hits)))
        return replace(answer, results=found.hits)

    def _said(self, text: str, status: Status) -> Answer:
        self.emit(AnswerPiece(text))
        return Answer(text, status=status)


def seconds_left(deadline: float) -> float:
    """Return how long a model may take of what a request has left: it must end a little before that does."""
    return max(deadline - anyio.current_time() - _MARGIN_SECONDS, 0.0)


@contextmanager
def within(seconds: float) -> Iterator[float]:
    """End the block after `seconds`; enters as the time on anyio's clock.

    Raises:
        DeadlineExceeded: it took longer.
    """
    try:
        with anyio.fail_after(seconds) as scope:
            yield scope.deadline
    except TimeoutError as error:
        hint = (
            "The setting request_timeout says how long a request may take; what is begun as a run may take longer "
            "(`platform run`, POST /runs)."
        )
        raise DeadlineExceeded(f"The request took longer than {seconds:g} s.", hint=hint) from error

"""`App`: what an open configuration can be asked."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import islice
from typing import Literal

from pegboard.answer.answer import Answer
from pegboard.answer.compose import compose
from pegboard.app.asking import Asking, Stages, seconds_left, within
from pegboard.app.came import Came
from pegboard.app.documents import AllDocuments
from pegboard.app.evaluating import Evaluator, Progress
from pegboard.app.models import Connections, Models
from pegboard.app.running import Running
from pegboard.bind.check import checked
from pegboard.catalog.contract import Mode, Part, Question, Strategy
from pegboard.catalog.redaction import masked
from pegboard.catalog.snapshot import Catalog
from pegboard.config.server.settings import Settings
from pegboard.errors import UnknownSite, UsageError
from pegboard.events import AnswerEnded, Degraded, Emit, Event, Noticed, QuestionAsked, silent
from pegboard.knowledge.refresh import Report
from pegboard.knowledge.search import SiteSearch
from pegboard.llm.telling import heard_by
from pegboard.llm.usage import UNBOUNDED, measured
from pegboard.planner.planned import Planned
from pegboard.route.decision import Decision
from pegboard.route.embedded import KEPT_HEADS, EmbeddedScorer
from pegboard.route.evaluation import Case, Evaluation, by_strategy, evenly, examples_of
from pegboard.route.health import SiteHealth
from pegboard.route.question_file import Questions, read_questions
from pegboard.route.router import Router
from pegboard.run.context import CallContext
from pegboard.run.keeping import Keeper
from pegboard.run.limits.admission import Request
from pegboard.run.limits.kept import Guards
from pegboard.run.outcome import kept_of, result_of
from pegboard.run.results.keep import part_of
from pegboard.run.results.store import ResultStore
from pegboard.run.step import step
from pegboard.text import Json, is_seen

_MOST_PREVIOUS = 20
"""Earlier questions that are kept of a request; models see fewer."""


class App:
    """One catalog, open for questions; it never changes. Made by `pegboard.app.open_app`, and anew by each reload."""

    def __init__(  # noqa: PLR0913, PLR0917 (what `Resources.app` puts together)
        self,
        settings: Settings,
        catalog: Catalog,
        scorer: EmbeddedScorer,
        searches: Mapping[str, SiteSearch],
        models: Models,
        connections: Connections,
        report: Report,
        keeper: Keeper,
        store: ResultStore,
        guards: Guards,
        runs: Running,
        documents: AllDocuments,
    ) -> None:
        self.settings = settings
        self.catalog: Catalog = catalog
        self.report = report
        """What the refresh of the index did at the start."""
        self.scorer = scorer
        self._router = Router(scorer)
        self._searches = searches
        self.models = models
        self._connections = connections
        self._keeper = keeper
        self._store = store
        self._guards = guards
        self.runs = runs
        """Plans that are run, now and before."""
        self.documents = documents
        """What was written and is kept."""

    @property
    def model_name(self) -> str:
        """The model of every role that names none, or `none`."""
        return self.models.default.name if self.models.default else "none"

    # What a request may name

    def site_for(self, site: str | None, host: str | None = None) -> str:
        """Return the site that is asked: the one named, else that of the domain `host`, else the default.

        Raises:
            UnknownSite: no document declares it.
            UsageError: none is named and there is no telling which.
        """
        if site:
            return self.catalog.toolset(site).site
        found = (self.catalog.site_of_host(host) if host else None) or self.catalog.default_site()
        if found is None:
            names = ", ".join(self.catalog.sites) or "none is declared"
            raise UsageError("The request names no site, and there are several.", hint=f"Name one of: {names}.")
        return found

    def question(  # noqa: PLR0913 (what a request may say)
        self,
        text: str,
        *,
        site: str,
        tools: Sequence[str] = (),
        previous: Sequence[str] = (),
        form: Literal["answer", "list"] = "answer",
        mode: Mode = "tool",
        strategy: Strategy | None = None,
    ) -> Question:
        """Return a question that can be asked; of earlier ones the last count, as much of each as a question may have.

        Raises:
            UsageError: it is empty or too long, or the site never asks the model it wants.
            UnknownSite, UnknownTool: it names what is not there.
        """
        toolset = self.catalog.toolset(site)
        longest = self.settings.query_characters
        if not is_seen(text):
            raise UsageError("The question is empty.", hint="Ask something, such as: a quick dinner")
        if len(text) > longest:
            raise UsageError(f"The question has {len(text):,} characters; {longest:,} are allowed.", hint="Shorten it.")
        named = tuple(dict.fromkeys(toolset.tool(name).name for name in tools))
        if strategy not in (None, "embedded") and toolset.routing.strategy == "embedded":
            hint = "Leave out the strategy, or change the site's route.strategy."
            raise UsageError(f"Site {site!r} asks no model to choose a tool, so not by {strategy!r}.", hint=hint)
        earlier = tuple(each[:longest] for each in previous if each.strip())[-_MOST_PREVIOUS:]
        return Question(text.strip(), site, named, earlier, form, mode, strategy)

    def questions(self, data: bytes, *, site: str | None = None) -> Questions:
        """Read a file of questions with the tool that each wants; with `site`, those of that site alone.

        Raises:
            UnknownSite: no document declares `site`.
        """
        wanted = self.catalog.toolset(site).site if site else None
        read = read_questions(
            data, lambda named: self.catalog.toolset(self.site_for(named or wanted)), self.settings.query_characters
        )
        return replace(read, cases=tuple(case for case in read.cases if wanted in {None, case.site}))

    def examples(self, *, site: str | None = None, most: int | None = None) -> list[Case]:
        """Return the declared examples of all sites, or of one, as questions; at most `most`, evenly spread.

        Raises:
            UnknownSite: no document declares `site`.
        """
        toolsets = self.catalog.sites.values() if site is None else [self.catalog.toolset(site)]
        return evenly([case for toolset in toolsets for case in examples_of(toolset)], most)

    def prepare(self) -> None:
        """Train the scorers of all sites (of the first, where they are very many) before anybody asks; blocks."""
        for toolset in islice(self.catalog.sites.values(), KEPT_HEADS):
            self.scorer.prepare(toolset)

    def health(self) -> list[SiteHealth]:
        """Say of each site how well its tools are told apart (of the first, where they are very many); blocks."""
        return [self.scorer.health(toolset) for toolset in islice(self.catalog.sites.values(), KEPT_HEADS)]

    # What can be asked of it

    async def route(self, question: Question, *, strategy: str | None = None, emit: Emit = silent) -> Decision:
        """Choose the tool for `question` without running it; by `strategy`, or as it says, or as its site declares.

        Raises:
            UsageError: there is no such strategy.
        """
        toolset = by_strategy(self.catalog.toolset(question.site), strategy)
        model = self.models.scorer(toolset.site)
        with (
            self._connections.in_use(self.models),
            within(self.settings.request_seconds),
            measured(toolset.routing.budget or UNBOUNDED),
            heard_by(emit),
        ):
            return await self._router.route(question, toolset, emit=emit, model=model)

    async def evaluate(
        self, cases: Sequence[Case], *, strategies: Sequence[str] = (), progress: Progress | None = None
    ) -> list[Evaluation]:
        """Ask each case by each strategy (by that which its site declares, where none is named), and judge them.

        `progress` is told how many cases are judged, and how many there are.

        Raises:
            UsageError: there is no such strategy.
        """
        evaluator = Evaluator(self.catalog.sites, self.scorer, self.models.scorer, self.settings.request_seconds)
        with self._connections.in_use(self.models):
            return await evaluator.evaluate(cases, tuple(strategies) or (None,), progress)

    async def ask(self, question: Question, *, emit: Emit = silent) -> Answer:
        """Answer `question`; every event on the way goes to `emit`.

        A tool that fails raises; a model that fails is stood in for, and the answer says so.

        Raises:
            CallFailed: the chosen tool could not do its work.
            DeadlineExceeded: it took longer than `request_seconds`.
        """
        with self._connections.in_use(self.models), within(self.settings.request_seconds) as deadline:
            return await Asking(self._stages(question.site), question, emit, deadline).answer()

    async def call(
        self,
        site: str,
        tool: str,
        arguments: Mapping[str, Json],
        *,
        emit: Emit = silent,
        approved: bool = False,
        by_model: bool = True,
    ) -> Answer:
        """Run one tool with these arguments; without a model, or where not `by_model`, its words are extracts.

        `approved` says that somebody has approved this call, where the tool wants that.

        Raises:
            UnknownSite, UnknownTool, InvalidArguments, CallFailed, DeadlineExceeded
        """
        stages = self._stages(site)
        called = stages.toolset.tool(tool)
        fitting = checked(called, arguments)
        told: list[Event] = []

        def hear(event: Event) -> None:
            told.append(event)
            emit(event)

        words = " ".join(str(value) for value in masked(called, fitting).values()) or tool
        with (
            self._connections.in_use(self.models),
            within(self.settings.request_seconds) as deadline,
            measured(stages.budget) as usage,
            heard_by(hear),
        ):
            request = stages.request(frozenset({called.name}) if approved else frozenset())
            context = stages.context(words, emit=hear, deadline=deadline, request=request)
            outcome = await step(called, fitting, context)
            result = result_of(outcome)
            left = seconds_left(deadline)
            answer = await compose(
                words,
                context.language,
                result,
                model=stages.writer if by_model else None,
                emit=hear,
                timeout_seconds=left,
            )
        answer = replace(
            answer,
            data=result.data,
            kept=kept_of(outcome).ref,
            degraded=" ".join(dict.fromkeys(event.reason for event in told if isinstance(event, Degraded))),
            notices=tuple(event.message for event in told if isinstance(event, Noticed)),
        )
        return replace(answer, tool=tool, arguments=masked(called, fitting), usage=usage.to_json())

    async def plan(self, question: Question, *, emit: Emit = silent) -> Planned:
        """Plan what has to be done for `question`, and do nothing of it.

        Raises:
            UsageError: none of the site's tools fits it.
            InvalidArguments: something that a tool needs is not in the question.
            DeadlineExceeded: it took longer than `request_seconds`.
        """
        stages = self._stages(question.site)
        with (
            self._connections.in_use(self.models),
            within(self.settings.request_seconds) as deadline,
            measured(stages.budget) as usage,
            heard_by(emit),
        ):
            request = stages.request()
            context = stages.context(
                question.text, emit=emit, deadline=deadline, request=request, previous=question.previous
            )
            planned = await stages.solver.planned(question, context, tools=question.tools or None)
            return replace(planned, used=usage.used)

    async def write_answer(self, came: Came, *, emit: Emit = silent) -> None:
        """Put what a run came to into words, by the site's model where it has one; every event goes to `emit`.

        Raises:
            CallFailed: no node of it gave anything.
        """
        site = came.request.site
        emit(QuestionAsked(came.request.question, site))
        try:
            stages = self._stages(site)
        except UnknownSite:
            emit(Degraded(reason := f"Site {site!r} is not declared any more, so no model wrote this."))
            emit(AnswerEnded({**await came.answer(emit=emit), "degraded": reason}))
            return
        with (
            self._connections.in_use(self.models),
            within(self.settings.request_seconds) as deadline,
            measured(stages.budget) as usage,
            heard_by(emit),
        ):
            answer = await came.answer(stages.writer, emit=emit, timeout_seconds=seconds_left(deadline))
        emit(AnswerEnded({**answer, "usage": usage.to_json()}))

    async def result_part(self, ref: str, offset: int = 0) -> Part:
        """Read on in a result that was too large to be handed around, from a byte on.

        Raises:
            UnknownResult: nothing is kept under `ref`, or not any more.
        """
        return await part_of(self._store, ref, offset)

    def context_of(self, site: str, question: str, *, deadline: float, previous: tuple[str, ...] = ()) -> CallContext:
        """Return what the tools of `site` are given for `question`.

        Raises:
            UnknownSite: no document declares it.
        """
        request = Request(self._guards)
        return self._stages(site).context(question, emit=silent, deadline=deadline, request=request, previous=previous)

    def in_use(self) -> AbstractContextManager[None]:
        """Keep its models open for the time of the block, whatever is reloaded."""
        return self._connections.in_use(self.models)

    def _stages(self, site: str) -> Stages:
        toolset = self.catalog.toolset(site)
        scorer, writer = self.models.scorer(toolset.site), self.models.writer(toolset.site)
        return Stages(
            toolset,
            self._router,
            self._searches[toolset.site],
            scorer=scorer,
            writer=writer,
            keeper=self._keeper,
            store=self._store,
            guards=self._guards,
            within=self.runs,
            documents=self.documents.of(toolset.site),
            planner=self.models.planner(toolset.site),
            profiles=self.models.profiles,
        )

"""`App`: what an open configuration can be asked."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Literal

from pegboard.answer.answer import Answer
from pegboard.answer.compose import compose
from pegboard.app.asking import Asking, Stages, seconds_left, within
from pegboard.bind.check import checked
from pegboard.catalog.contract import Question
from pegboard.catalog.snapshot import Catalog
from pegboard.config.server.settings import Settings
from pegboard.errors import UsageError
from pegboard.events import Emit, silent
from pegboard.knowledge.refresh import Report
from pegboard.knowledge.search import SiteSearch
from pegboard.llm.model import Model
from pegboard.route.decision import Decision
from pegboard.route.embedded import KEPT_HEADS, EmbeddedScorer
from pegboard.route.health import SiteHealth
from pegboard.route.router import Router
from pegboard.run.outcome import result_of
from pegboard.run.step import step
from pegboard.text import Json


class App:
    """One catalog, open for questions; it never changes. Made by `pegboard.app.open_app`, and anew by each reload."""

    def __init__(
        self,
        settings: Settings,
        catalog: Catalog,
        scorer: EmbeddedScorer,
        searches: Mapping[str, SiteSearch],
        model: Model | None,
        report: Report,
    ) -> None:
        self.settings = settings
        self.catalog = catalog
        self.report = report
        """What the refresh of the index did at the start."""
        self.scorer = scorer
        self._router = Router(scorer)
        self._searches = searches
        self._model = model

    @property
    def model_name(self) -> str:
        """The model that scores and writes, or `none`."""
        return self._model.name if self._model else "none"

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

    def question(
        self,
        text: str,
        *,
        site: str,
        tools: Sequence[str] = (),
        previous: Sequence[str] = (),
        mode: Literal["answer", "list"] = "answer",
    ) -> Question:
        """Return a question that can be asked.

        Raises:
            UsageError: it is empty or too long.
            UnknownSite, UnknownTool: it names what is not there.
        """
        toolset = self.catalog.toolset(site)
        longest = self.settings.query_characters
        if not text.strip():
            raise UsageError("The question is empty.", hint="Ask something, such as: a quick dinner")
        if len(text) > longest:
            raise UsageError(f"The question has {len(text):,} characters; {longest:,} are allowed.")
        named = tuple(dict.fromkeys(toolset.tool(name).name for name in tools))
        return Question(text.strip(), site, named, tuple(filter(str.strip, previous)), mode)

    def prepare(self) -> None:
        """Train the scorers of all sites (of the first, where they are very many) before anybody asks; blocks."""
        for toolset in islice(self.catalog.sites.values(), KEPT_HEADS):
            self.scorer.prepare(toolset)

    def health(self) -> list[SiteHealth]:
        """Say of each site how well its tools are told apart (of the first, where they are very many); blocks."""
        return [self.scorer.health(toolset) for toolset in islice(self.catalog.sites.values(), KEPT_HEADS)]

    # What can be asked of it

    async def route(self, question: Question, *, emit: Emit = silent) -> Decision:
        """Choose the tool for `question` without running it."""
        with within(self.settings.request_seconds):
            toolset = self.catalog.toolset(question.site)
            return await self._router.route(question, toolset, emit=emit, model=self._model)

    async def ask(self, question: Question, *, emit: Emit = silent) -> Answer:
        """Answer `question`; every event on the way goes to `emit`.

        A tool that fails raises; a model that fails is stood in for, and the answer says so.

        Raises:
            CallFailed: the chosen tool could not do its work.
            DeadlineExceeded: it took longer than `request_seconds`.
        """
        with within(self.settings.request_seconds) as deadline:
            return await Asking(self._stages(question.site), question, emit, deadline).answer()

    async def call(self, site: str, tool: str, arguments: Mapping[str, Json], *, emit: Emit = silent) -> Answer:
        """Run one tool with these arguments; without a model its words are extracts.

        Raises:
            UnknownSite, UnknownTool, InvalidArguments, CallFailed, DeadlineExceeded
        """
        stages = self._stages(site)
        called = stages.toolset.tool(tool)
        fitting = checked(called, arguments)
        words = " ".join(str(value) for value in fitting.values()) or tool
        with within(self.settings.request_seconds) as deadline:
            context = stages.context(words, emit=emit, deadline=deadline)
            result = result_of(await step(called, fitting, context))
            answer = await compose(
                words, context.language, result, model=self._model, emit=emit, timeout_seconds=seconds_left(deadline)
            )
        return replace(answer, tool=tool, arguments=fitting)

    def _stages(self, site: str) -> Stages:
        return Stages(self.catalog.toolset(site), self._router, self._searches[site], self._model)

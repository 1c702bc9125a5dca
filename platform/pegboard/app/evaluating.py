"""Ask every question of an evaluation, one after the other, by each strategy in turn."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import anyio.to_thread

from pegboard.app.asking import within
from pegboard.catalog.contract import Question
from pegboard.catalog.tool import Toolset
from pegboard.errors import PegboardError
from pegboard.events import silent
from pegboard.llm.model import Model
from pegboard.llm.usage import measured
from pegboard.route.embedded import EmbeddedScorer
from pegboard.route.evaluation import Case, Evaluation, Judged, by_strategy, taken, unaware
from pegboard.route.router import Router

Progress = Callable[[int, int], None]
"""Called with how many questions are judged, and how many there are."""


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Judges the routing of a catalog."""

    sites: Mapping[str, Toolset]
    scorer: EmbeddedScorer
    model_of: Callable[[str], Model | None]
    """The model that scores for a site."""
    request_seconds: float
    _declared: dict[tuple[str, str | None], Toolset] = field(default_factory=dict)

    async def evaluate(
        self, cases: Sequence[Case], strategies: Sequence[str | None], progress: Progress | None
    ) -> list[Evaluation]:
        """Return what each strategy makes of the cases; their questions are interleaved, so that times compare."""
        judged: dict[str | None, list[Judged]] = {strategy: [] for strategy in strategies}
        for number, case in enumerate(cases, start=1):
            for strategy, row in judged.items():
                row.append(await self._judged(case, await self._toolset(case, strategy)))
            if progress is not None:
                progress(number, len(cases))
        return [Evaluation(strategy, tuple(row)) for strategy, row in judged.items()]

    async def _toolset(self, case: Case, strategy: str | None) -> Toolset:
        """Return what the case is asked of, with its scorer trained: that is no part of what a question costs."""
        key = (case.site, strategy)
        if key not in self._declared:
            self._declared[key] = by_strategy(self.sites[case.site], strategy)
        toolset = unaware(self._declared[key], case)
        await anyio.to_thread.run_sync(self.scorer.prepare, toolset)
        return toolset

    async def _judged(self, case: Case, toolset: Toolset) -> Judged:
        started = time.perf_counter()
        with measured() as usage:
            try:
                with within(self.request_seconds):
                    decision = await Router(self.scorer).route(
                        Question(case.question, case.site), toolset, emit=silent, model=self.model_of(case.site)
                    )
            except PegboardError as error:
                passed = 1000 * (time.perf_counter() - started)
                return Judged(case, None, "", usage.calls, 0, passed, str(error), is_decided=False)
        tokens = usage.tokens_in + usage.tokens_out
        took = taken(decision)
        return Judged(case, took, decision.model, usage.calls, tokens, decision.milliseconds, decision.degraded)

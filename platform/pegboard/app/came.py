"""`Came`: what a run that has ended came to, as one result and as clients get it."""

from collections.abc import Mapping
from dataclasses import dataclass

from pegboard.answer.answer import Answer, results_json
from pegboard.answer.compose import compose
from pegboard.catalog.contract import Ran, Result
from pegboard.catalog.gathered import gathered
from pegboard.catalog.lacking import lacking
from pegboard.errors import CallFailed
from pegboard.events import Emit, silent
from pegboard.llm.model import Model
from pegboard.run.request import RunRequest
from pegboard.text import Json, language


@dataclass(frozen=True, slots=True)
class Came:
    """What a run came to, and what it was asked for."""

    request: RunRequest
    ran: Ran

    @property
    def language(self) -> str:
        """That of the question."""
        return language(self.request.question)

    def result(self) -> Result:
        """Return what its nodes gave.

        Raises:
            CallFailed: no node gave anything; with all the reasons.
        """
        return gathered(self.ran, self.request.plan, language=self.language)

    async def answer(
        self, model: Model | None = None, *, emit: Emit = silent, timeout_seconds: float = 60.0
    ) -> dict[str, Json]:
        """Return the answer as clients get it; without a model, or a question, its words are extracts.

        Raises:
            CallFailed: no node gave anything; with all the reasons.
        """
        request, result = self.request, self.result()
        answer = await compose(
            request.question,
            self.language,
            result,
            model=model if request.question else None,
            emit=emit,
            previous=request.previous,
            timeout_seconds=timeout_seconds,
        )
        return self._json(answer, result)

    async def extract(self) -> dict[str, Json]:
        """Return the answer without a model; where no node gave anything, it says why."""
        try:
            return await self.answer()
        except CallFailed as error:
            return self._json(Answer(error.message, status="not_found"), Result(error.message))

    def _json(self, answer: Answer, result: Result) -> dict[str, Json]:
        told: dict[str, Json] = {
            "text": answer.text,
            "run": self.ran.run,
            "run_status": self.ran.status,
            "status": answer.status,
            "model": answer.model,
            "items": [*results_json(answer.results)],
            "citations": [citation.to_json() for citation in answer.citations],
            "evidence": [
                {"number": each.number, "text": each.text, "url": each.url, "name": each.name}
                for each in result.evidence
            ],
            "failed": self._failed(),
        }
        optional: Mapping[str, Json] = {
            "files": [file.to_json() for file in answer.files],
            "degraded": answer.degraded,
            "notices": list(answer.notices),
        }
        return told | {key: value for key, value in optional.items() if value}

    def _failed(self) -> list[Json]:
        """Return the nodes that came to nothing and that nothing stands in for, each with its reason."""
        lacks = lacking(self.ran, self.request.plan)
        return [{"node": each.node, "tool": each.tool, "reason": each.why(self.language)} for each in lacks]

"""The seam between the router and the ways to score: `Strategy`, and the nouns that cross it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from pegboard.catalog.contract import Question
from pegboard.catalog.tool import Tool, Toolset
from pegboard.llm.model import Model
from pegboard.route.local import Local
from pegboard.route.score import Score

Arrived: TypeAlias = Callable[[int, Score], None]
"""Called with each candidate's number and score as it is known, once for each."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be scored."""

    question: Question
    toolset: Toolset
    tools: tuple[Tool, ...]
    """The candidates, in declared order; there is one at least."""
    local: Local
    """What the embedded scorer gives them."""
    local_name: str
    """What decisions call the embedded scorer."""
    model: Model
    arrived: Arrived
    asking: Callable[[], None]
    """Called when the model is about to be asked."""

    def only(self, chosen: Sequence[int]) -> "Asked":
        """Return what is left of it when only the `chosen` candidates are to be scored."""
        return replace(
            self,
            tools=tuple(self.tools[index] for index in chosen),
            local=self.local.only(chosen),
            arrived=lambda index, score: self.arrived(chosen[index], score),
        )


@dataclass(frozen=True, slots=True)
class Scored:
    """What came of it."""

    scores: tuple[Score, ...]
    """`scores[i]` belongs to `tools[i]`."""
    by: str
    """Who scored: the model's name, or the embedded scorer's."""
    shortlisted_by: str = ""
    """Who picked those that were scored; empty: all were."""
    cut_off: str = ""
    """Which candidates were not waited for, and why; empty: all were."""

    def among(self, asked: Asked, chosen: Sequence[int]) -> "Scored":
        """Return these scores, of the `chosen` candidates, among all; the others of `asked` were not shortlisted."""
        if len(chosen) == len(asked.tools):
            return self
        reason = f"not among the {len(chosen)} that {asked.local_name} ranks best"
        scores = [Score(None, reason, absence="not_shortlisted")] * len(asked.tools)
        for index, score in zip(chosen, self.scores, strict=True):
            scores[index] = score
        return replace(self, scores=tuple(scores), shortlisted_by=asked.local_name)

    @property
    def is_empty(self) -> bool:
        """No candidate has a score."""
        return all(score.value is None for score in self.scores)


class Strategy(Protocol):
    """A way to score candidates."""

    async def score(self, asked: Asked) -> Scored:
        """Score the candidates, telling each as it is known; a model's failure is a candidate without a score.

        Ends within the site's timeout; cancelling ends every call for real.
        """
        ...

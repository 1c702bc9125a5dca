"""The part of the seam that `platform eval` uses; see `served`."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from pegboard.app import Evaluation, EvaluationCase, Questions

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much is done, and how much there is in all."""


class Evaluable(Protocol):
    """What can be asked how often it finds the right tool."""

    def questions(self, data: bytes, *, site: str | None = None) -> "Questions":
        """Read a file of questions with the tool that each wants; with `site`, those of that site alone.

        Raises:
            UnknownSite: no document declares `site`.
        """
        ...

    def examples(self, *, site: str | None = None, most: int | None = None) -> "Sequence[EvaluationCase]":
        """Return the declared examples of all sites, or of one, as questions; at most `most`, evenly spread.

        Raises:
            UnknownSite: no document declares `site`.
        """
        ...

    async def evaluate(
        self, cases: "Sequence[EvaluationCase]", *, strategies: Sequence[str] = (), progress: Progress | None = None
    ) -> "Sequence[Evaluation]":
        """Ask each case by each strategy (by that which its site declares, where none is named), and judge them.

        Raises:
            UsageError: there is no such strategy.
        """
        ...

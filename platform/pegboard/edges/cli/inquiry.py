"""What the command line asks, and who hears the answer come."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pegboard.edges.cli.arguments import read_stdin
from pegboard.errors import UsageError

if TYPE_CHECKING:
    from pegboard.catalog.contract import Mode, Strategy


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What the command line asks."""

    text: str
    site: str | None
    tools: tuple[str, ...]
    previous: tuple[str, ...]
    mode: "Mode" = "tool"
    strategy: "Strategy | None" = None
    """None: as the site declares."""

    @classmethod
    def of(
        cls,
        text: str,
        *,
        site: str | None,
        tools: Sequence[str] | None,
        previous: Sequence[str] | None,
        mode: "Mode | None" = None,
        strategy: "Strategy | None" = None,
    ) -> "Inquiry":
        """Return the inquiry; `-` as text stands for stdin.

        Raises:
            UsageError: there is no question.
        """
        asked = read_stdin() if text == "-" else text
        if not asked.strip():
            raise UsageError("The question is empty.", hint='Write it in quotes: platform ask "a quick dinner".')
        return cls(asked, site, tuple(tools or ()), tuple(previous or ()), mode or "tool", strategy)


class Listener(Protocol):
    """Who hears of an answer while it comes."""

    def piece(self, text: str) -> None:
        """Take the next words of the answer."""
        ...

    def notice(self, text: str) -> None:
        """Take what the asker should know."""
        ...

"""What the command line asks, and who hears the answer come."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pegboard.edges.cli.arguments import read_stdin
from pegboard.errors import UsageError


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What the command line asks."""

    text: str
    site: str | None
    tools: tuple[str, ...]
    previous: tuple[str, ...]

    @classmethod
    def of(
        cls, text: str, *, site: str | None, tools: Sequence[str] | None, previous: Sequence[str] | None
    ) -> "Inquiry":
        """Return the inquiry; `-` as text stands for stdin.

        Raises:
            UsageError: there is no question.
        """
        asked = read_stdin() if text == "-" else text
        if not asked.strip():
            raise UsageError("The question is empty.", hint='Write it in quotes: platform ask "a quick dinner".')
        return cls(asked, site, tuple(tools or ()), tuple(previous or ()))


class Listener(Protocol):
    """Who hears of an answer while it comes."""

    def piece(self, text: str) -> None:
        """Take the next words of the answer."""
        ...

    def notice(self, text: str) -> None:
        """Take what the asker should know."""
        ...

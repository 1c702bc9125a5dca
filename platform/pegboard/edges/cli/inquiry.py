"""What the command line asks, and who hears the answer come."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, get_args

from pegboard.edges.cli.arguments import read_stdin
from pegboard.errors import UsageError
from pegboard.text import did_you_mean

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


def known_strategy(name: str) -> "Strategy":
    """Return a strategy by its name.

    Raises:
        UsageError: there is none of that name.
    """
    from pegboard.catalog.contract import Strategy

    known: dict[str, Strategy] = {each: each for each in get_args(Strategy)}
    if name not in known:
        raise UsageError(f"There is no strategy {name!r}.", hint=did_you_mean(name, known))
    return known[name]

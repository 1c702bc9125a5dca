"""What looks after the services that a configuration reaches: the part of `Backend` that connects to them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pegboard.app import Diagnosis, Pinned, PinsComparison, Settings


class Attending(Protocol):
    """What `platform doctor` and `platform pins` need of `pegboard.app`."""

    async def diagnose(self, settings: "Settings", site: str | None = None) -> "Diagnosis":
        """Look whether everything is there that a configuration needs, or one of its sites.

        Raises:
            InvalidDeclarations: with every problem.
            UnknownSite: no document declares `site`.
        """
        ...

    def pinned_sources(self, settings: "Settings") -> Sequence["Pinned"]:
        """Return the MCP servers with what is approved of each; nothing is connected to.

        Raises:
            InvalidDeclarations: the documents cannot be read.
        """
        ...

    async def compare_pins(self, settings: "Settings", name: str) -> "PinsComparison":
        """Ask an MCP server for its tools, and compare them with what was approved.

        Raises:
            InvalidDeclarations, UsageError, Unreachable, CallFailed
        """
        ...

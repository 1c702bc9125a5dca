"""What a server says of its configuration: which snapshot serves, since when, and which edit was refused."""

from dataclasses import dataclass

from pegboard.config.problems import Problem
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Refused:
    """An edit that is not served."""

    at: float
    """Seconds since 1970."""
    message: str
    problems: tuple[Problem, ...] = ()
    """Of the documents, warnings too; empty where something else failed."""

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that keep it from being served."""
        return tuple(problem for problem in self.problems if problem.severity == "error")


@dataclass(frozen=True, slots=True)
class State:
    """What is served, and since when."""

    snapshot: str
    """Id of the catalog that serves: the digest of its documents."""
    since: float
    """When it began to serve, in seconds since 1970."""
    refused: Refused | None = None
    """The edit after it that is not served; None: what serves is what the documents say."""
    reloads: int = 0
    """Reloads that brought another catalog."""
    refusals: int = 0


@dataclass(frozen=True, slots=True)
class Reload:
    """What a reload came to."""

    snapshot: str
    """Id of the catalog that serves now."""
    is_new: bool
    """It is another than before."""
    milliseconds: float
    """How long reading and building took; the swap itself is one assignment."""
    refused: Refused | None = None

    def to_json(self) -> dict[str, Json]:
        """Return what `POST /admin/reload` answers."""
        shown: dict[str, Json] = {
            "status": "refused" if self.refused else "reloaded" if self.is_new else "unchanged",
            "snapshot": self.snapshot,
            "milliseconds": round(self.milliseconds, 1),
        }
        if self.refused:
            shown["message"] = self.refused.message
            shown["problems"] = [problem.to_json() for problem in self.refused.problems]
        return shown

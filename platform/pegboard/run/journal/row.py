"""What a journal keeps of a run as a whole, and what it answers about runs."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pegboard.errors import PegboardError, Unreachable, UsageError
from pegboard.run.schedule import Status
from pegboard.text import Json

Durability: TypeAlias = Literal["none", "process", "power"]
"""What a run survives: nothing (there is no file), the end of the process (SQLite's WAL, NORMAL), the loss of power
(FULL: each commit waits for the disk)."""

Asks: TypeAlias = Literal["cancel", "approve", "deny"]
"""What somebody wants of a run that another may be driving."""


@dataclass(frozen=True, slots=True)
class Row:
    """A run."""

    id: str
    request: Mapping[str, Json]
    """What it was asked for, as `run/request.py` writes it."""
    created: float
    """Seconds since 1970."""
    parent: str = ""
    """The run whose node it runs in; empty: none."""
    seq: int = 0
    """The number of its last entry."""
    status: Status = "running"
    ended: float | None = None
    owner: str = ""
    """Who drives it; empty: nobody."""
    lease_until: float = 0.0
    """When that counts no longer."""

    def is_free(self, gone: Collection[str], now: float) -> bool:
        """Tell whether nobody drives it; owners that are `gone` do not."""
        return self.owner in {"", *gone} or self.lease_until <= now


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody has asked of a run, until its driver has taken it into account."""

    id: int
    run: str
    asks: Asks
    node: str = ""
    reason: str = ""


class UnknownRun(UsageError):
    """There is no run of that id."""

    status = 404


class RunBusy(PegboardError):
    """Another driver has the run."""

    status = 409


class Fenced(PegboardError):
    """Another driver has taken the run over: what this one still knows does not count."""

    status = 409


class JournalBroken(Unreachable):
    """What is kept of runs cannot be read or written: the disk is full, the file is damaged, or it is none."""


def is_fenced(error: BaseException) -> bool:
    """Tell whether an error, or all of a group, says that another process has the run."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_fenced, error.exceptions))
    return isinstance(error, Fenced)

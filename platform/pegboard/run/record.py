"""`Record`: one thing that has happened in a run, as its schedule takes it; a journal holds them as entries."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Succeeded:
    """A node has a result; of a race, the first one recorded is the winner."""

    node: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A node has none."""

    node: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A node's condition was looked at."""

    node: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Held:
    """A node must not run before somebody has approved it; it takes no slot."""

    node: str


@dataclass(frozen=True, slots=True)
class Approved:
    """Somebody has; or has denied it."""

    node: str
    granted: bool = True


@dataclass(frozen=True, slots=True)
class HeadStartOver:
    """The favourite of a race has had its time."""

    race: str


@dataclass(frozen=True, slots=True)
class RaceTimedOut:
    """Nobody has won a race in time."""

    race: str


@dataclass(frozen=True, slots=True)
class RunCancelled:
    """The run ends: nothing more starts."""

    reason: str = ""


Record: TypeAlias = Succeeded | Failed | Judged | Held | Approved | HeadStartOver | RaceTimedOut | RunCancelled

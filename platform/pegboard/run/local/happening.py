"""What happens to a run while it is driven, and what is written down of it at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from pegboard.events import Event, RunEvent
from pegboard.run.journal.entry import Entry
from pegboard.run.journal.notes import Note
from pegboard.run.journal.row import Wish
from pegboard.run.node.work import Begun, Done
from pegboard.run.record import Approved, HeadStartOver, RaceTimedOut, Record, RunCancelled
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Told:
    """Something was told inside of a node."""

    node: str
    event: Event | RunEvent


@dataclass(frozen=True, slots=True)
class Planned:
    """It is known which further steps there are."""

    told: Mapping[str, Json] | None
    """The body of a `plan_extended`; None: none are called for."""


Happening: TypeAlias = Done | Wish | Note | Told | Planned | Approved | HeadStartOver | RaceTimedOut | RunCancelled


@dataclass(slots=True)
class Batch:
    """What is written down at once, and what is done then."""

    entries: list[Entry] = field(default_factory=list)
    wishes: list[int] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    """What is no longer waited for then."""
    start: list[Begun] = field(default_factory=list)
    cancel: list[str] = field(default_factory=list)
    timers: list[tuple[str, float, Record]] = field(default_factory=list)
    """A race of whose first start a time counts, the time, and what happens then; or a node that is held."""


def ends_all(happening: Happening) -> bool:
    """Tell whether nothing more is to start after `happening`."""
    return isinstance(happening, RunCancelled) or (isinstance(happening, Wish) and happening.asks == "cancel")

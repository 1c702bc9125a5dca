"""How events travel: a stage is given one `Emit` and calls it; it never waits for a reader."""

from collections.abc import Callable
from typing import TypeAlias

from pegboard.events.kinds import Event

Emit: TypeAlias = Callable[[Event], None]
"""What a stage calls with each event. It returns at once and never raises."""

Listener: TypeAlias = Callable[[Event], None]
"""What a reader gives: called with each event, in order, in the emitter's task."""


def silent(event: Event) -> None:
    """Let `event` pass: the `Emit` of those who do not listen."""


def fan_out(*listeners: Listener) -> Emit:
    """Return an `Emit` that gives each event to every listener, in their order."""

    def emit(event: Event) -> None:
        for listener in listeners:
            listener(event)

    return emit

"""How events travel: a stage is given one `Emit` and calls it; it never waits for a reader."""

from collections.abc import Callable
from typing import TypeAlias

from pegboard.events.kinds import Event

Emit: TypeAlias = Callable[[Event], None]
"""What a stage calls with each event. It returns at once and never raises."""


def silent(event: Event) -> None:
    """Let `event` pass: the `Emit` of those who do not listen."""

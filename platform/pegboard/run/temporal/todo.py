"""`Todo`: what a course says is to be done now."""

from dataclasses import dataclass, field

from pegboard.run.temporal.wire import Further, Task


@dataclass(slots=True)
class Todo:
    """What to do now."""

    start: list[Task] = field(default_factory=list)
    look: list[Task] = field(default_factory=list)
    """Nodes whose condition, or whose arguments, are to be looked at."""
    further: Further | None = None
    """Further steps are to be planned."""
    cancel: list[str] = field(default_factory=list)
    """Nodes that nobody waits for any more; `PLANNING`, where further steps are not."""
    abandon: list[str] = field(default_factory=list)
    """Runs within nodes that nobody waits for any more."""

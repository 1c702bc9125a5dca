"""`Todo`: what a course says is to be done now."""

from dataclasses import dataclass, field

from pegboard.run.temporal.wire import Task


@dataclass(slots=True)
class Todo:
    """What to do now."""

    start: list[Task] = field(default_factory=list)
    look: list[Task] = field(default_factory=list)
    """Nodes whose condition, or whose arguments, are to be looked at."""
    cancel: list[str] = field(default_factory=list)
    """Nodes that nobody waits for any more."""
    abandon: list[str] = field(default_factory=list)
    """Runs within nodes that nobody waits for any more."""

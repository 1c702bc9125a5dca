"""`Moves`: what a schedule says is to be done now."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Moves:
    """What to do now; each is told once."""

    start: list[str] = field(default_factory=list)
    """Nodes to run, in this order."""
    judge: list[str] = field(default_factory=list)
    """Nodes whose condition is to be looked at."""
    cancel: list[str] = field(default_factory=list)
    """Running nodes that nobody waits for any more."""
    time_head_start: list[str] = field(default_factory=list)
    """Races of which a favourite has just started."""
    time_race: list[str] = field(default_factory=list)
    """Races with a time limit of which the first node has just started."""
    ended: list[str] = field(default_factory=list, compare=False)
    """Nodes that have ended since, in this order; nothing is to be done about them."""

    def __bool__(self) -> bool:
        return bool(self.start or self.judge or self.cancel or self.time_head_start or self.time_race)

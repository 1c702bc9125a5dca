"""How many agents are within each other: each says how deep it may be, and the narrowest of them counts."""

from dataclasses import dataclass

from pegboard.errors import CallRefused


@dataclass(frozen=True, slots=True)
class Around:
    """The agents around a call."""

    name: str
    """The one whose word counts."""
    left: int
    """How many may still be within it."""


def entered(around: Around | None, name: str, most: int) -> Around:
    """Return what is around the calls of the agent `name`; with it, `most` may be within each other.

    Raises:
        CallRefused: it is deeper than an agent around it lets it be.
    """
    if around is None:
        return Around(name, most - 1)
    if around.left < 1:
        message = f"Agent {name!r} was not asked: {around.name!r} lets no more agents be within each other (max_depth)."
        raise CallRefused(message, hint="Do it with other tools.")
    return min(Around(name, most - 1), Around(around.name, around.left - 1), key=lambda each: each.left)

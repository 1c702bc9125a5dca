"""`Score`: what one scorer says of one tool."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Score:
    """How well a tool fits a question."""

    value: float | None
    """0 to 100; None: unscored, which is not zero."""
    reason: str = ""
    """Why, or why there is no score; one sentence."""
    arguments: Mapping[str, Json] | None = field(default=None, repr=False)
    """The tool's arguments as the scorer read them, unchecked; None where it reads none."""

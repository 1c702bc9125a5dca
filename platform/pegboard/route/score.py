"""`Score`: what one scorer says of one tool."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.text import Json

Absence: TypeAlias = Literal["unscored", "cut_off", "not_shortlisted", "left_out"]
"""Why there is no score: `unscored`, the scorer gave none that can be read; `cut_off`, it was not waited for;
`not_shortlisted`, it was not asked; `left_out`, it is for questions of several parts, and this is of one.
"""
State: TypeAlias = Literal["scored"] | Absence


@dataclass(frozen=True, slots=True)
class Score:
    """How well a tool fits a question."""

    value: float | None
    """0 to 100; None: there is none, which is not zero."""
    reason: str = ""
    """Why, or why there is no score; one sentence."""
    arguments: Mapping[str, Json] | None = field(default=None, repr=False)
    """The tool's arguments as the scorer read them, unchecked; None where it reads none."""
    absence: Absence = "unscored"
    """Why there is none; of no meaning beside a value."""
    defence: str = "none"
    """What the reply needed before it could be read, as `llm.score` names it."""
    raw: str = field(default="", compare=False, repr=False)
    """The reply as it came; empty where there is none, or no text."""

    @property
    def state(self) -> State:
        """Whether there is a score, and if not, why."""
        return self.absence if self.value is None else "scored"

"""When an agent ends: iterations, tokens, time, the same call again and again, nothing said. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pegboard.config.blocks.agent import AgentBlockDeclaration
from pegboard.llm.model import FunctionCall

Bound: TypeAlias = Literal["answered", "iterations", "tokens", "time", "repeated", "silent", "context", "model"]

_MOST_EQUAL = 3
"""The same call so many times in a row ends it."""
_MOST_SILENT = 2
"""Turns that neither call nor say anything: after the first it is asked again."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Why an agent has ended."""

    bound: Bound
    reason: str = ""
    """A sentence; empty where it has answered."""


ANSWERED = Ending("answered")


class Bounds:
    """Counts what an agent uses, against what its declaration allows."""

    def __init__(self, block: AgentBlockDeclaration) -> None:
        self.turns = 0
        self.tokens = 0
        self.seconds = 0.0
        """How long its model has thought."""
        self._block = block
        self._silent = 0
        self._last = ""
        self._equal = 0

    @property
    def seconds_left(self) -> float:
        """How long its model may still think."""
        return max(0.0, self._block.timeout - self.seconds)

    @property
    def tokens_left(self) -> int:
        return max(0, self._block.max_tokens - self.tokens)

    @property
    def is_last(self) -> bool:
        """The next turn is the last one."""
        return self.turns + 1 >= self._block.max_iterations

    def before_turn(self) -> Ending | None:
        """Return why there is no other turn; None: there may be one."""
        block = self._block
        if self.turns >= block.max_iterations:
            return Ending("iterations", f"It has used its {block.max_iterations} iterations (max_iterations).")
        if not self.tokens_left:
            return Ending("tokens", f"It has used its {block.max_tokens:,} tokens (max_tokens).")
        if not self.seconds_left:
            return out_of_time(block.timeout)
        return None

    def took(self, tokens: int, seconds: float) -> None:
        """Count a turn."""
        self.turns += 1
        self.tokens += tokens
        self.seconds += seconds

    def silent(self) -> Ending | None:
        """Count a turn that neither calls nor says anything; return why that ends it."""
        self._silent += 1
        if self._silent < _MOST_SILENT:
            return None
        return Ending("silent", f"Its model has given neither an answer nor a call in {_MOST_SILENT} turns.")

    def repeated(self, calls: Sequence[FunctionCall]) -> Ending | None:
        """Count the calls of a turn, in their order; return why they end it."""
        self._silent = 0
        for call in calls:
            same = signature(call)
            self._equal = self._equal + 1 if same == self._last else 1
            self._last = same
            if self._equal >= _MOST_EQUAL:
                reason = f"Its model has called {call.name!r} {_MOST_EQUAL} times in a row with the same arguments."
                return Ending("repeated", reason)
        return None


def out_of_time(seconds: float) -> Ending:
    """Return the ending of an agent whose model has thought for so long."""
    return Ending("time", f"Its model has thought for the {seconds:g} s that it may (timeout).")


def signature(call: FunctionCall) -> str:
    """Return what is the same of two calls that are the same: the name, and arguments in any order."""
    return f"{call.name} {json.dumps(call.arguments, sort_keys=True, default=str)}"

"""`StepReader`: the steps of a plan as they become whole, while the rest of it is still being written.

It trusts nothing but strict JSON, and goes through each character once. What it yields is only begun early, never run
instead of what the whole plan says (`planner/early.py`); where it understands nothing, nothing begins early.
"""

import json
import re
from typing import cast

from pegboard.llm.shapes import STEPS
from pegboard.text import Json

_MARK = re.compile(r'["{}\[\]]')
_STRING_ENDS = re.compile(r'["\\]')
_KEY_BEFORE = re.compile(r'"([^"\\]{1,40})"\s*:\s*\Z')
_LONGEST_KEY = 64


class StepReader:
    """Takes the pieces of a reply."""

    def __init__(self) -> None:
        self._text = ""
        self._at = 0
        self._open: list[str] = []
        """The brackets that are open, the outermost first."""
        self._is_in_string = False
        self._step_began = -1
        self._has_steps = False
        """The list of the steps has begun."""
        self._list_depth = -1
        """How deep it lies while it is open."""
        self._is_over = False

    @property
    def is_between_steps(self) -> bool:
        """All steps that have been begun are whole, and the list of them was never closed, or what holds it."""
        return self._has_steps and not self._is_in_string and self._step_began < 0

    def feed(self, piece: str) -> list[dict[str, Json]]:
        """Return the steps that are whole now that `piece` has come."""
        self._text += piece
        found: list[dict[str, Json]] = []
        while not self._is_over and (mark := self._next_mark()) is not None:
            if (step := self._take(mark, self._at - 1)) is not None:
                found.append(step)
        return found

    def _next_mark(self) -> str | None:
        """Go behind the next bracket outside of strings, and return it."""
        while True:
            pattern = _STRING_ENDS if self._is_in_string else _MARK
            match = pattern.search(self._text, self._at)
            if match is None:
                self._at = len(self._text)
                return None
            if match[0] == "\\":
                if match.end() == len(self._text):  # what is escaped has not come yet
                    self._at = match.start()
                    return None
                self._at = match.end() + 1
                continue
            self._at = match.end()
            if match[0] != '"':
                return match[0]
            if self._open:  # in the prose before, a quote opens no string
                self._is_in_string = not self._is_in_string

    def _take(self, mark: str, at: int) -> dict[str, Json] | None:
        if mark in "[{":
            self._open_at(mark, at)
            return None
        if not self._open:
            return None
        self._open.pop()
        is_step = self._step_began >= 0 and len(self._open) == self._list_depth
        step = self._read(self._step_began, at + 1) if is_step else None
        if is_step:
            self._step_began = -1
        if len(self._open) < self._list_depth:
            self._list_depth = -1
        self._is_over = self._has_steps and not self._open
        return step

    def _open_at(self, mark: str, at: int) -> None:
        outer = "".join(self._open)
        self._open.append(mark)
        if mark == "[" and not self._has_steps and (outer == "" or (outer == "{" and self._is_named_steps(at))):
            self._has_steps = True
            self._list_depth = len(self._open)
        elif mark == "{" and len(self._open) == self._list_depth + 1 and self._list_depth > 0:
            self._step_began = at

    def _is_named_steps(self, at: int) -> bool:
        key = _KEY_BEFORE.search(self._text, max(0, at - _LONGEST_KEY), at)
        return key is not None and key[1].lower() in STEPS

    def _read(self, start: int, end: int) -> dict[str, Json] | None:
        try:
            value = cast(Json, json.loads(self._text[start:end]))
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

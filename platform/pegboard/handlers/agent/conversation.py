"""`Conversation`: what an agent and its model have said, kept within a budget of tokens. Pure.

What is shortened is what the model is shown, never what was told on the way: the trace and a run's log hold all of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pegboard.llm.model import Answered, FunctionCall, Prompt, Prompted, Said, Turn
from pegboard.llm.tokens import ASCII_CHARACTERS, estimated, estimated_turn
from pegboard.text import Json

SEEN_TOKENS = 2_000
"""What a model is shown of one result."""
HEAD_TOKENS = 60
"""What is left of an old result at first, besides the note."""
_TURN_TOKENS = 12
"""What a turn takes besides its words: its role, ids, names."""
_ARGUMENT_TOKENS = 20
"""What is left of an argument that is a long text."""


@dataclass(slots=True)
class Conversation:
    """The turns so far; what the model was asked at first stays as it is."""

    system: str
    user: str
    turns: list[Turn] = field(default_factory=list)
    refs: dict[str, str] = field(default_factory=dict)
    """Where the whole of a result is kept, by the id of its call."""

    def prompt(self, most_tokens: int, *, besides: int = 0, temperature: float = 0.0) -> Prompt | None:
        """Return what the model is asked now, in at most so many tokens with `besides`; None: it cannot be so short."""
        room = most_tokens - besides - estimated(self.system) - estimated(self.user)
        turns = fitting(self.turns, room, self.refs)
        return None if turns is None else Prompt(self.system, self.user, turns, temperature)


def fitting(turns: Sequence[Turn], room: int, refs: Mapping[str, str]) -> tuple[Turn, ...] | None:
    """Return `turns` in at most `room` tokens: the oldest results are shortened first, then what was said.

    Each turn keeps its place, and each call and result its id. None: the shortest that they can be is longer.
    """
    left = list(turns)
    total = sum(map(_tokens, left))
    shorten: list[Callable[[Turn], Turn]] = [
        lambda turn: _result(turn, refs, HEAD_TOKENS),
        _said,
        lambda turn: _result(turn, refs, 0),
        _bare,
    ]
    for way in shorten:
        for place, turn in enumerate(left):
            if total <= room:
                return tuple(left)
            shorter = way(turn)
            if (less := _tokens(turn) - _tokens(shorter)) > 0:
                left[place] = shorter
                total -= less
    return tuple(left) if total <= room else None


def _tokens(turn: Turn) -> int:
    return estimated_turn(turn) + _TURN_TOKENS


def _result(turn: Turn, refs: Mapping[str, str], most: int) -> Turn:
    """Shorten a result to its head, with a note; the note alone where that is to be all."""
    if not isinstance(turn, Answered):
        return turn
    where = f"; the whole is {refs[turn.id]}" if refs.get(turn.id) else ""
    note = f"[shortened{where}]"
    return replace(turn, text=f"{head(turn.text, most)}\n{note}" if most else note)


def _said(turn: Turn) -> Turn:
    """Shorten what was said besides, and the long texts among arguments."""
    match turn:
        case Said(text, calls):
            return Said(_clipped(text), tuple(replace(call, arguments=_shortened(call)) for call in calls))
        case Prompted(text):
            return Prompted(_clipped(text))
        case _:
            return turn


def _shortened(call: FunctionCall) -> Mapping[str, Json]:
    return {name: _clipped(value) if isinstance(value, str) else value for name, value in call.arguments.items()}


def _bare(turn: Turn) -> Turn:
    """Leave of a turn that it was, and of calls their names."""
    match turn:
        case Said(_, calls):
            return Said("" if calls else "…", tuple(replace(call, arguments={}) for call in calls))
        case Prompted():
            return Prompted("…")
        case _:
            return turn


def _clipped(text: str) -> str:
    return text if estimated(text) <= _ARGUMENT_TOKENS else f"{head(text, _ARGUMENT_TOKENS - 1)}…"


def head(text: str, tokens: int) -> str:
    """Return the beginning of `text` that is about so many tokens."""
    quarters = 0
    for place, character in enumerate(text):
        quarters += 1 if character.isascii() else ASCII_CHARACTERS
        if quarters > tokens * ASCII_CHARACTERS:
            return text[:place]
    return text

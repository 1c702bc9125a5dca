"""How many tokens a text has, estimated: before it is sent, and where an endpoint does not tell."""

from pegboard.llm.model import Prompt, Said, Turn
from pegboard.text import to_json

ASCII_CHARACTERS = 4
"""So many of them are a token, about; any other character is one by itself."""


def estimated(text: str) -> int:
    """Return about how many tokens `text` is; at least 1, unless it is empty."""
    plain = len(text.encode("ascii", "ignore"))
    return len(text) - plain + -(-plain // ASCII_CHARACTERS)


def estimated_prompt(prompt: Prompt) -> int:
    """Return about how many tokens `prompt` is."""
    return estimated(prompt.system) + estimated(prompt.user) + sum(map(estimated_turn, prompt.turns))


def estimated_turn(turn: Turn) -> int:
    """Return about how many tokens a turn of a conversation is."""
    calls = turn.calls if isinstance(turn, Said) else ()
    return estimated(turn.text) + sum(estimated(call.name) + estimated(to_json(dict(call.arguments))) for call in calls)

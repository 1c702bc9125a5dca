"""What stands around a reply and is no part of it: thoughts, the tokens of chat templates, the space at its ends.

Not here: fences and prose, among which a value is searched (`llm/reply.py`).
"""

import re

THOUGHTS = ("think", "thinking", "thought", "reasoning")
"""The names of the marks around what a model thinks aloud."""
SPECIAL = re.compile(r"<[|｜][\w▁/ -]{1,40}[|｜]>|</?s>|\[/?INST\]|<(?:start|end)_of_turn>|<eos>|\ufeff")
"""Tokens of chat templates that leak into text."""

_NAMES = "|".join(THOUGHTS)
_THOUGHT = re.compile(rf"<({_NAMES})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(rf"\A.*</(?:{_NAMES})>", re.DOTALL | re.IGNORECASE)
_AROUND = re.compile(rf"(?:\s+|{SPECIAL.pattern})+")


def clean(text: str) -> str:
    """Return `text` without thoughts, special tokens, and the space around it."""
    return SPECIAL.sub("", without_thoughts(text)).strip()


def bare(text: str) -> str:
    """Return `text` without thoughts, and without the special tokens and the space at its ends.

    A mark in the middle stays: it may be part of a string, as `<s>` is in HTML.
    """
    kept = without_thoughts(text)
    first = _AROUND.match(kept)
    start = first.end() if first else 0
    last = max(_AROUND.finditer(kept, start), key=re.Match.end, default=None)
    return kept[start : last.start() if last and last.end() == len(kept) else len(kept)]


def without_thoughts(text: str) -> str:
    """Return `text` without what the model thought aloud; what closes without having been opened was thought too."""
    return _END_OF_THOUGHT.sub("", _THOUGHT.sub("", text))

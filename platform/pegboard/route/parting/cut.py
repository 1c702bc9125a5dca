"""`Cut`: a place at which a question may be parted."""

from dataclasses import dataclass

MOST_JOINTS = 64
"""Places of one question that are looked at: what has more of them is a list, or nonsense."""
_SEEN = 300
"""Characters on either side of a joint that tell what it joins."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A joint between two clauses; what stands in it (`, and then`) belongs to neither."""

    start: int
    end: int
    is_sure: bool
    """The wording is enough; or else the tools of both sides have to tell."""


def left_of(text: str, start: int, end: int) -> str:
    """Return what stands before a joint, as much of its beginning and its end as is looked at."""
    if end - start <= 2 * _SEEN:
        return text[start:end]
    return f"{text[start : start + _SEEN]} {text[end - _SEEN : end]}"


def right_of(text: str, start: int) -> str:
    """Return what follows a joint, as much of it as is looked at."""
    return text[start : start + _SEEN]

"""`Cut`: a place at which a question may be parted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cut:
    """A joint between two clauses; what stands in it (`, and then`) belongs to neither."""

    start: int
    end: int
    is_sure: bool
    """The wording is enough; or else the tools of both sides have to tell."""

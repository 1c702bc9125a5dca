"""A value in fewer tokens: shorter lists, shorter texts, and what was left out in words. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pegboard.llm.tokens import ASCII_CHARACTERS, estimated
from pegboard.text import Json, spelled, to_json

_LEVELS = ((200, 4_000), (100, 2_000), (50, 1_000), (20, 500), (10, 200), (5, 100), (3, 60), (1, 30))
"""How many entries of a list, and how many characters of a text, are left; tried one after the other."""
_KEYS = 8
"""So many times more keys of an object than entries of a list."""
_MOST_TOLD = 8


@dataclass(frozen=True, slots=True)
class Compact:
    """A value that was made smaller."""

    value: Json
    text: str
    """As JSON."""
    left_out: str
    """What is not in it, in words."""


class _TooMany(Exception):
    """More values than the tokens can hold."""


@dataclass(slots=True)
class _Cutting:
    entries: int
    characters: int
    nodes: int
    """How many values may still follow."""
    told: list[str] = field(default_factory=list)

    def of(self, value: Json, path: tuple[str | int, ...] = ()) -> Json:
        self.nodes -= 1
        if self.nodes < 0:
            raise _TooMany
        if isinstance(value, str):
            return self._text(value, path)
        if isinstance(value, list):
            if len(value) > self.entries:
                self._tell(f"{spelled(path) or 'the list'} has {len(value):,} entries, {self.entries} are here", path)
            return [self.of(inner, (*path, at)) for at, inner in enumerate(value[: self.entries])]
        if isinstance(value, dict):
            most = self.entries * _KEYS
            if len(value) > most:
                self._tell(f"{spelled(path) or 'the object'} has {len(value):,} keys, {most} are here", path)
            kept = list(value.items())[:most] if len(value) > most else value.items()
            return {key: self.of(inner, (*path, key)) for key, inner in kept}
        return value

    def _text(self, value: str, path: tuple[str | int, ...]) -> str:
        if len(value) <= self.characters:
            return value
        self._tell(f"{spelled(path) or 'the text'} has {len(value):,} characters, {self.characters} are here", path)
        return value[: self.characters - 1] + "…"

    def _tell(self, what: str, path: tuple[str | int, ...]) -> None:
        self.told.append(what)


def compact(value: Json, tokens: int) -> Compact | None:
    """Return `value` in at most `tokens`; None where nothing that is left would say anything."""
    for entries, characters in _LEVELS:
        cutting = _Cutting(entries, characters, nodes=2 * tokens + 10)
        try:
            made = cutting.of(value)
            text = to_json(made)
        except (_TooMany, RecursionError):
            continue
        if estimated(text) <= tokens:
            return Compact(made, text, _in_words(cutting.told))
    return None


def head(text: str, tokens: int) -> str:
    """Return the beginning of `text` that is about `tokens`."""
    low, high = 0, min(len(text), tokens * ASCII_CHARACTERS)
    while low < high:
        middle = (low + high + 1) // 2
        if estimated(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def _in_words(told: list[str]) -> str:
    more = len(told) - _MOST_TOLD
    return "; ".join(told[:_MOST_TOLD]) + (f"; and {more:,} more places" if more > 0 else "")


def reference(ref: str, size: int) -> Mapping[str, Json]:
    """Return what stands for a result that cannot be cut: where it is."""
    return {"result_ref": ref, "bytes": size}

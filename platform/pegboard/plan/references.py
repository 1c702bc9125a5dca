"""`${node.path}`: where a text of a plan stands for what another node gave, or for an input.

A text that is one reference gives the value as it is; in a longer text it gives its words. `$${` is `${` itself. Paths
are names and positions, `${n1.items[0].name}` or `${n1.items.0.name}`; they are looked up and never evaluated. In a
list, `${n1.items.*}` gives what the list that it leads to holds, so that several become one.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pegboard.text import Json, to_json

INPUTS = "inputs"
"""What the run itself was given, named like a node."""

_REFERENCE = re.compile(r"\$\$\{|\$\{\s*([A-Za-z_][\w-]*)((?:\.[^\s.\[\]{}$]+|\[\d{1,9}\])*)\s*\}")
_STEP = re.compile(r"\.([^\s.\[\]{}$]+)|\[(\d{1,9})\]")
_DEEPEST = 64
_EACH = "*"


@dataclass(frozen=True, slots=True)
class Reference:
    """One of them."""

    name: str
    """Of a node, of a race, or `inputs`."""
    path: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        """Return it as it is written."""
        steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return f"${{{self.name}{steps}}}"

    @property
    def dotted(self) -> str:
        """It as it may be written too, without brackets: `${n1.items.0.name}`."""
        return f"${{{'.'.join(map(str, (self.name, *self.path)))}}}"


@dataclass(frozen=True, slots=True)
class Gave:
    """What a node gave, where it is another thing as a whole than what a path leads into."""

    whole: Json
    """What `${node}` stands for."""
    parts: Json
    """What the path of `${node.path}` begins in."""
    said: Json = None
    """What it begins in where `parts` has no names and the path begins with one, such as `text`."""


ABSENT = Gave(None, None)
"""Of a node that may be left out: each way into it leads to nothing, and that is no fault."""

Given: TypeAlias = Callable[[str], Json | Gave]
"""Returns what a node gave."""


class Unresolvable(Exception):
    """A reference leads to nothing; the message says where the way ends, `told` says it to people.

    Neither writes a position in square brackets: in an answer these are citations.
    """

    def __init__(self, reference: Reference, way: Reference, count: int | None) -> None:
        """Keep which one it is, how far its way leads, and how many there are where that is a list."""
        self.reference = reference
        self.way = way
        self.count = count
        self._step = reference.path[len(way.path)]
        super().__init__(f"{reference.dotted} leads to nothing: {way.dotted} has no {self._step!r}")

    def told(self, giver: str) -> str:
        """Say what is needed and was not given; `giver` is what people know the node by, such as its tool."""
        if self.count is None or not str(self._step).isdecimal():
            return f"it needs {str(self._step)!r} of what {giver} gave, which has none ({self.reference.dotted})"
        kind = "result" if self.way.path in {(), ("items",)} else "entry"
        place = _ordinal(int(self._step) + 1)
        return f"it needs {place} {kind} of {giver}, which gave {self.count or 'none'} ({self.reference.dotted})"


_ORDINALS = (
    "a first", "a second", "a third", "a fourth", "a fifth", "a sixth", "a seventh", "an eighth", "a ninth", "a tenth",
)  # fmt: skip


def _ordinal(place: int) -> str:
    if place <= len(_ORDINALS):
        return _ORDINALS[place - 1]
    ending = "th" if place % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    article = "an" if place in {11, 18} or str(place)[0] == "8" else "a"
    return f"{article} {place}{ending}"


def references_in(value: Json) -> Iterator[Reference]:
    """Yield the references in all texts of `value`."""
    if isinstance(value, str):
        yield from (_read(match) for match in _REFERENCE.finditer(value) if match[1])
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from references_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from references_in(inner)


def is_reference(text: str) -> bool:
    """Tell whether `text` is one reference, to something that a node, a race or the inputs may be called."""
    match = _REFERENCE.fullmatch(text)
    return match is not None and bool(match[1]) and match[1] == match[1].lower() and match[1][0] != "_"


def names_in(value: Mapping[str, Json]) -> set[str]:
    """Return the nodes, races and `inputs` that `value` refers to."""
    return {reference.name for reference in references_in(dict(value))}


def rewritten(value: Json, write: Callable[[Reference], Reference]) -> Json:
    """Return `value` with each reference in it as `write` has it."""
    if isinstance(value, str):
        return _REFERENCE.sub(lambda match: str(write(_read(match))) if match[1] else match[0], value)
    if isinstance(value, Mapping):
        return {key: rewritten(inner, write) for key, inner in value.items()}
    if isinstance(value, list):
        return [rewritten(inner, write) for inner in value]
    return value


def resolved(value: Json, given: Given) -> Json:
    """Return `value` with what its references stand for; `given` returns what a node gave.

    Raises:
        Unresolvable: a path leads to nothing.
    """
    if isinstance(value, str):
        return _filled(value, given)
    if isinstance(value, Mapping):
        return {key: resolved(inner, given) for key, inner in value.items()}
    if isinstance(value, list):
        return [each for inner in value for each in _resolved_in_list(inner, given)]
    return value


def _resolved_in_list(inner: Json, given: Given) -> list[Json]:
    """Return what stands for `inner` in a list: not one value only where it refers to each of a list."""
    match = _REFERENCE.fullmatch(inner) if isinstance(inner, str) else None
    reference = _read(match) if match and match[1] else None
    if reference is None or reference.path[-1:] != (_EACH,):
        return [resolved(inner, given)]
    found = look_up(Reference(reference.name, reference.path[:-1]), given)
    if not isinstance(found, list | None):
        raise Unresolvable(reference, Reference(reference.name, reference.path[:-1]), None)
    return found or []


def _filled(text: str, given: Given) -> Json:
    if (whole := _REFERENCE.fullmatch(text)) and whole[1]:
        return look_up(_read(whole), given)

    def words(match: re.Match[str]) -> str:
        if not match[1]:
            return "${"
        found = look_up(_read(match), given)
        return found if isinstance(found, str) else "" if found is None else to_json(found)

    return _REFERENCE.sub(words, text)


def look_up(reference: Reference, given: Given) -> Json:
    """Return what `reference` stands for.

    Raises:
        Unresolvable: its path leads to nothing.
    """
    gave = given(reference.name)
    if gave is ABSENT:
        return None
    value = _beginning(gave, reference.path) if isinstance(gave, Gave) else gave
    for position, step in enumerate(reference.path):
        try:
            value = _inside(value, step)
        except (KeyError, IndexError, TypeError, ValueError):
            way = Reference(reference.name, reference.path[:position])
            count = len(value) if isinstance(value, list) else None
            raise Unresolvable(reference, way, count) from None
    return value


def _beginning(gave: Gave, path: tuple[str | int, ...]) -> Json:
    if not path:
        return gave.whole
    return gave.said if is_by_name(path) and not isinstance(gave.parts, Mapping) else gave.parts


def is_by_name(path: tuple[str | int, ...]) -> bool:
    """Tell whether a path begins with a name, which no list has, nor a text or a number."""
    return bool(path) and isinstance(path[0], str) and not path[0].isdigit() and path[0] != _EACH


def _inside(value: Json, step: str | int) -> Json:
    if isinstance(value, Mapping):
        return value[str(step)]
    if isinstance(value, list):
        return value[int(step)]
    raise TypeError


def _read(match: re.Match[str]) -> Reference:
    steps = _STEP.findall(match[2])[:_DEEPEST]
    return Reference(match[1], tuple(int(position) if position else name for name, position in steps))

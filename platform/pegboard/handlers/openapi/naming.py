"""Names of tools: legal, unique, and the same whenever they are made of the same document."""

import hashlib
import re
from collections.abc import Container

LONGEST = 64
_HASHED = 8
"""Characters of a hash that stands behind a name which had to be cut, or is another's already."""
_ILLEGAL = re.compile(r"[^A-Za-z0-9_-]+")


def legal(text: str) -> str:
    """Return `text` with `_` for what no name may hold; empty where nothing is left."""
    return _ILLEGAL.sub("_", text).strip("_-")


def tool_name(operation_id: str, place: str, taken: Container[str], *, most: int = LONGEST) -> str:
    """Return the name of the operation at `place` (`GET /pets`), of at most `most` characters."""
    base = legal(operation_id) or legal(_of_place(place))
    name = base if len(base) <= most else ""
    return name if name and name not in taken else _hashed(base, place, taken, most)


def _hashed(base: str, place: str, taken: Container[str], most: int) -> str:
    digest = hashlib.sha256(place.encode("utf-8", "replace")).hexdigest()
    for start in range(len(digest) - _HASHED):
        name = f"{base[: most - _HASHED - 1]}_{digest[start : start + _HASHED]}"
        if name not in taken:
            return name
    raise AssertionError("56 parts of a hash were all taken")


class Names:
    """Gives each name once; a later one gets a number, which is not counted from the start each time."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._last: dict[str, int] = {}
        """The number that a name was given last."""

    def unique(self, base: str) -> str:
        """Return `base`, with a number where another has that already."""
        made, number = base, self._last.get(base, 1)
        while made in self._taken:
            number += 1
            made = f"{base}_{number}"
        self._last[base] = number
        self._taken.add(made)
        return made

    def argument(self, name: str, place: str) -> str:
        """Return what an argument is called: its own name, with its place where another has that already."""
        base = legal(name)[:LONGEST] or place
        return self.unique(base if base not in self._taken else f"{base[: LONGEST - len(place) - 8]}_{place}")


def _of_place(place: str) -> str:
    method, _, path = place.partition(" ")
    return f"{method.lower()}_{path.strip('/').replace('{', '').replace('}', '')}"

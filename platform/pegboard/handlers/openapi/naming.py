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


def argument_name(name: str, place: str, taken: Container[str]) -> str:
    """Return what an argument is called: its own name, with its place where another has that already."""
    base = legal(name)[:LONGEST] or place
    if base not in taken:
        return base
    base = f"{base[: LONGEST - len(place) - 4]}_{place}"
    number, made = 2, base
    while made in taken:
        made, number = f"{base}_{number}", number + 1
    return made


def _of_place(place: str) -> str:
    method, _, path = place.partition(" ")
    return f"{method.lower()}_{path.strip('/').replace('{', '').replace('}', '')}"

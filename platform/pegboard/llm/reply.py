"""The one defence against what models really write: text in, JSON out, and which defence it needed.

In order, each only when the one before did not do: strict JSON; a value among thoughts, special tokens, fences
and prose; the looser rules of JavaScript and Python, and completion of what was cut off (`llm/lenient.py`);
repair (`llm/repair.py`). Then the shape is found that was asked for (`llm/shapes.py`). Size and nesting are
bounded, and so is time. Whatever the text, nothing is raised but `ModelMalformed`.

Not here: the reading of a score (`llm/score.py`), nor whether a value fits a tool's schema (`bind`).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from pegboard.errors import ModelMalformed
from pegboard.llm import shapes
from pegboard.llm.lenient import MAX_NESTING, TooDeep
from pegboard.llm.values import Defence, found_in
from pegboard.text import Json, clipped, spelled

MAX_CHARACTERS = 1 << 20
"""A longer reply is refused unread."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A JSON value that was read from a reply."""

    value: Json
    defence: Defence
    is_cut_off: bool = False
    """The text ended before the value did: what comes last in it may be incomplete."""
    path: str = ""
    """Where the value stood in the JSON that was read, as `result` or `[0].arguments`; empty for the whole."""
    fits: bool = True
    """Whether it has the type that the schema asks for, and all that is required; True without a schema."""
    raw: str = field(default="", compare=False, repr=False)
    """The text as it came."""


def read_json(text: str, schema: Mapping[str, Json] | None = None) -> Reply:
    """Read the object or array that `text` holds; a bare scalar counts only when it is all there is.

    Of several values that one is taken that fits `schema`, then the longest, then the last; values with nothing
    but commas and space between them are an array that lost its brackets, unless one of them fits. With a schema
    the value may be wrapped, in a list or under a key such as `result` or `arguments`, or be JSON in a string;
    without one it comes as it was written. Whether the value is valid is not said: `Reply.fits` goes no deeper than
    names.

    Raises:
        ModelMalformed: there is none, or it is too large or too deep.
    """
    replies = read_all(text)
    if schema is None:
        return replies[0]
    fitting = [_shaped(reply, schema) for reply in replies]
    return next((reply for reply in fitting if reply.fits), fitting[0])


def read_all(text: str) -> list[Reply]:
    """Return every value that `text` holds, the likeliest first.

    Raises:
        ModelMalformed: there is none, or the likeliest is too large or too deep.
    """
    if len(text) > MAX_CHARACTERS:
        raise ModelMalformed(
            f"The reply has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read.", raw=text[:MAX_CHARACTERS]
        )
    try:
        found = found_in(text)
        values = [_sound(_within_limits(one.value)) for one in found]
    except TooDeep:
        raise ModelMalformed(f"The reply is nested deeper than {MAX_NESTING} levels.", raw=text) from None
    if not found:
        raise ModelMalformed(f"The reply holds no JSON: {clipped(text[:1000], 120)!r}.", raw=text)
    return [Reply(value, one.defence, one.is_cut_off, raw=text) for one, value in zip(found, values, strict=True)]


def _shaped(reply: Reply, schema: Mapping[str, Json]) -> Reply:
    found = shapes.shaped(reply.value, schema)
    return replace(reply, value=found.value, path=spelled(found.path), fits=found.fits)


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def _sound(value: Json) -> Json:
    """Replace what JSON can spell and no JSON that is sent on can hold.

    Surrogates become the character that they spell, halves of a pair `?`; numbers beyond the largest null.
    """
    try:
        _ENCODER.encode(value).encode()
    except ValueError:
        joined = json.dumps(json.loads(json.dumps(value), parse_constant=_null), ensure_ascii=False)
        return cast(Json, json.loads(joined.encode("utf-8", "replace")))
    return value


def _null(_constant: str) -> Json:
    return None


def _within_limits(value: Json) -> Json:
    level = [value]
    for _ in range(MAX_NESTING):
        level = [inner for outer in level for inner in _inside(outer)]
        if not any(isinstance(inner, dict | list) for inner in level):
            return value
    raise TooDeep


def _inside(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []

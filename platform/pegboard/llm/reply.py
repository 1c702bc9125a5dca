"""The one defence against what models really write: text in, JSON out, and which defence it needed.

In order, each only when the one before did not do: strict JSON; the same without thoughts, special tokens,
fences and prose; json-repair; a Python literal. Size and nesting are bounded. Whatever the text, nothing is
raised but `ModelMalformed`.

Not here: the reading of a score (`llm/score.py`), nor whether a value fits a tool's schema (`bind`).
"""

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from pegboard.errors import ModelMalformed
from pegboard.text import Json, clipped

Defence: TypeAlias = Literal["none", "cleaned", "repaired", "python"]
"""What a reply needed before it could be read."""

MAX_CHARACTERS = 1 << 20
"""A longer reply is refused unread."""
MAX_NESTING = 64
"""A value that is nested deeper is refused."""
MAX_REPAIRED_CHARACTERS = 4096
"""A longer reply is not repaired: on hostile text json-repair takes more than the square of its length (16 KB
took 27 s)."""
MAX_REPAIRED_NESTING = 16
"""What seems to be nested deeper is not repaired, for the same reason."""
MAX_REPAIRED_MARKS = 512
"""What holds more quotes, brackets and commas is not repaired, for the same reason."""
MAX_REPAIRED_DIGITS = 64
"""What holds a longer run of digits is not repaired, for the same reason."""
MAX_VALUES = 64
"""How many values in one text are looked at."""

_Found: TypeAlias = tuple[Json] | None
"""A value that was read, in a tuple so that null is not taken for nothing."""

THOUGHTS = ("think", "thinking", "thought", "reasoning")
"""The names of the marks around what a model thinks aloud."""
SPECIAL = re.compile(r"<[|｜][\w▁/ -]{1,40}[|｜]>|</?s>|\[/?INST\]|<(?:start|end)_of_turn>|<eos>|\ufeff")
"""Tokens of chat templates that leak into text."""
_NAMES = "|".join(THOUGHTS)
_THOUGHT = re.compile(rf"<({_NAMES})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(rf"\A.*</(?:{_NAMES})>", re.DOTALL | re.IGNORECASE)
_MARKS = re.compile(r"""["'“”‘’`{}\[\](),:\\]""")
_LONG_NUMBER = re.compile(rf"\d{{{MAX_REPAIRED_DIGITS + 1}}}")
_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*\r?\n?(.*?)(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reply:
    """A JSON value that was read from a reply."""

    value: Json
    defence: Defence


def read_json(text: str) -> Reply:
    """Read the object or array that `text` holds; a bare scalar counts only when it is all there is.

    Of several values the longest is taken, of equally long ones the last.

    Raises:
        ModelMalformed: there is none, or it is too large or too deep.
    """
    if len(text) > MAX_CHARACTERS:
        raise ModelMalformed(f"The reply has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read.")
    for defence, read in _READERS:
        if (found := read(text)) is not None:
            value = _within_limits(found[0])
            return Reply(_whole_characters(value) if _may_hold_halves(text) else value, defence)
    raise ModelMalformed(f"The reply holds no JSON: {clipped(text[:1000], 120)!r}.")


def _may_hold_halves(text: str) -> bool:
    """Tell whether `text` could spell half of a surrogate pair: by an escape, or as it stands."""
    return "\\" in text or not text.isascii()


def _whole_characters(value: Json) -> Json:
    """Replace halves of surrogate pairs, which JSON can spell and no text that is sent on can hold."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return cast(Json, json.loads(text.encode("utf-8", "replace")))
    return value


def clean(text: str) -> str:
    """Return `text` without thoughts, special tokens, and the space around it."""
    return SPECIAL.sub("", _END_OF_THOUGHT.sub("", _THOUGHT.sub("", text))).strip()


def _strict(text: str) -> _Found:
    try:
        return (cast(Json, _DECODER.decode(text)),)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> Json:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _cleaned(text: str) -> _Found:
    """Parse what is left without fences and prose: the whole, the last fenced block, or a value inside."""
    bare = clean(text)
    if (whole := _strict(bare)) is not None:
        return whole
    blocks = [found for block in _FENCE.findall(bare) if (found := _strict(block.strip())) is not None]
    return blocks[-1] if blocks else _longest_value(bare)


def _longest_value(text: str) -> _Found:
    """Take the longest object or array that stands whole in prose.

    An outer bracket that does not parse means broken JSON, which is for repair: a piece from its inside would
    be a wrong answer that looks right.
    """
    best: _Found = None
    length = position = 0
    for _ in range(MAX_VALUES):
        start = _next_bracket(text, position)
        if start < 0:
            break
        try:
            value, position = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            return None
        if position - start >= length:
            best, length = (cast(Json, value),), position - start
    return best


def _repaired(text: str) -> _Found:
    from json_repair import repair_json  # noqa: PLC0415 - seldom needed

    for part in _broken_parts(text):
        try:
            value = repair_json(part, return_objects=True, skip_json_loads=True)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            continue
        if isinstance(value, dict | list):
            return (cast(Json, value),)
    return None


def _python(text: str) -> _Found:
    """Read a Python literal that repair could not make sense of."""
    for part in _broken_parts(text):
        try:
            return _strict(json.dumps(ast.literal_eval(part), allow_nan=False))
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


_READERS: tuple[tuple[Defence, Callable[[str], _Found]], ...] = (
    ("none", _strict),
    ("cleaned", _cleaned),
    ("repaired", _repaired),
    ("python", _python),
)


def _broken_parts(text: str) -> Iterator[str]:
    """Yield what may be broken JSON, if small: fenced blocks, last first; then all from the first bracket."""
    if len(text) > MAX_CHARACTERS // 8:
        return
    bare = clean(text)
    start = _next_bracket(bare, 0)
    parts = [block.strip() for block in reversed(_FENCE.findall(bare)[:MAX_VALUES])]
    for part in [*parts, bare[start:] if start >= 0 else ""]:
        if part.startswith(("{", "[")) and _is_repairable(part):
            yield _without_half_escape(part)


def _is_repairable(text: str) -> bool:
    return (
        len(text) <= MAX_REPAIRED_CHARACTERS
        and len(_MARKS.findall(text)) <= MAX_REPAIRED_MARKS
        and _LONG_NUMBER.search(text) is None
        and _depth_of_brackets(text) <= MAX_REPAIRED_NESTING
    )


def _without_half_escape(text: str) -> str:
    """Drop the backslash that a cut left at the end."""
    return text[:-1] if (len(text) - len(text.rstrip("\\"))) % 2 else text


def _next_bracket(text: str, position: int) -> int:
    found = [at for bracket in "{[" if (at := text.find(bracket, position)) >= 0]
    return min(found, default=-1)


def _depth_of_brackets(text: str) -> int:
    """Count how deep `text` can nest at most; brackets inside of strings count too."""
    depth = deepest = 0
    for character in text:
        if character in "{[(":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "}])":
            depth -= 1
    return deepest


def _within_limits(value: Json) -> Json:
    level = [value]
    for _ in range(MAX_NESTING):
        level = [inner for outer in level for inner in _inside(outer)]
        if not any(isinstance(inner, dict | list) for inner in level):
            return value
    raise ModelMalformed(f"The reply is nested deeper than {MAX_NESTING} levels.")


def _inside(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []

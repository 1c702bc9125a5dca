"""JSON as people and models write it, read in one pass: in time that grows as the text does, and no faster.

What JSON5, JavaScript and Python allow is read as it is meant there: other quotes, bare keys, comments, trailing
commas, `True`, `None`, `NaN` (null, as JavaScript writes it), tuples, `.5` and `1_000`. So is the punctuation of
Chinese. A text that ends too early is completed without inventing anything: what was whole is kept, a string or a
number as far as it came, a key without a value is left out. Commas that are missing or too many, and brackets
that are closed in the wrong order, leave no doubt either.

Where the reader has to guess, as at a quote inside of a string or a word without quotes, the value says so, and
where it can make no sense of a text it gives none. Both are for `llm/repair.py`.
"""

import re
from dataclasses import dataclass

from pegboard.llm.scalars import (
    BARE_KEY,
    BRACKETS,
    COLONS,
    COMMAS,
    GOES_ON,
    HALF_CHARACTER,
    PLAIN,
    QUOTES,
    SKIPPED,
    Place,
    ends_string,
    escape_at,
    scalar_at,
    words_at,
)
from pegboard.text import Json

MAX_NESTING = 64
"""A value that is nested deeper is not read."""


@dataclass(frozen=True, slots=True)
class Lenient:
    """A value that was read by the looser rules."""

    value: Json
    end: int
    """Where in the text the value ends."""
    is_cut_off: bool
    """The text ends before the value does: what comes last may be incomplete."""
    is_guess: bool
    """Something was read that can be meant otherwise."""


class TooDeep(Exception):
    """The text is nested deeper than `MAX_NESTING`."""


class _NoSense(Exception):
    """The rules do not cover what stands here."""


_LONGEST_KEY = 80
_SEPARATED = re.compile(rf"[{COMMAS}\n]")
_LOST_CHARACTERS = 100
_LOST_END = re.compile(r"[\]}\s]+\Z")


def read_lenient(text: str, start: int, end: int) -> Lenient | None:
    """Read the object or array that begins at `start` and lies before `end`; None where the rules make no sense of it.

    Raises:
        TooDeep: it is nested deeper than `MAX_NESTING`.
    """
    for reader in (_Reader(text, start, end), _SuspiciousReader(text, start, end)):
        try:
            value = reader.value("item")
        except _NoSense:
            continue
        read = Lenient(value, reader.at, reader.is_cut_off, reader.is_guess)
        if not read.is_guess or isinstance(reader, _SuspiciousReader):
            return read
    return None


class _Reader:
    """Goes through a text once, from left to right, and trusts its quotes."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.at = start
        self.is_cut_off = False
        self.is_guess = False
        self._text = text
        self._end = end
        self._open = list[str]()
        """What closes the brackets that are open, the innermost last."""

    def value(self, place: Place) -> Json:
        here = self._text[self.at]
        if here in QUOTES:
            return self._string(place)
        if here not in BRACKETS:
            return self._without_quotes()
        if len(self._open) == MAX_NESTING:
            raise TooDeep
        self._open.append(BRACKETS[here])
        self.at += 1
        return self._object() if here == "{" else self._array()

    def _object(self) -> dict[str, Json]:
        fields = dict[str, Json]()
        while self._has_more():
            key = self._string("key") if self._text[self.at] in QUOTES else self._bare_key()
            if not (here := self._skip()):
                self._leave_out(key)
                break
            if here in COLONS:
                self.at += 1
            else:
                self._lacks_mark(here)
            if (here := self._skip()) and here not in COMMAS and not self._closes(here):
                fields[key] = self.value("field")
        self._close()
        return fields

    def _leave_out(self, key: str) -> None:
        """Leave out a key without a value, at the text's end; not where a wrong guess made it swallow the rest."""
        if self.is_guess and len(key) > _LONGEST_KEY:
            raise _NoSense

    def _array(self) -> Json:
        items = list[Json]()
        place: Place = "member" if self._open[-1] == ")" else "item"
        while self._has_more():
            items.append(self.value(place))
        is_bracketed = place == "member" and len(items) == 1 and self._text[self.at - 1 : self.at] != ","
        self._close()
        return items[0] if is_bracketed else items

    def _has_more(self) -> bool:
        """Go to the next key or item; say whether there is one before the bracket that closes."""
        start = self.at
        while (here := self._skip()) and (here in COMMAS or self._is_closed_early()):
            self.at += 1
        if not here or self._closes(here):
            return False
        if self._text[start - 1] not in BRACKETS and not _SEPARATED.search(self._text, start, self.at):
            self._lacks_mark(here)
        return True

    def _closes(self, here: str) -> bool:
        return here in "}]" or here in self._open

    def _is_closed_early(self) -> bool:
        """Say whether a key follows on the brace that closes the outermost object, which so goes on."""
        goes_on = self._open == ["}"] and GOES_ON.match(self._text, self.at, self._end) is not None
        self.is_guess = self.is_guess or goes_on
        return goes_on

    def _close(self) -> None:
        """Leave a bracket; one of another kind that is open further out is left for there."""
        own = self._open.pop()
        here = self._skip()
        if not here:
            self.is_cut_off = True
        elif here == own or here not in self._open:
            self.at += 1

    def _skip(self) -> str:
        """Go over space and comments; return the character that follows, nothing at the end."""
        if skipped := SKIPPED.match(self._text, self.at, self._end):
            self.at = skipped.end()
        return self._text[self.at] if self.at < self._end else ""

    def _bare_key(self) -> str:
        found = BARE_KEY.match(self._text, self.at, self._end)
        if found:
            self.at = found.end()
            return found[0]
        if self._text[self.at : self._end].isidentifier():
            self.at = self._end
            return ""
        raise _NoSense

    def _string(self, place: Place) -> str:
        opening = self._text[self.at]
        if place != "key" and self._text.startswith(3 * opening, self.at):
            return self._long_string(3 * opening)
        parts = list[str]()
        self.at += 1
        while self.at < self._end:
            if plain := PLAIN[opening].match(self._text, self.at, self._end):
                parts.append(plain[0])
                self.at = plain.end()
            elif self._text[self.at] == "\\":
                part, self.at = escape_at(self._text, self.at, self._end)
                parts.append(part)
            elif self._ends_string(place):
                self.at += 1
                return "".join(parts)
            else:
                self.is_guess = True
                parts.append(self._text[self.at])
                self.at += 1
        return self._cut("".join(parts))

    def _cut(self, string: str) -> str:
        """Take a string that the text's end cuts off; if brackets close at that end, they are no part of it."""
        self.is_cut_off = True
        lost = _LOST_END.search(self._text, self._end - min(len(string), _LOST_CHARACTERS), self._end)
        if lost is None or lost[0].isspace():
            return HALF_CHARACTER.sub("", string)
        self.is_guess = True
        return string.rstrip("]} \t\r\n")

    def _long_string(self, mark: str) -> str:
        start = self.at + 3
        close = self._text.find(mark, start, self._end)
        if close < 0:
            raise _NoSense
        self.at = close + 3
        return self._text[start:close]

    def _without_quotes(self) -> Json:
        """Take a number or a constant, or for want of these words for a string."""
        if scalar := scalar_at(self._text, self.at, self._end):
            value, self.at = scalar
            return value
        return self._words()

    def _words(self) -> str:
        raise _NoSense

    def _ends_string(self, place: Place) -> bool:
        """Say whether the quote here ends a string in `place`."""
        return True

    def _lacks_mark(self, here: str) -> None:
        """Decide what to do where a colon or a comma is missing before `here`."""
        raise _NoSense


class _SuspiciousReader(_Reader):
    """Looks behind each quote before it takes it for a string's end, and does without commas, colons and quotes."""

    def _ends_string(self, place: Place) -> bool:
        return ends_string(self._text, self.at, self._end, place)

    def _lacks_mark(self, here: str) -> None:
        if here in COMMAS or self._closes(here):
            raise _NoSense

    def _words(self) -> str:
        if (words := words_at(self._text, self.at, self._end)) is None:
            raise _NoSense
        self.is_guess = True
        string, self.at = words
        return string

"""`StreamCleaner`: a streamed answer without thoughts and special tokens, as `llm/reply.py` cleans a whole one.

A mark may come in pieces: what could be its beginning is held back until the next piece decides. A thought whose
opening mark never came (some chat templates write it into the prompt) has gone out by the time that it closes; only
the mark is dropped.
"""

import re

from pegboard.llm.marks import SPECIAL, THOUGHTS

_MARK = re.compile(rf"<(?P<opens>(?i:{'|'.join(THOUGHTS)}))>|</(?i:{'|'.join(THOUGHTS)})>|{SPECIAL.pattern}")
_MARK_CHARACTERS = 48
"""No mark is longer."""


class StreamCleaner:
    """Takes the pieces of an answer, and gives what of them is certain to be words."""

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        """The mark that ends the thought in which the answer is; empty outside of one."""

    def feed(self, piece: str) -> str:
        """Return the words that are certain now that `piece` has come."""
        self._held += piece
        words = ""
        while not self._closing or self._left_thought():
            mark = _MARK.search(self._held)
            if mark is None:
                return words + self._take(_start_of_mark(self._held))
            words += self._take(mark.start())
            self._take(len(mark[0]))
            self._closing = f"</{mark['opens']}>" if mark["opens"] else ""
        return words

    def finish(self) -> str:
        """Return what was still held back, now that the answer has ended."""
        return "" if self._closing else self._take(len(self._held))

    def _left_thought(self) -> bool:
        """Drop what is thought, and tell whether the thought has ended; its last characters may be half a mark."""
        mark = re.search(self._closing, self._held, re.IGNORECASE)
        if mark is None:
            self._take(max(0, len(self._held) - len(self._closing) + 1))
            return False
        self._take(mark.end())
        self._closing = ""
        return True

    def _take(self, count: int) -> str:
        taken, self._held = self._held[:count], self._held[count:]
        return taken


def _start_of_mark(text: str) -> int:
    """Return where in `text` a mark may have begun that its end cuts off; its length where none has."""
    tail = max(0, len(text) - _MARK_CHARACTERS)
    starts = (at for at in range(tail, len(text)) if text[at] in "<[" and _MARK_BEGUN.fullmatch(text, at))
    return next(starts, len(text))


def _beginnings(*marks: str) -> str:
    """Return a pattern for every beginning of `marks`."""
    return "|".join(sorted({re.escape(mark[:length]) for mark in marks for length in range(1, len(mark))}))


_MARK_BEGUN = re.compile(
    rf"<[|｜][\w▁/ -]{{0,40}}[|｜]?"
    rf"|(?i:{_beginnings(*(f'<{name}>' for name in THOUGHTS), *(f'</{name}>' for name in THOUGHTS))})"
    rf"|{_beginnings('<s>', '</s>', '[INST]', '[/INST]', '<start_of_turn>', '<end_of_turn>', '<eos>')}"
)

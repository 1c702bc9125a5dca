"""What a handler that streams has yielded so far, and the result that it comes to.

Each text is told as it comes, and all of them together are the text of the result. A value that is no text is the
result itself, the last one if there are several; so is what a generator returns.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pegboard.catalog.calling.values import as_result
from pegboard.catalog.contract import Result

LONGEST_TEXT = 4 << 20
"""Characters of all pieces together; a handler that yields more is not asked for more."""
_CUT = "…"


@dataclass(slots=True)
class Pieces:
    """Takes what one call yields."""

    say: Callable[[str], None]
    """Is told each text."""
    longest: int = LONGEST_TEXT
    _texts: list[str] = field(default_factory=list)
    _length: int = 0
    _value: object = None

    def take(self, piece: object) -> bool:
        """Take what was yielded; False: it is enough, the handler shall stop."""
        if not isinstance(piece, str):
            self._value = piece if piece is not None else self._value
            return True
        fits = self._length + len(piece) <= self.longest
        said = piece if fits else piece[: self.longest - self._length] + _CUT
        self._length += len(said)
        if said:
            self._texts.append(said)
            self.say(said)
        return fits

    def result(self, returned: object = None) -> Result:
        """Return what it came to.

        Raises:
            NoJson: its last value is none that JSON can say.
        """
        value = self._value if returned is None else returned
        text = "".join(self._texts)
        if value is None:
            return as_result(text)
        result = as_result(value)
        return replace(result, text=text) if text and (not result.text or result is not value) else result

"""Characters that nobody sees and a model reads: zero width, direction marks, tags, fillers.

They hide instructions in a text, or make two equal words differ. Where a script or an emoji needs one (a joiner
between emoji or Indic letters, the selector behind a pictogram, the tags of a flag), it is left alone.
"""

import re
import unicodedata

_HIDDEN = (
    "\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff9-\ufffb\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNJOINED = "\u0000-\u02ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af" + _HIDDEN.replace("\ufe00-\ufe0f", "")
"""No joiner stands beside these."""

_HIDDEN_ANYWHERE = re.compile(f"[{_HIDDEN}]")
_SEEN_OR_HIDDEN = re.compile(
    "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"  # the flag of a region
    f"|(?<=[^{_UNJOINED}])[\u200c\u200d](?=[^{_UNJOINED}])"
    f"|(?<=[#*0-9]|[^\u0000-\u02ff{_HIDDEN}])[\ufe00-\ufe0f]"
    f"|(?<=[{_HAN}])[\U000e0100-\U000e01ef]"
    f"|([{_HIDDEN}])"
)


def hidden_in(text: str) -> str | None:
    """Return the first character of `text` that nobody sees; None when there is none."""
    if text.isascii() or _HIDDEN_ANYWHERE.search(text) is None:
        return None
    return next((match[1] for match in _SEEN_OR_HIDDEN.finditer(text) if match[1]), None)


def name_of(character: str) -> str:
    """Return the character's name and number: `ZERO WIDTH SPACE (U+200B)`."""
    number = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "")
    return f"{name} ({number})" if name else number


def spellings_of(character: str) -> str:
    """Return a pattern of the escapes by which YAML, JSON and XML write `character`."""
    digits = f"{ord(character):x}"
    units = character.encode("utf-16-be").hex()
    pairs = "".join(rf"\\u{units[start : start + 4]}" for start in range(0, len(units), 4))
    short = rf"|\\x{digits:0>2}" if len(digits) <= 2 else ""
    return rf"(?i:{pairs}|\\U{digits:0>8}|&\#x0*{digits};|&\#0*{ord(character)};{short})"


def visible(text: str) -> str:
    """Return `text` without the characters that nobody sees."""
    if text.isascii() or _HIDDEN_ANYWHERE.search(text) is None:
        return text
    return _SEEN_OR_HIDDEN.sub(lambda match: "" if match[1] else match[0], text)

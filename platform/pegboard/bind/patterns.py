"""Numbers of orders and the like, which a schema knows by their `pattern`, found among the words of a question."""

import re
from collections.abc import Mapping

from pegboard.catalog.schema.linear import compiled
from pegboard.text import Json

_WORD = re.compile(r"[^\s,;:!?，。；：！？、\"'“”‘’()（）\[\]{}<>]+")
_MOST_WORDS = 500


def by_pattern(question: str, wanted: Mapping[str, Json]) -> str | None:
    """Return the one word of `question` that has a digit in it and fits the `pattern` of a text; None where none does.

    A pattern that other words fit as well says nothing of which is meant.
    """
    pattern = wanted.get("pattern")
    if not isinstance(pattern, str) or wanted.get("type") not in {"string", None}:
        return None
    fits = compiled(f"^(?:{pattern})$")
    words = [word.rstrip(".") for word in _WORD.findall(question)[:_MOST_WORDS]]
    fitting = dict.fromkeys(word for word in words if word and fits.search(word))
    found = next(iter(fitting)) if len(fitting) == 1 and len(words) > 1 else ""
    return found if any(sign.isdigit() for sign in found) else None

"""What an answer rests on, for clients that show text: a list in Markdown."""

import re
from collections.abc import Mapping

from pegboard.text import Json, clipped

_NAME_CHARACTERS = 80
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_MARKS = re.compile(r"[\\\[\]`*_~<>&!|]")
"""What begins something in Markdown, or in HTML, which Markdown may hold."""
_ADDRESS = re.compile(r"(?:https?://[^/?#]|/(?!/))[^\s<>\\\x00-\x1f\x7f-\x9f]*", re.IGNORECASE)


def sources(answer: Mapping[str, Json]) -> str:
    """Return a line for each thing that `answer`, the JSON of `platform ask --json`, cites; else for each result."""
    found = _objects(answer.get("citations")) or _objects(answer.get("results"))
    return "\n".join(f"- [{each.get('number', place)}] {_linked(each)}" for place, each in enumerate(found, start=1))


def notes(answer: Mapping[str, Json]) -> list[str]:
    """Return what the asker should know besides: what stood in for something, and notices."""
    notices = answer.get("notices")
    told = [answer.get("degraded"), *(notices if isinstance(notices, list) else [])]
    return [f"Note: {note}" for note in told if note]


def _objects(listed: Json) -> list[dict[str, Json]]:
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def _linked(source: Mapping[str, Json]) -> str:
    """Return a source as a link; what others have written in its name or address stays text."""
    url = str(source.get("url") or "")
    name = clipped(_CONTROLS.sub(" ", str(source.get("name") or "") or url), _NAME_CHARACTERS)
    name = _MARKS.sub(lambda mark: f"&#{ord(mark[0])};" if mark[0] in "<>&" else f"\\{mark[0]}", name)
    return f"[{name}](<{url}>)" if _ADDRESS.fullmatch(url) else name

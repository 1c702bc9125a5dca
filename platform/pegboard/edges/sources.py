"""What an answer rests on, for clients that show text: a list in Markdown."""

from collections.abc import Mapping

from pegboard.text import Json, clipped

_NAME_CHARACTERS = 80


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
    url = str(source.get("url") or "")
    name = clipped(str(source.get("name") or "") or url, _NAME_CHARACTERS)
    for mark in "\\[]":
        name = name.replace(mark, f"\\{mark}")
    is_safe = url.startswith(("https://", "http://", "/")) and not any(mark in url for mark in "<> \n\r\t")
    return f"[{name}](<{url}>)" if is_safe else name

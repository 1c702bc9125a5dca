"""From the messages of NLWeb's protocol to a `Result`: items, words, status; the messages are its data.

Pure. A message is a mapping with `message_type`; the order in which they were sent is kept.
"""

import html.parser
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from pegboard.catalog.contract import Hit, Item, Result, Status
from pegboard.errors import CallFailed
from pegboard.text import Json, clipped, language

Message: TypeAlias = dict[str, Json]

_WORDS = ("answer", "content", "summary", "message", "text", "details", "comparison", "question", "result")
"""Keys that hold what a person reads, the first that is there counts."""
_ITEMS = ("content", "items", "results", "answers")
"""Keys that hold items."""
_PROGRESS = frozenset(
    {"intermediate_message", "tool_selection", "query_analysis", "decontextualized_query", "remember"}
)
"""Messages on the way, which are no answer."""
_NOTHING = frozenset({"no_results", "site_is_irrelevant_to_query"})
_BARE = frozenset(
    {"message_type", "message_id", "conversation_id", "timestamp", "sender_type", "sender_info", "schema_object",
     "url", "siteUrl", "site", "score", "@type", "success"}
)  # fmt: skip
"""Keys that are for machines."""
_DEEPEST = 60


def plain(value: Any, depth: int = 0) -> Any:
    """Return a copy of a message as JSON has it; what JSON cannot say is written as text.

    Raises:
        TypeError: it is nested too deeply, or holds itself.
    """
    if depth > _DEEPEST:
        raise TypeError(f"a message is nested more than {_DEEPEST} levels deep")
    if isinstance(value, Mapping):
        return {str(key): plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(inner, depth + 1) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, str | int | float) else str(value)


def result_of(path: str, site: str, messages: Sequence[Message], ranked: Any = ()) -> Result:
    """Put the messages of one call together; `ranked` are items that were left without being sent.

    Raises:
        CallFailed: the only thing that was said is an error.
    """
    hits = list(_hits([*(found for message in messages for found in _items(message)), *_listed(plain(ranked))], site))
    words = [text for message in messages if _kind(message) not in {*_PROGRESS, "error"} and (text := _said(message))]
    errors = [_said(message) or "no reason" for message in messages if _kind(message) == "error"]
    if errors and not words and not hits:
        raise CallFailed(f"{path} reports an error: {clipped(' '.join(errors), 300)}")
    progress = [text for message in messages if _kind(message) in _PROGRESS and (text := _said(message))]
    text = "\n\n".join(dict.fromkeys(words)) or _listing(hits) or "\n\n".join(dict.fromkeys(progress))
    return Result(text=text, items=tuple(hits), data=[*messages], status=_status(messages, bool(words or hits)))


def _status(messages: Sequence[Message], has_answer: bool) -> Status:
    kinds = [_kind(message) for message in messages if _kind(message) not in _PROGRESS]
    if kinds and kinds[-1] == "ask_user":
        return "needs_clarification"
    return "ok" if has_answer and not set(kinds) <= _NOTHING else "not_found"


def _kind(message: Message) -> str:
    return str(message.get("message_type", ""))


# Items


def _items(message: Message) -> Iterator[Json]:
    for key in _ITEMS:
        yield from _listed(message.get(key))
    if _kind(message) == "item_details":
        yield message
    if _kind(message) == "compare_items":
        yield from (message.get("item1"), message.get("item2"))
    result = message.get("result")
    if isinstance(result, dict):
        recommended = result.get("recommendations")
        for found in _listed(recommended.get("items") if isinstance(recommended, dict) else recommended):
            yield found.get("item", found) if isinstance(found, dict) else found


def _listed(value: Any) -> list[Json]:
    return value if isinstance(value, list) else []


def _hits(found: Sequence[Json], site: str) -> Iterator[Hit]:
    """Yield the items among `found`, each once."""
    seen: set[str] = set()
    for each in found:
        if not isinstance(each, dict) or not each.get("name"):
            continue
        item = _item(each, site)
        key = item.url or item.name
        if key not in seen:
            seen.add(key)
            yield Hit(item, _score(each))


def _item(found: dict[str, Json], site: str) -> Item:
    schema = _object(found.get("schema_object"))
    name, description = _text(found.get("name")), _text(found.get("description"))
    kind = found.get("@type") or schema.get("@type") or "Item"
    return Item(
        url=_text(found.get("url")),
        name=name,
        site=_text(found.get("site")) or site,
        type=_text(kind[0] if isinstance(kind, list) and kind else kind),
        language=language(f"{name} {description}"),
        description=description,
        schema_object=schema,
    )


def _object(value: Json) -> dict[str, Json]:
    """Return the JSON-LD of an item; NLWeb also has it as text, and as a list of one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    if isinstance(value, list):
        value = value[0] if value else {}
    return value if isinstance(value, dict) else {}


def _score(found: dict[str, Json]) -> float:
    ranking = found.get("ranking")
    score = found.get("score", ranking.get("score") if isinstance(ranking, dict) else None)
    try:
        number = float(score) if isinstance(score, str | int | float) else 0.0
    except (ValueError, OverflowError):
        return 0.0
    return min(max(number, 0.0), 100.0) if math.isfinite(number) else 0.0


def _listing(hits: Sequence[Hit]) -> str:
    lines = (f"- {hit.item.name}" + (f": {hit.item.description}" if hit.item.description else "") for hit in hits)
    return "\n".join(lines)


# Words


def _said(message: Message) -> str:
    """Return what a person reads of a message; empty when it is all items."""
    kind = _kind(message)
    if kind == "error" and isinstance(message.get("error"), str):
        return _text(message["error"])
    if kind in {"result", "result_batch"} and not isinstance(message.get("content"), str):
        return ""
    for key in _WORDS:
        if value := message.get(key):
            return _with_name(message, _in_words(value)) if kind == "item_details" else _in_words(value)
    return _in_words({key: value for key, value in message.items() if key not in _ITEMS})


def _with_name(message: Message, words: str) -> str:
    name = _text(message.get("name"))
    return f"{name}: {words}" if name and words and "\n" not in words else f"{name}\n{words}".strip()


def _in_words(value: Json) -> str:
    """Write what people read of a value: a line for each key and each part of a list."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return _of_mapping(value)
    if isinstance(value, list):
        return "\n".join(f"- {words}" for inner in value if (words := _in_words(inner)))
    return "" if value is None else str(value)


def _of_mapping(value: dict[str, Json]) -> str:
    """Write a line for each key; a thing with a name begins with it, and one that stands below `item` is that."""
    inner = value.get("item")
    if isinstance(inner, dict):
        value = {**inner, **{key: each for key, each in value.items() if key != "item"}}
    told = ((key, _in_words(each)) for key, each in value.items() if key not in _BARE)
    lines = [words if key == "name" else _line(key, words) for key, words in told if words]
    return "\n".join(lines)


def _line(key: str, words: str) -> str:
    gap = "\n" if words.startswith("- ") or "\n" in words else " "
    return f"{key.replace('_', ' ')}:{gap}{words}"


def _text(value: Json) -> str:
    """Return a text without the HTML that some of NLWeb's handlers write."""
    text = value if isinstance(value, str) else "" if value is None else str(value)
    if "<" not in text:
        return text.strip()
    reader = _Reader()
    reader.feed(text)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.pieces).splitlines())
    return "\n".join(line for line in lines if line)


class _Reader(html.parser.HTMLParser):
    """Reads the text of HTML; what a browser would run or hide is left out."""

    _UNSEEN = frozenset({"script", "style", "template", "head"})
    _LINES = frozenset({"p", "div", "br", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "table"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._unseen += tag in self._UNSEEN
        self.pieces.append("\n" if tag in self._LINES else "")

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= bool(self._unseen) and tag in self._UNSEEN
        self.pieces.append("\n" if tag in self._LINES else "")

    def handle_data(self, data: str) -> None:
        self.pieces.append("" if self._unseen else data)

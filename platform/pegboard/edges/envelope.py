"""What every message on the wire has around it, and how a command gets an answer back out of it."""

from collections.abc import Mapping
from dataclasses import asdict

from pegboard.events import Event, RunEvent
from pegboard.text import Json

ENVELOPE = frozenset({"message_type", "message_id", "conversation_id", "timestamp", "sender_type", "sender_info"})
"""The fields that every message has."""


def answer_of(message: Mapping[str, Json]) -> dict[str, Json]:
    """Return the JSON of `platform ask --json` that an `nlws` message carries."""
    answer = {name: value for name, value in message.items() if name not in ENVELOPE and name != "items"}
    items = message.get("items")
    return answer | {
        "results": [
            {name: value for name, value in item.items() if name not in ("@type", "siteUrl")}
            for item in (items if isinstance(items, list) else [])
            if isinstance(item, dict)
        ]
    }


def event_json(event: RunEvent | Event) -> dict[str, Json]:
    """Return an event of a run, or of its answer, as a client reads it."""
    return {"kind": event.kind, **asdict(event)}

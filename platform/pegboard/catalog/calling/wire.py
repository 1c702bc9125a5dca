"""What goes to a worker's process and comes back: one JSON document a line.

To it: `{"handler", "prefixes"}` once, then `{"arguments", "question", "site", "language"}` for each call. From it:
`{"ready": true}`, then for each call any number of `{"piece"}` and in the end `{"result"}`, or `{"failed"}`. Each
message has a `number`, and each reply that of what it answers: a line of anybody else's ends the process.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pegboard.catalog.calling.values import as_json
from pegboard.catalog.contract import Evidence, File, Hit, Item, Result
from pegboard.text import Json, to_json


@dataclass(frozen=True, slots=True)
class Asked:
    """All that a handler in a process of its own knows of the request; other fields of a context are not there."""

    question: str
    site: str
    language: str


def line(message: Mapping[str, Json]) -> bytes:
    """Return `message` as it is sent."""
    return to_json(dict(message)).encode() + b"\n"


def read(text: bytes) -> dict[str, Any]:
    """Return what a line says; an empty message where it is none of ours."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def result_json(result: Result) -> Json:
    """Return a result as JSON.

    Raises:
        NoJson: its data is none.
    """
    return as_json(asdict(result))


def result_from(told: Mapping[str, Any]) -> Result:
    """Return the result that was sent."""
    return Result(
        text=str(told["text"]),
        items=tuple(Hit(Item(**hit["item"]), hit["score"]) for hit in _each(told, "items")),
        evidence=tuple(Evidence(**each) for each in _each(told, "evidence")),
        task=str(told["task"]),
        data=told["data"],
        status=told["status"],
        files=tuple(File(**each) for each in _each(told, "files")),
    )


def _each(told: Mapping[str, Any], name: str) -> Sequence[dict[str, Any]]:
    held: Sequence[dict[str, Any]] = told[name]
    return held

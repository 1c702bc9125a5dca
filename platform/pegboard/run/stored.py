"""What nodes gave, as text that nobody can change any more: for the journal, and for those that refer to it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pegboard.catalog.contract import Evidence, Hit, Item, Result
from pegboard.plan.references import Gave
from pegboard.text import Json, to_json

INLINE_BYTES = 64 << 10
"""A larger result is a blob."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a node gave."""

    text: str
    """JSON of the result."""
    written: str
    """What the journal holds: the same, or the name of a blob."""
    blob: str = ""

    @property
    def result(self) -> Result:
        """The result, anew each time."""
        return result_from(json.loads(self.text))

    def gave(self) -> Gave:
        """Return what references to the node stand for."""
        held: dict[str, Json] = json.loads(self.text)
        data = held.get("data")
        told = {key: value for key, value in held.items() if key != "data"}
        if data is None:
            return Gave(held["text"], told)
        return Gave(data, {**told, **data} if isinstance(data, dict) else data)


def blob_named_by(written: str) -> str:
    """Return the blob that the journal's `written` names; empty: it is the result itself."""
    return str(json.loads(written)["blob"]) if written.startswith('{"blob":') else ""


def written_blob(name: str, size: int) -> str:
    """Return what the journal holds of a result of `size` bytes that is a blob."""
    return to_json({"blob": name, "bytes": size})


def result_json(result: Result) -> dict[str, Json]:
    """Return `result` as `result_from` reads it; what is as usual is left out."""
    told: dict[str, Json] = {"text": result.text}
    if result.items:
        told["items"] = [_hit_json(hit) for hit in result.items]
    if result.evidence:
        told["evidence"] = [
            {"number": each.number, "text": each.text, "url": each.url, "name": each.name} for each in result.evidence
        ]
    said: Mapping[str, tuple[Json, Json]] = {
        "task": (result.task, ""), "data": (result.data, None), "status": (result.status, "ok"),
    }  # fmt: skip
    return told | {key: value for key, (value, usual) in said.items() if value != usual}


def _hit_json(hit: Hit) -> Json:
    item = hit.item
    return {
        "name": item.name,
        "url": item.url,
        "site": item.site,
        "type": item.type,
        "language": item.language,
        "description": item.description,
        "schema_object": dict(item.schema_object),
        "score": hit.score,
    }


def result_from(held: Mapping[str, Any]) -> Result:
    """Return the result that `result_json` has written."""
    return Result(
        text=held["text"],
        items=tuple(map(_hit_from, held.get("items", ()))),
        evidence=tuple(Evidence(**each) for each in held.get("evidence", ())),
        task=held.get("task", ""),
        data=held.get("data"),
        status=held.get("status", "ok"),
    )


def _hit_from(held: Mapping[str, Any]) -> Hit:
    return Hit(Item(**{key: value for key, value in held.items() if key != "score"}), held["score"])

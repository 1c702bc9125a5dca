"""A result as JSON and back: what the journal of a run holds, and what references to a node find. Pure."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pegboard.catalog.contract import Evidence, File, Hit, Item, Result
from pegboard.plan.references import Gave
from pegboard.text import Json


def result_json(result: Result) -> dict[str, Json]:
    """Return `result` as `result_from` reads it; what is as usual is left out."""
    told: dict[str, Json] = {"text": result.text}
    if result.items:
        told["items"] = [_hit_json(hit) for hit in result.items]
    if result.evidence:
        told["evidence"] = [
            {"number": each.number, "text": each.text, "url": each.url, "name": each.name} for each in result.evidence
        ]
    if result.files:
        told["files"] = [asdict(file) for file in result.files]
    said: Mapping[str, tuple[Json, Json]] = {
        "task": (result.task, ""), "data": (result.data, None), "status": (result.status, "ok"),
    }  # fmt: skip
    return told | {key: value for key, (value, usual) in said.items() if value != usual}


def result_from(held: Mapping[str, Any]) -> Result:
    """Return the result that `result_json` has written."""
    return Result(
        text=held["text"],
        items=tuple(map(_hit_from, held.get("items", ()))),
        evidence=tuple(Evidence(**each) for each in held.get("evidence", ())),
        task=held.get("task", ""),
        data=held.get("data"),
        status=held.get("status", "ok"),
        files=tuple(File(**each) for each in held.get("files", ())),
    )


def gave(held: Mapping[str, Json]) -> Gave:
    """Return what references to a node stand for whose result is `held`, as `result_json` writes it.

    A reference to its `items` or its `evidence` leads to an empty list where there are none.
    """
    data = held.get("data")
    told: dict[str, Json] = {"items": [], "evidence": []}
    told |= {key: value for key, value in held.items() if key != "data"}
    if data is None:
        return Gave(held["text"], told)
    return Gave(data, {**told, **data} if isinstance(data, dict) else data, told)


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


def _hit_from(held: Mapping[str, Any]) -> Hit:
    return Hit(Item(**{key: value for key, value in held.items() if key != "score"}), held["score"])

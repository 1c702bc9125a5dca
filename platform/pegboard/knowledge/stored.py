"""How an index on disk is written and read back: what it says of itself, and each item."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pegboard.catalog.contract import Item
from pegboard.knowledge.claims import Claims
from pegboard.knowledge.facets import Facts, Price
from pegboard.knowledge.index import SHAPE, Listed
from pegboard.knowledge.read import Entry
from pegboard.knowledge.words import terms
from pegboard.text import to_json

OTHER_SHAPE = "is of another shape"


def meta_of(embedder: str, dimensions: int) -> dict[str, str]:
    """Return what an index says of itself."""
    return {"shape": str(SHAPE), "embedder": embedder, "dimensions": str(dimensions)}


def misfit(found: Mapping[str, str], wanted: Mapping[str, str]) -> str:
    """Say why an index whose `meta_of` is `found` cannot be used; empty if it can."""
    if found.get("shape") != wanted["shape"]:
        return OTHER_SHAPE
    if found != wanted:
        return f"has vectors of {found.get('embedder')!r}, and {wanted['embedder']!r} is wanted"
    return ""


def head_of(entry: Entry) -> str:
    """Write what a `Listed` holds."""
    item = entry.item
    facts = {key: value for key, value in asdict(entry.facts).items() if value not in (None, (), "")}
    return to_json(
        {
            "url": item.url,
            "name": item.name,
            "type": item.type,
            "language": item.language,
            "names": entry.names,
            "facts": facts,
        }
    )


def listed(id_: int, base: str, head: str) -> Listed:
    """Read what `head_of` wrote."""
    value: dict[str, Any] = json.loads(head)
    facts = value["facts"]
    return Listed(
        id_,
        base,
        value["url"],
        value["name"],
        value["type"],
        value["language"],
        tuple(value["names"]),
        Facts(
            prices=tuple(Price(**price) for price in facts.get("prices", ())),
            minutes=facts.get("minutes"),
            calories=facts.get("calories"),
            rating=facts.get("rating"),
            diets=tuple(facts.get("diets", ())),
            available=facts.get("available"),
            ingredients=facts.get("ingredients", ""),
            types=tuple(facts.get("types", ())),
            claims=_claims(facts["claims"]),
        ),
    )


def _claims(value: dict[str, Any]) -> Claims:
    return Claims(
        name=value["name"],
        keywords=tuple(value["keywords"]),
        kinds=tuple(value["kinds"]),
        properties=tuple((label, said) for label, said in value["properties"]),
        grams=value["grams"],
        date=value["date"],
    )


def body_of(entry: Entry) -> str:
    """Write what an `Item` holds besides its head."""
    return to_json({"description": entry.item.description, "schema_object": entry.item.schema_object})


def item_of(base: str, head: str, body: str) -> Item:
    """Read an item from what `head_of` and `body_of` wrote."""
    said, told = json.loads(head), json.loads(body)
    return Item(
        url=said["url"],
        name=said["name"],
        site=base,
        type=said["type"],
        language=said["language"],
        description=told["description"],
        schema_object=told["schema_object"],
    )


def line_of_terms(name: str, heading: str, text: str) -> str:
    """Return the terms of a passage with a space between them; its item's name is part of each passage."""
    return " ".join(terms(f"{name} {heading} {text}"))

"""What a JSON Schema is read by: its dialect, and the documents that it may refer to.

Nothing is fetched: a reference leads into the schema, to the schema of a draft, or to a document that was given.
"""

import functools
from collections.abc import Mapping
from typing import Any, TypeAlias

from jsonschema_specifications import REGISTRY
from referencing import Registry, Specification
from referencing.jsonschema import DRAFT202012, specification_with

from pegboard.catalog.schema.linear import DRAFT_4, DRAFT_7, LATEST
from pegboard.catalog.schema.plain import schemas_in
from pegboard.text import Json

Schema: TypeAlias = Mapping[str, Json]


def dialect_of(schema: Schema) -> str:
    """Return the dialect that `schema` names, as drafts spell it: up to draft 7 with `http`.

    One that names none is of the latest, unless it is written as only older ones can be: OpenAPI 3.0's and those of
    many MCP servers are.
    """
    if (named := schema.get("$schema")) is not None:
        return _spelled(str(named))
    for _, part in schemas_in(schema):
        if isinstance(part.get("exclusiveMinimum"), bool) or isinstance(part.get("exclusiveMaximum"), bool):
            return DRAFT_4
        if isinstance(part.get("items"), list):
            return DRAFT_7
    return LATEST


@functools.lru_cache(maxsize=256)
def _spelled(named: str) -> str:
    named = named.rstrip("#")
    if named in ("http://json-schema.org/schema", "https://json-schema.org/schema"):
        return LATEST
    return named.replace("https://json-schema.org/draft-0", "http://json-schema.org/draft-0")


def specification_of(schema: Schema) -> "Specification[Any]":
    """Return how references are read in `schema`."""
    return specification_with(dialect_of(schema), default=DRAFT202012)


def registry_with(documents: Mapping[str, Schema]) -> "Registry[Any]":
    """Return the registry that holds the drafts and `documents`, by their URI."""
    registry: Registry[Any] = REGISTRY
    for uri, document in documents.items():
        registry = registry.with_resource(uri, specification_of(document).create_resource(plainly(document)))
    return registry


def plainly(value: object) -> Any:
    """Return `value` with dicts for mappings and lists for tuples, as jsonschema tells objects and arrays."""
    if isinstance(value, Mapping):
        return {key: plainly(child) for key, child in value.items()}
    return [plainly(child) for child in value] if isinstance(value, list | tuple) else value

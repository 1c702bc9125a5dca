"""`judge_of` a schema: what is compiled of it once, and kept.

A judge is found by the schema object itself, else by what the schema says: a catalog that is loaded again finds the
judges of the one before.
"""

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from jsonschema.protocols import Validator

from pegboard.catalog.schema.dialect import Schema, dialect_of, plainly, registry_with
from pegboard.catalog.schema.linear import linear
from pegboard.catalog.schema.sound import unsound

_MOST_KEPT = 2048


@dataclass(frozen=True, slots=True)
class Judge:
    """A schema that was compiled."""

    schema: Schema
    """The object that it was made of; while it is kept, no other object has its identity."""
    validator: Validator
    problems: tuple[str, ...]
    """Why it cannot be used; empty: it can."""


_Kept: TypeAlias = "OrderedDict[int | str, Judge]"

_by_identity: _Kept = OrderedDict()
_by_content: _Kept = OrderedDict()


def judge_of(schema: Schema) -> Judge:
    """Return the judge of `schema`, which must not change from now on."""
    kept = _by_identity.get(id(schema))
    if kept is not None and kept.schema is schema:
        return kept
    content = _content_of(schema)
    same = _by_content.get(content) if content else None
    judge = replace(same, schema=schema) if same is not None else made_of(schema)
    _keep(_by_identity, id(schema), judge)
    if content:
        _keep(_by_content, content, judge)
    return judge


def made_of(schema: Schema, documents: Mapping[str, Schema] | None = None) -> Judge:
    """Compile `schema`; `documents` by their URI are what it may refer to besides itself and the drafts."""
    problems = tuple(found.message for found in unsound(schema, documents))
    read = {} if problems else plainly(schema)
    validator = linear(dialect_of(read))(read, registry=registry_with(documents or {}))
    return Judge(schema, validator, problems)


def _content_of(schema: Schema) -> str:
    """Return the schema as text; empty where it cannot be one, which the judge says."""
    try:
        return json.dumps(schema, ensure_ascii=False, default=dict)
    except (TypeError, ValueError, RecursionError):
        return ""


def _keep(kept: _Kept, key: int | str, judge: Judge) -> None:
    kept[key] = judge
    while len(kept) > _MOST_KEPT:
        kept.popitem(last=False)

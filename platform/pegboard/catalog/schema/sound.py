"""Whether a JSON Schema can be used: `unsound` says what is wrong with it, and where.

The dialect is 2020-12; a schema whose `$schema` names 2019-09, draft 7, 6 or 4 is judged by that one.
"""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema_specifications import REGISTRY
from referencing import Specification
from referencing._core import Resolver
from referencing.exceptions import Unresolvable

from pegboard.catalog.schema.dialect import Schema, dialect_of, plainly, registry_with, specification_of
from pegboard.catalog.schema.limits import excess
from pegboard.catalog.schema.linear import DIALECTS, unusable
from pegboard.catalog.schema.plain import emptied, is_plain, is_plain_itself, schemas_in
from pegboard.catalog.schema.words import Path, shown, wanted
from pegboard.llm.references import target
from pegboard.text import did_you_mean, spelled

_MOST_TOLD = 20
"""Sentences about one schema."""
_REFERENCES = ("$ref", "$dynamicRef")


@dataclass(frozen=True, slots=True)
class Unsound:
    """What is wrong with a schema, at one place in it."""

    path: Path
    """Keys and positions from the outside in."""
    message: str
    """A sentence that begins with the place."""


def unsound(schema: Schema, documents: Mapping[str, Schema] | None = None) -> list[Unsound]:
    """Return what is wrong with `schema`; empty when nothing is.

    `documents` by their URI are what it may refer to besides itself and the drafts.
    """
    if (beyond := excess(dict(schema))) is not None:
        return [Unsound((), f"The schema is {beyond}.")]
    if is_plain(schema):
        return []
    if (dialect := dialect_of(schema)) not in DIALECTS:
        hint = did_you_mean(dialect, DIALECTS, noun="dialects")
        message = f"$schema: {shown(schema['$schema'])} is not a dialect that can be judged. {hint}"
        return [Unsound(("$schema",), message)]
    wrong = list(islice(_wrong_parts(schema, dialect), _MOST_TOLD))
    return wrong or list(
        islice(chain(_patterns(schema), _references(schema, documents or {}), _endless(schema)), _MOST_TOLD)
    )


def valid_schema(schema: Schema) -> list[str]:
    """Return what is wrong with `schema`, a sentence each; empty when nothing is."""
    return [found.message for found in unsound(schema)]


# By the metaschema


def _wrong_parts(schema: Schema, dialect: str) -> Iterator[Unsound]:
    """Yield what the metaschema finds; only what is not plain is shown to it."""
    for path, part in schemas_in(schema):
        if not is_plain_itself(part):
            errors = sorted(_metaschema(dialect).iter_errors(emptied(part)), key=_place)
            yield from (Unsound((*path, *error.absolute_path), _said(error, path)) for error in errors)


def _place(error: ValidationError) -> list[str]:
    return [str(step) for step in error.absolute_path]


@functools.cache
def _metaschema(dialect: str) -> Validator:
    judge = DIALECTS[dialect]
    return judge(judge.META_SCHEMA, registry=REGISTRY)


def _said(error: ValidationError, path: Path) -> str:
    """Say what is wrong in the part of a schema at `path`."""
    where = spelled((*path, *error.absolute_path)) or "schema"
    if error.validator == "anyOf" and error.absolute_path and error.absolute_path[-1] == "type":
        known = ("array", "boolean", "integer", "null", "number", "object", "string")
        hint = did_you_mean(str(error.instance), known, noun="types")
        return f"{where}: {shown(error.instance)} is not a type. {hint}"
    return f"{where}: {shown(error.instance)} is not allowed; wanted {wanted(str(error.validator), error)}."


# What only whoever uses it finds


def _patterns(schema: Schema) -> Iterator[Unsound]:
    """Yield the patterns that cannot be checked in linear time."""
    for path, part in _parts(schema, ()):
        named = part.get("patternProperties")
        found = [(("patternProperties", each), each) for each in (named if isinstance(named, Mapping) else ())]
        if isinstance(part.get("pattern"), str):
            found.insert(0, (("pattern",), part["pattern"]))  # type: ignore[arg-type]
        for step, pattern in found:
            if (reason := unusable(pattern)) is not None:
                where = spelled(path) or "schema"
                message = f"{where}: pattern {shown(pattern)} cannot be used: {reason}."
                yield Unsound((*path, *step), message)


def _parts(node: object, path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield every mapping that can be a schema; the values of `enum` and the like are data."""
    if isinstance(node, Mapping):
        yield path, node
        for key, child in node.items():
            if key not in {"enum", "const", "default", "examples"} or path[-1:] == ("properties",):
                yield from _parts(child, (*path, key))
    elif isinstance(node, list | tuple):
        for position, child in enumerate(node):
            yield from _parts(child, (*path, position))


def _references(schema: Schema, documents: Mapping[str, Schema]) -> Iterator[Unsound]:
    """Yield the references that lead nowhere, or to what nobody gave."""
    plain = plainly(schema)
    specification = specification_of(schema)
    resource = specification.create_resource(plain)
    base = resource.id() or ""
    registry = registry_with(documents).with_resource(base, resource).crawl()
    yield from _dangling(plain, (), registry.resolver(base), specification)


def _dangling(
    part: Any, path: Path, resolver: "Resolver[Any]", specification: "Specification[Any]"
) -> Iterator[Unsound]:
    if isinstance(part, list):
        for position, child in enumerate(part):
            yield from _dangling(child, (*path, position), resolver, specification)
    if not isinstance(part, dict):
        return
    if isinstance(part.get("$id"), str) and path:
        resolver = resolver.in_subresource(specification.create_resource(part))
    for keyword in _REFERENCES:
        reference = part.get(keyword)
        if isinstance(reference, str) and path[-1:] != ("properties",) and not _leads(resolver, reference):
            where = spelled(path) or "schema"
            message = f"{where}: {keyword} {reference!r} leads nowhere; only parts of the same schema can be named."
            yield Unsound((*path, keyword), message)
    for key, child in part.items():
        if key not in {"enum", "const", "default", "examples"} or path[-1:] == ("properties",):
            yield from _dangling(child, (*path, key), resolver, specification)


def _leads(resolver: "Resolver[Any]", reference: str) -> bool:
    try:
        resolver.lookup(reference)
    except (Unresolvable, ValueError):
        return False
    return True


_IN_PLACE = ("allOf", "anyOf", "oneOf")
_MOST_LOOKED_AT = 500


def _endless(schema: Schema) -> Iterator[Unsound]:
    """Yield the references that lead back to where they stand, with nothing in between that ends."""
    for path, part in _parts(schema, ()):
        reference = part.get("$ref")
        if isinstance(reference, str) and _comes_back(target(reference, schema), part, schema):
            where = spelled(path) or "schema"
            message = f"{where}: $ref {reference!r} leads back to itself without end."
            yield Unsound((*path, "$ref"), message)


def _comes_back(start: Schema | None, part: Mapping[str, Any], root: Schema) -> bool:
    """Tell whether what holds at the place of `start` holds `part` as well."""
    waiting: list[object] = [start]
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_LOOKED_AT:
        held = waiting.pop()
        if held is part:
            return True
        if not isinstance(held, Mapping) or id(held) in seen:
            continue
        seen.add(id(held))
        waiting.append(target(held.get("$ref"), root))
        for keyword in _IN_PLACE:
            waiting += each if isinstance(each := held.get(keyword), list) else []
    return False

"""JSON Schema as a judge of arguments and results: `faults` of a value, `valid_schema` of a schema.

The dialect is 2020-12; a schema whose `$schema` names 2019-09, draft 7 or draft 6 is judged by that one.
Nothing is fetched: a reference leads into the schema itself, or to the schema of a draft. Not here: how
arguments are found or mended (`bind`).
"""

import functools
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, cast

from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema_specifications import REGISTRY
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, specification_with

from pegboard.catalog.schema.linear import DIALECTS, LATEST, linear, unnamed, unusable
from pegboard.catalog.schema.plain import emptied, is_plain, is_plain_itself, schemas_in
from pegboard.catalog.schema.words import Path, shown, wanted
from pegboard.text import Json, did_you_mean, spelled

DEEPEST = 64
"""Levels of nesting that a value may have."""
MOST_NODES = 100_000
"""Values, inner ones included, that a value may hold."""

_KEPT_JUDGES = 2048
_MOST_TOLD = 20
"""Sentences about one schema."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that keeps a value from fitting a schema."""

    path: Path
    """Where it is: keys and positions from the outside in; empty for the value itself."""
    keyword: str
    """The keyword that refuses it, such as `type`; `limits` when the value is too large or too deep."""
    message: str
    """What is named, what was found, what was wanted."""
    missing: str = ""
    """Name of the key that is not there, for the keyword `required`."""

    @property
    def pointer(self) -> str:
        """Where it is, as a JSON pointer (RFC 6901); of a key that is not there, where it should be."""
        steps = [*self.path, self.missing] if self.missing else self.path
        return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def faults(value: Json, schema: Mapping[str, Json], *, noun: str = "argument") -> list[Fault]:
    """Return what keeps `value` from fitting `schema`, outermost first; empty when it fits.

    A key is called `noun` in messages. A schema that cannot be used is a fault too, and not an error.
    """
    if (beyond := excess(value)) is not None:
        return [Fault((), "limits", f"The {noun}s are {beyond}.")]
    judge = _judge(schema)
    if judge.problems:
        return [Fault((), "schema", f"The schema cannot be used: {problem}") for problem in judge.problems]
    try:
        found = list(judge.validator.iter_errors(value))
    except RecursionError:
        return [Fault((), "$ref", "The schema refers to itself without end.")]
    except Unresolvable as error:
        return [Fault((), "$ref", f"The schema cannot be used: {error}.")]
    told = [fault for error in found for fault in _faults_of(error, noun)]
    return sorted(told, key=lambda fault: [str(step) for step in fault.path])


def valid_schema(schema: Mapping[str, Json]) -> list[str]:
    """Return what is wrong with `schema` as a JSON Schema 2020-12, a sentence each; empty when nothing is."""
    if (beyond := excess(dict(schema))) is not None:
        return [f"The schema is {beyond}."]
    if (dialect := _dialect(schema)) not in DIALECTS:
        hint = did_you_mean(dialect, DIALECTS, noun="dialects")
        return [f"$schema: {shown(schema['$schema'])} is not a dialect that can be judged. {hint}"]
    if is_plain(schema):
        return []
    wrong = list(islice(_wrong_parts(schema, dialect), _MOST_TOLD))
    return wrong or list(islice(chain(_part_problems(schema), _reference_problems(schema)), _MOST_TOLD))


def _wrong_parts(schema: Mapping[str, Json], dialect: str) -> Iterator[str]:
    """Yield what the metaschema finds; only what is not plain is shown to it."""
    for path, part in schemas_in(schema):
        if not is_plain_itself(part):
            errors = sorted(_metaschema(dialect).iter_errors(emptied(part)), key=_place)
            yield from (_of_schema(error, path) for error in errors)


def _dialect(schema: Mapping[str, Json]) -> str:
    """Return the dialect that `schema` names, as drafts spell it: up to draft 7 with `http`."""
    named = str(schema.get("$schema", LATEST)).rstrip("#")
    return named.replace("https://json-schema.org/draft-0", "http://json-schema.org/draft-0")


def _place(error: ValidationError) -> list[str]:
    return [str(step) for step in error.absolute_path]


# Limits


def excess(value: object) -> str | None:
    """Say by what `value` goes beyond the limits, without recursion; None when it is within them."""
    nodes = 0
    level: list[object] = [value]
    for _depth in range(DEEPEST + 1):
        nodes += len(level)
        if nodes > MOST_NODES:
            return f"too large: more than {MOST_NODES:,} values"
        if not level:
            return None
        level = [child for node in level for child in _children(node)]
    return f"nested too deeply: more than {DEEPEST} levels" if level else None


def _children(node: object) -> Iterable[object]:
    if isinstance(node, Mapping):
        return node.values()
    return node if isinstance(node, list | tuple) else ()


# Validators


@dataclass(frozen=True, slots=True)
class _Judge:
    schema: Mapping[str, Json]
    validator: Validator
    problems: tuple[str, ...]


_kept: "OrderedDict[int, _Judge]" = OrderedDict()


def _judge(schema: Mapping[str, Json]) -> _Judge:
    """Return the judge of `schema`, made once for each schema object, by identity."""
    kept = _kept.get(id(schema))
    if kept is not None and kept.schema is schema:
        return kept
    validator = linear(_dialect(schema))(_plain(schema), registry=REGISTRY)
    judge = _kept[id(schema)] = _Judge(schema, validator, tuple(valid_schema(schema)))
    while len(_kept) > _KEPT_JUDGES:
        _kept.popitem(last=False)
    return judge


def _plain(value: object) -> Any:
    """Return `value` with dicts for mappings and lists for tuples, as jsonschema tells objects and arrays."""
    if isinstance(value, Mapping):
        return {key: _plain(child) for key, child in value.items()}
    return [_plain(child) for child in value] if isinstance(value, list | tuple) else value


@functools.cache
def _metaschema(dialect: str) -> Validator:
    judge = DIALECTS[dialect]
    return judge(judge.META_SCHEMA, registry=REGISTRY)


# What is wrong with a value, in words


def _faults_of(error: ValidationError, noun: str) -> Iterator[Fault]:
    path: Path = tuple(error.absolute_path)
    keyword = str(error.validator)
    if keyword == "required":
        yield from _missing(error, path, noun)
    elif keyword == "additionalProperties":
        yield from _unknown(error, path, noun)
    else:
        subject = f"{noun.capitalize()} {spelled(path)!r} is" if path else f"The {noun}s are"
        message = f"{subject} {shown(error.instance)}; wanted {wanted(keyword, error)}."
        yield Fault(path, keyword, message)


def _unknown(error: ValidationError, path: Path, noun: str) -> Iterator[Fault]:
    schema = _schema_of(error)
    for extra in unnamed(cast("Mapping[str, Any]", error.instance), schema):
        name = spelled((*path, extra))
        hint = did_you_mean(extra, schema.get("properties", {}), noun=f"{noun}s")
        yield Fault((*path, extra), "additionalProperties", f"Unknown {noun} {name!r}. {hint}".strip())


def _missing(error: ValidationError, path: Path, noun: str) -> Iterator[Fault]:
    """Yield the one key that this error is about: jsonschema gives an error for each."""
    schema = _schema_of(error)
    name = next((key for key in schema["required"] if f"{key!r} is" in error.message), "")
    below = schema.get("properties", {}).get(name, {})
    described = below.get("description", "") if isinstance(below, dict) else ""
    message = f"Missing {noun} {spelled((*path, name))!r}" + (f": {described}" if described else "")
    yield Fault(path, "required", message.rstrip(". ") + ".", missing=name)


def _schema_of(error: ValidationError) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", error.schema)


# What is wrong with a schema, in words


def _of_schema(error: ValidationError, path: Path) -> str:
    """Say what is wrong in the part of a schema at `path`."""
    where = spelled((*path, *error.absolute_path)) or "schema"
    if error.validator == "anyOf" and error.absolute_path and error.absolute_path[-1] == "type":
        known = ("array", "boolean", "integer", "null", "number", "object", "string")
        hint = did_you_mean(str(error.instance), known, noun="types")
        return f"{where}: {shown(error.instance)} is not a type. {hint}"
    return f"{where}: {shown(error.instance)} is not allowed; wanted {wanted(str(error.validator), error)}."


def _part_problems(schema: object) -> Iterator[str]:
    """Yield what each part of a schema holds that cannot be checked in linear time."""
    for path, part in _parts(schema, ()):
        patterns = [part["pattern"]] if isinstance(part.get("pattern"), str) else []
        named = part.get("patternProperties")
        patterns += list(named) if isinstance(named, Mapping) else []
        for pattern in patterns:
            if (reason := unusable(pattern)) is not None:
                yield f"{spelled(path) or 'schema'}: pattern {shown(pattern)} cannot be used: {reason}."
        if named and "unevaluatedProperties" in part:
            where = spelled(path) or "schema"
            yield f"{where}: 'unevaluatedProperties' beside 'patternProperties' is not supported."


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


def _reference_problems(schema: Mapping[str, Json]) -> Iterator[str]:
    """Yield the references that lead nowhere, or outside."""
    resource = specification_with(_dialect(schema), default=DRAFT202012).create_resource(_plain(schema))
    base = resource.id() or ""
    resolver = REGISTRY.with_resource(base, resource).resolver(base)
    for path, part in _parts(schema, ()):
        reference = part.get("$ref")
        if not isinstance(reference, str) or "$id" in part:
            continue
        try:
            resolver.lookup(reference)
        except (Unresolvable, ValueError):
            where = spelled(path) or "schema"
            yield f"{where}: $ref {reference!r} leads nowhere; only parts of the same schema can be named."

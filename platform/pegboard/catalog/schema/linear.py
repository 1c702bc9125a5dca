"""JSON Schema validators whose patterns run on google-re2: in linear time, whatever pattern and value are.

What grows faster than a value is judged otherwise too: `equality` has what is unique, `effort` counts the steps.
RE2 has no look-around and no back-references; `compiled` says so.
"""

import functools
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import re2
from jsonschema import Draft4Validator, Draft6Validator, Draft7Validator, Draft201909Validator, Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from pegboard.catalog.schema.effort import spend, spend_on_error
from pegboard.catalog.schema.equality import are_unique, is_multiple
from pegboard.catalog.schema.evaluated import evaluated
from pegboard.catalog.schema.pattern import translated

LATEST = "https://json-schema.org/draft/2020-12/schema"
"""The dialect of a schema that names none."""

DRAFT_7 = "http://json-schema.org/draft-07/schema"
DRAFT_4 = "http://json-schema.org/draft-04/schema"

DIALECTS: dict[str, type[Validator]] = {
    LATEST: Draft202012Validator,
    "https://json-schema.org/draft/2019-09/schema": Draft201909Validator,
    DRAFT_7: Draft7Validator,
    "http://json-schema.org/draft-06/schema": Draft6Validator,
    DRAFT_4: Draft4Validator,
}
"""The validators of `jsonschema` by the dialect that they judge."""

_WITHOUT_UNEVALUATED = frozenset(dialect for dialect in DIALECTS if dialect.startswith("http:"))
"""Dialects before 2019-09, which have no `unevaluatedProperties`."""


@functools.cache
def linear(dialect: str) -> type[Validator]:
    """Return a validator class of `dialect` whose patterns run in linear time."""
    own: dict[str, Any] = {
        "pattern": _check_pattern,
        "patternProperties": _check_pattern_properties,
        "additionalProperties": _check_additional_properties,
        "uniqueItems": _check_unique_items,
        "multipleOf": _check_multiple_of,
    }
    if dialect not in _WITHOUT_UNEVALUATED:
        own["unevaluatedProperties"] = _check_unevaluated_properties
        own["dependencies"] = Draft7Validator.VALIDATORS["dependencies"]  # still written, and never meant otherwise
    base = DIALECTS.get(dialect, Draft202012Validator)
    validator: Any = extend(base, own)  # type: ignore[no-untyped-call]
    _count_steps(validator)
    found: type[Validator] = validator
    return found


def _count_steps(validator: Any) -> None:
    """Have each schema that is held to a value counted; `jsonschema` has no other place for it than its class."""
    descend, iter_errors = validator.descend, validator.iter_errors

    def counted_descend(self: Any, instance: Any, *given: Any, **named: Any) -> Iterator[ValidationError]:
        spend(instance)
        for error in descend(self, instance, *given, **named):
            spend_on_error()
            yield error

    def counted_errors(self: Any, instance: Any, *given: Any, **named: Any) -> Iterator[ValidationError]:
        spend(instance)
        return iter_errors(self, instance, *given, **named)  # type: ignore[no-any-return]

    def evolve(self: Any, **changes: Any) -> Any:
        """Return this with another schema, of the dialect that it names itself, and as linear as this one."""
        schema = changes.get("schema")
        named = schema.get("$schema") if isinstance(schema, dict) else None
        of = linear(named.rstrip("#")) if isinstance(named, str) and named.rstrip("#") in DIALECTS else type(self)
        kept = {name: getattr(self, attribute) for attribute, name in _FIELDS}
        return of(**{**kept, **changes})

    validator.descend, validator.iter_errors, validator.evolve = counted_descend, counted_errors, evolve


_CLASS: Any = Draft202012Validator
_FIELDS = tuple((field.name, field.alias) for field in attrs.fields(_CLASS) if field.init)
"""Of a validator: each with the name by which it is given."""


_MOST_MEMORY = 2 << 20
"""Bytes that one compiled pattern may take."""
_LONGEST = 10_000
"""Characters of a pattern."""
_LARGEST = 20_000
"""Steps of one compiled pattern."""
_TOO_LARGE = "the pattern is too large"


@functools.lru_cache(maxsize=1024)
def compiled(pattern: str) -> Any:
    """Compile a pattern for google-re2.

    Raises:
        re2.error: It is no regular expression, or needs what linear time cannot give.
    """
    if len(pattern) > _LONGEST:
        raise re2.error(f"it has {len(pattern):,} characters, more than {_LONGEST:,}")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MOST_MEMORY
    found = re2.compile(translated(pattern), options)
    if found.programsize > _LARGEST:
        raise re2.error(_TOO_LARGE)
    return found


def _check_pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not compiled(pattern).search(_encodable(instance)):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _check_pattern_properties(validator: Any, patterns: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for pattern, below in patterns.items():
            for key, value in instance.items():
                if compiled(pattern).search(_encodable(key)):
                    yield from validator.descend(value, below, path=key, schema_path=pattern)


def _check_additional_properties(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    extras = unnamed(instance, schema)
    if isinstance(wanted, dict):
        for extra in extras:
            yield from validator.descend(instance[extra], wanted, path=extra)
    elif wanted is False and extras:
        yield ValidationError(f"{', '.join(map(repr, extras))} not allowed")


def _check_unique_items(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if wanted and isinstance(instance, list) and not are_unique(instance):
        yield ValidationError("items are equal")


def _check_multiple_of(validator: Any, of: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, int | float) and not isinstance(instance, bool) and not is_multiple(instance, of):
        yield ValidationError("no multiple")


def _check_unevaluated_properties(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict) or wanted is True:
        return
    known = evaluated(validator, instance, schema, matches=_matches)
    for key, value in instance.items():
        if key in known:
            continue
        if wanted is False:
            yield ValidationError(f"{key!r} is not allowed", path=[key])
        else:
            yield from validator.descend(value, wanted, path=key)


def _matches(pattern: str, name: str) -> bool:
    return compiled(pattern).search(_encodable(name)) is not None


def unnamed(instance: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """Return the keys that neither `properties` nor `patternProperties` name, in their order."""
    named = schema.get("properties", {})
    patterns = [compiled(pattern) for pattern in schema.get("patternProperties", {})]
    return [
        key for key in instance if key not in named and not any(pattern.search(_encodable(key)) for pattern in patterns)
    ]


def _encodable(text: str) -> str:
    """Return `text` without lone surrogates, which re2 cannot take."""
    return text.encode("utf-8", "replace").decode("utf-8")


def unusable(pattern: str) -> str | None:
    """Say why `pattern` cannot be used, or None."""
    try:
        compiled(pattern)
    except re2.error as error:
        reason = error.args[0]
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        what, _, where = text.partition(": ")
        said = f"{what} at {where!r}" if where else what
        return f"{said}; {_LIMITS}" if what in _NOT_LINEAR else said
    return None


_LIMITS = "patterns run in linear time, without look-around and back-references"
_NOT_LINEAR = frozenset({"invalid perl operator", "invalid escape sequence", "invalid repetition size", _TOO_LARGE})
"""What RE2 says of a pattern that another engine may take."""

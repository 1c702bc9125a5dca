"""JSON Schema as a judge of arguments and results: `faults` of a value, or a `checker` of many.

Not here: whether a schema is one (`sound`), what is compiled of it (`judge`), how arguments are found or mended
(`bind`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, TypeAlias, cast

from jsonschema.exceptions import ValidationError
from referencing.exceptions import Unresolvable

from pegboard.catalog.schema.effort import TooMuch, bounded
from pegboard.catalog.schema.judge import Judge, judge_of, made_of
from pegboard.catalog.schema.limits import DEEPEST, MOST_NODES, excess
from pegboard.catalog.schema.linear import unnamed
from pegboard.catalog.schema.sound import valid_schema
from pegboard.catalog.schema.words import Path, forms, is_of_another_kind, shown, wanted, wanted_of_hidden
from pegboard.text import Json, did_you_mean, spelled

__all__ = ["DEEPEST", "MOST_NODES", "Checker", "Fault", "checker", "excess", "faults", "valid_schema"]

_MOST_TOLD = 100
"""Faults of one value; what is wrong in more places is another kind of value."""


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
    wanted: str = field(default="", compare=False)
    """What was wanted, in words that hold nothing of the value; empty where it is no matter of the value."""

    @property
    def pointer(self) -> str:
        """Where it is, as a JSON pointer (RFC 6901); of a key that is not there, where it should be."""
        steps = [*self.path, self.missing] if self.missing else self.path
        return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


Checker: TypeAlias = Callable[[Json], list[Fault]]
"""What keeps a value from fitting one schema, outermost first; empty when it fits."""


def faults(value: Json, schema: Mapping[str, Json], *, noun: str = "argument") -> list[Fault]:
    """Return what keeps `value` from fitting `schema`, outermost first; empty when it fits.

    A key is called `noun` in messages. A schema that cannot be used is a fault too, and not an error. What is
    compiled of a schema is kept, so it must not change.
    """
    return _found(judge_of(schema), noun, value)


def checker(
    schema: Mapping[str, Json], *, noun: str = "argument", documents: Mapping[str, Mapping[str, Json]] | None = None
) -> Checker:
    """Return what checks values against `schema`, compiled once; see `faults`.

    `documents` by their URI are what the schema may refer to besides itself and the drafts; nothing is fetched.
    """
    return partial(_found, made_of(schema, documents) if documents else judge_of(schema), noun)


def _found(judge: Judge, noun: str, value: Json) -> list[Fault]:
    if (beyond := excess(value)) is not None:
        return [Fault((), "limits", f"The {noun}s are {beyond}.")]
    if judge.problems:
        return [Fault((), "schema", f"The schema cannot be used: {problem}") for problem in judge.problems]
    try:
        with bounded():
            errors = list(islice(judge.validator.iter_errors(value), _MOST_TOLD))
        told = [fault for error in errors for fault in islice(_faults_of(error, noun), _MOST_TOLD)]
    except TooMuch:
        return [Fault((), "limits", f"The {noun}s are too much to judge: their schema would look at them too often.")]
    except RecursionError:
        return [Fault((), "$ref", "The schema refers to itself without end.")]
    except Unresolvable as error:
        return [Fault((), "$ref", f"The schema cannot be used: {error}.")]
    except (ArithmeticError, ValueError):  # of Python's own, which writes no number of more than 4,300 digits
        return [Fault((), "limits", f"The {noun}s hold a number that is too large to judge.")]
    return sorted(dict.fromkeys(told), key=lambda fault: [str(step) for step in fault.path])


# In words


def _faults_of(error: ValidationError, noun: str) -> Iterator[Fault]:
    path: Path = tuple(error.absolute_path)
    keyword = str(error.validator)
    if keyword == "required":
        yield from _missing(error, path, noun)
    elif keyword == "additionalProperties":
        yield from _unknown(error, path, noun)
    elif keyword in ("anyOf", "oneOf") and (meant := _meant(error)):
        for each in meant:
            yield from _faults_of(each, noun)
    else:
        subject = f"{noun.capitalize()} {spelled(path)!r} is" if path else f"The {noun}s are"
        message = f"{subject} {shown(error.instance)}; wanted {wanted(keyword, error)}."
        yield Fault(path, keyword, message, wanted=wanted_of_hidden(keyword, error))


def _meant(error: ValidationError) -> list[ValidationError]:
    """Return what is wrong with the one form of `anyOf` or `oneOf` that the value is of; empty: it is of none."""
    inside = [below for below in forms(error) if not any(is_of_another_kind(each) for each in below)]
    return inside[0] if len(inside) == 1 else []


def _unknown(error: ValidationError, path: Path, noun: str) -> Iterator[Fault]:
    schema = _schema_of(error)
    for extra in unnamed(cast("Mapping[str, Any]", error.instance), schema):
        name = spelled((*path, extra))
        hint = did_you_mean(extra, schema.get("properties", {}), noun=f"{noun}s")
        message = f"Unknown {noun} {name!r}. {hint}".strip()
        yield Fault((*path, extra), "additionalProperties", message, wanted="no other keys than its schema names")


def _missing(error: ValidationError, path: Path, noun: str) -> Iterator[Fault]:
    """Yield the one key that this error is about: jsonschema gives an error for each."""
    schema = _schema_of(error)
    name = next((key for key in schema["required"] if f"{key!r} is" in error.message), "")
    below = schema.get("properties", {}).get(name, {})
    described = below.get("description", "") if isinstance(below, dict) else ""
    message = f"Missing {noun} {spelled((*path, name))!r}" + (f": {described}" if described else "")
    yield Fault(path, "required", message.rstrip(". ") + ".", missing=name, wanted=f"the key {name!r}")


def _schema_of(error: ValidationError) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", error.schema)

"""From the annotations of a function to JSON Schemas, and from JSON back to what the annotations name.

Schemas are made for each parameter by itself: no class is made, so that a parameter may have any name. What `pydantic`
knows (dataclasses, models, typed dictionaries, enumerations, dates) it does; an annotation that no schema says is any.
"""

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from pegboard.catalog.loading.typed_dicts import readable
from pegboard.text import Json

Convert: TypeAlias = Callable[[Any], Any]
"""From a JSON value that fits the schema to what the function takes; raises `pydantic.ValidationError`."""

SCHEMAS: Mapping[object, dict[str, Json]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    list[str]: {"type": "array", "items": {"type": "string"}},
    list[int]: {"type": "array", "items": {"type": "integer"}},
    list[float]: {"type": "array", "items": {"type": "number"}},
}
"""What the usual annotations say; their values need no conversion."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What annotations say of parameters."""

    schemas: Mapping[str, dict[str, Json]]
    definitions: Mapping[str, Json] = field(default_factory=dict)
    """What the schemas refer to, as it stands under `$defs`."""
    conversions: Mapping[str, Convert] = field(default_factory=dict)
    """For the parameters that do not take JSON as it is."""


def typed(annotations: Mapping[str, Any], *, optional: frozenset[str] = frozenset()) -> Typed:
    """Return what the `annotations` of parameters say; of those that are `optional`, null is left out."""
    schemas: dict[str, dict[str, Json]] = {}
    adapters: dict[str, TypeAdapter[Any]] = {}
    for name, annotation in annotations.items():
        held = _without_null(annotation) if name in optional else annotation
        if (usual := _usual(held)) is not None:
            schemas[name] = usual
        elif (adapter := _adapter(held)) is not None:
            adapters[name] = adapter
        else:
            schemas[name] = {}
    made, definitions = _schemas(adapters)
    whole = {name: _told(made.get(name, schemas.get(name, {})), hint) for name, hint in annotations.items()}
    conversions = {name: adapter.validate_python for name, adapter in adapters.items()}
    return Typed(whole, definitions, conversions)


def _without_null(annotation: Any) -> Any:
    """Return what an annotation says of a value that is there."""
    if typing.get_origin(annotation) is typing.Annotated:
        inner, *metadata = typing.get_args(annotation)
        return typing.Annotated[(_without_null(inner), *metadata)]
    inner = [part for part in typing.get_args(annotation) if part is not type(None)]
    is_union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    return typing.Union[tuple(inner)] if is_union and inner else annotation  # noqa: UP007 (made of a list)


def _usual(annotation: Any) -> dict[str, Json] | None:
    """Return the schema of an annotation whose values are JSON as it is; None: look closer."""
    if typing.get_origin(annotation) is typing.Annotated:
        inner, *metadata = typing.get_args(annotation)
        return _usual(inner) if all(isinstance(each, str) for each in metadata) else None
    if typing.get_origin(annotation) is typing.Literal:
        choices = typing.get_args(annotation)
        if any(isinstance(choice, bytes) for choice in choices):
            return {}
        return {"enum": list(choices)} if all(type(choice) in (str, int, bool) for choice in choices) else None
    if annotation is Any or annotation is object:
        return {}
    try:
        return dict(found) if (found := SCHEMAS.get(annotation)) is not None else None
    except TypeError:  # an annotation that cannot be hashed
        return None


def _adapter(annotation: Any) -> "TypeAdapter[Any] | None":
    """Return what pydantic makes of an annotation; None where it is none that JSON can say."""
    try:
        adapter = TypeAdapter(readable(annotation))
        adapter.json_schema(schema_generator=_Generator)
    except (PydanticUserError, TypeError, NameError, ValueError, AttributeError, RecursionError):
        return None
    return adapter


def _schemas(adapters: "Mapping[str, TypeAdapter[Any]]") -> tuple[dict[str, dict[str, Json]], dict[str, Json]]:
    """Return the schemas of `adapters`, and the definitions that they share."""
    if not adapters:
        return {}, {}
    inputs = [(name, "validation", adapter) for name, adapter in adapters.items()]
    made, rest = TypeAdapter.json_schemas(inputs, schema_generator=_Generator)  # type: ignore[arg-type]
    definitions: dict[str, Json] = rest.get("$defs", {})
    return {name: _with_choices(schema, definitions) for (name, _), schema in made.items()}, definitions


def _with_choices(schema: Mapping[str, Json], definitions: Mapping[str, Json]) -> dict[str, Json]:
    """Return `schema` with the choices of an enumeration in the place of the reference to it."""
    reference = schema.get("$ref")
    found = definitions.get(reference.rpartition("/")[2]) if isinstance(reference, str) else None
    if not isinstance(found, dict) or "enum" not in found:
        return dict(schema)
    kept = {key: value for key, value in found.items() if key != "title"}
    return {**kept, **{key: value for key, value in schema.items() if key != "$ref"}}


class _Generator(GenerateJsonSchema):
    """Pydantic's schemas without titles made of names, and without patterns that need look-around."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def decimal_schema(self, schema: Any) -> JsonSchemaValue:
        return {"type": "string", "format": "decimal"}


def _told(schema: dict[str, Json], annotation: Any) -> dict[str, Json]:
    """Return `schema` with the words that stand beside its type: `Annotated[str, "full name of the city"]`."""
    metadata = typing.get_args(annotation)[1:] if typing.get_origin(annotation) is typing.Annotated else ()
    words = next((each for each in metadata if isinstance(each, str)), "")
    return {**schema, "description": words} if words else schema

"""Swagger 2.0 as OpenAPI 3: the parts that requests are made of."""

from collections.abc import Mapping, Sequence

from pegboard.handlers.openapi.reading import items, mapping, words
from pegboard.text import Json

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_OF_SCHEMA = (
    "type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
    "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf",
)  # fmt: skip
_STYLES: Mapping[str, tuple[str, bool]] = {
    "csv": ("form", False),
    "ssv": ("spaceDelimited", False),
    "tsv": ("spaceDelimited", False),
    "pipes": ("pipeDelimited", False),
    "multi": ("form", True),
}
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


def as_openapi(old: Mapping[str, Json]) -> dict[str, Json]:
    """Return a Swagger 2.0 document in the form of OpenAPI 3."""
    parameters = mapping(old.get("parameters"))
    bodies: dict[str, Json] = {}
    others: dict[str, Json] = {}
    for name, each in parameters.items():
        (bodies if mapping(each).get("in") in ("body", "formData") else others)[name] = each
    paths: dict[str, Json] = {}
    for path, written in mapping(old.get("paths")).items():
        paths[path] = _path(mapping(written), old, bodies)
    schemes: dict[str, Json] = {
        name: _scheme(mapping(each)) for name, each in mapping(old.get("securityDefinitions")).items()
    }
    return {
        "openapi": "3.0.0",
        "info": old.get("info"),
        "servers": _servers(old),
        "security": old.get("security", []),
        "paths": paths,
        "components": {
            "schemas": old.get("definitions", {}),
            "parameters": {name: _parameter(mapping(each)) for name, each in others.items()},
            "securitySchemes": schemes,
        },
        "definitions": old.get("definitions", {}),
    }


def _servers(old: Mapping[str, Json]) -> list[Json]:
    host, base = words(old.get("host")), words(old.get("basePath"))
    schemes = [words(each) for each in items(old.get("schemes"))]
    scheme = "https" if "https" in schemes or not schemes else schemes[0]
    return [{"url": f"{scheme}://{host}{base}" if host else base or "/"}]


def _path(written: Mapping[str, Json], old: Mapping[str, Json], bodies: Mapping[str, Json]) -> Json:
    shared = [_known(each, bodies) for each in items(written.get("parameters"))]
    made: dict[str, Json] = {key: value for key, value in written.items() if key not in (*_METHODS, "parameters")}
    for method in _METHODS:
        if isinstance(operation := written.get(method), dict):
            made[method] = _operation(operation, shared, old, bodies)
    return made


def _known(parameter: Json, bodies: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return a parameter itself where a reference leads to a body, which is no parameter in OpenAPI 3."""
    reference = words(mapping(parameter).get("$ref"))
    name = reference.removeprefix("#/parameters/")
    if name in bodies:
        return mapping(bodies[name])
    return {"$ref": f"#/components/parameters/{name}"} if name != reference else mapping(parameter)


def _operation(
    operation: Mapping[str, Json],
    shared: Sequence[Mapping[str, Json]],
    old: Mapping[str, Json],
    bodies: Mapping[str, Json],
) -> Json:
    own = [_known(each, bodies) for each in items(operation.get("parameters"))]
    named = {_key(each) for each in own}
    every = [*own, *(each for each in shared if "$ref" in each or _key(each) not in named)]
    consumes = [words(each) for each in items(operation.get("consumes", old.get("consumes")))]
    made: dict[str, Json] = {key: value for key, value in operation.items() if key not in ("parameters", "responses")}
    made["parameters"] = [_parameter(each) for each in every if each.get("in") not in ("body", "formData")]
    body = next((each for each in every if each.get("in") == "body"), None)
    fields = [each for each in every if each.get("in") == "formData"]
    if body is not None:
        kinds = consumes or ["application/json"]
        made["requestBody"] = {
            "description": body.get("description", ""),
            "required": body.get("required", False),
            "content": {kind: {"schema": body.get("schema", {})} for kind in kinds},
        }
    elif fields:
        made["requestBody"] = _form(fields, consumes)
    return made


def _key(parameter: Mapping[str, Json]) -> tuple[str, str]:
    return words(parameter.get("in")), words(parameter.get("name"))


def _form(fields: Sequence[Mapping[str, Json]], consumes: Sequence[str]) -> Json:
    has_file = any(each.get("type") == "file" for each in fields)
    kinds = [kind for kind in consumes if kind in _FORMS] or [_FORMS[1]]
    kind = _FORMS[0] if has_file else kinds[0]
    properties: dict[str, Json] = {}
    encoding: dict[str, Json] = {}
    for each in fields:
        name = words(each.get("name"))
        properties[name] = {**_schema(each), "description": each.get("description", "")}
        if each.get("type") == "array":
            style, explode = _style(each)
            encoding[name] = {"style": style, "explode": explode}
    needed: list[Json] = [each.get("name") for each in fields if each.get("required") is True]
    schema: dict[str, Json] = {"type": "object", "properties": properties, "required": needed}
    return {"required": bool(needed), "content": {kind: {"schema": schema, "encoding": encoding}}}


def _parameter(parameter: Mapping[str, Json]) -> Json:
    if "$ref" in parameter:
        return dict(parameter)
    made: dict[str, Json] = {
        key: parameter[key] for key in ("name", "in", "description", "required") if key in parameter
    }
    made["schema"] = _schema(parameter)
    if parameter.get("type") == "array":
        style, explode = _style(parameter)
        is_simple = parameter.get("in") in ("path", "header")
        made |= {"style": "simple" if is_simple else style, "explode": explode and not is_simple}
    return made


def _style(parameter: Mapping[str, Json]) -> tuple[str, bool]:
    return _STYLES.get(words(parameter.get("collectionFormat")), _STYLES["csv"])


def _schema(parameter: Mapping[str, Json]) -> dict[str, Json]:
    if parameter.get("type") == "file":
        return {"type": "string", "format": "binary"}
    return {key: parameter[key] for key in _OF_SCHEMA if key in parameter}


def _scheme(old: Mapping[str, Json]) -> Json:
    if old.get("type") == "basic":
        return {"type": "http", "scheme": "basic", "description": old.get("description", "")}
    return dict(old)

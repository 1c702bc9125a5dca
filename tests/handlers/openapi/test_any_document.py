"""Whatever a document holds: its operations become tools with legal names and valid schemas, or are left out."""

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.schema.faults import valid_schema
from pegboard.handlers.openapi.arguments import arguments_of
from pegboard.handlers.openapi.parse import parse
from pegboard.handlers.openapi.schemas import Schemas
from pegboard.handlers.openapi.shown import shown
from pegboard.text import Json

_WORDS = st.sampled_from(
    ["/a/{id}", "#/paths", "get", "post", "parameters", "requestBody", "name", "in", "query", "path", "header", "body", "formData", "schema", "content", "type", "string", "object", "array", "file", "required", "properties", "allOf", "$ref", "#/components/schemas/A", "#/definitions/A", "#/parameters/P", "items", "style", "deepObject", "explode", "encoding", "multipart/form-data", "application/json", "operationId", "tags", "security", "servers", "url", "summary", "description", "collectionFormat", "multi", "consumes", "deprecated", "http://x"]
)  # fmt: skip
_ANY: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 300) | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=5),
    max_leaves=25,
)
_PARAMETER = st.fixed_dictionaries(
    {},
    optional={
        "name": _ANY,
        "in": st.sampled_from(["path", "query", "header", "cookie", "body", "formData"]) | _ANY,
        "schema": _ANY,
        "style": _ANY,
        "required": _ANY,
        "content": _ANY,
        "type": _ANY,
        "collectionFormat": _ANY,
        "$ref": _WORDS,
    },
)
_OPERATION = st.fixed_dictionaries(
    {},
    optional={
        "operationId": _ANY,
        "parameters": st.lists(_PARAMETER | _ANY, max_size=4) | _ANY,
        "requestBody": st.fixed_dictionaries({"content": st.dictionaries(_WORDS, _ANY, max_size=3)}) | _ANY,
        "security": _ANY,
        "servers": _ANY,
        "tags": _ANY,
        "summary": _ANY,
        "description": _ANY,
        "consumes": _ANY,
    },
)
_PATHS = st.dictionaries(
    _WORDS, st.dictionaries(st.sampled_from(["get", "post", "parameters"]), _OPERATION | _ANY) | _ANY
)
_REST = st.fixed_dictionaries(
    {},
    optional={
        "info": _ANY,
        "servers": _ANY,
        "components": st.dictionaries(
            st.sampled_from(["schemas", "parameters", "securitySchemes"]), st.dictionaries(_WORDS, _ANY) | _ANY
        ),
        "definitions": _ANY,
        "parameters": st.dictionaries(_WORDS, _PARAMETER | _ANY, max_size=3) | _ANY,
        "securityDefinitions": _ANY,
        "security": _ANY,
        "host": _ANY,
        "schemes": _ANY,
        "consumes": _ANY,
    },
)


@given(version=st.sampled_from(["openapi", "swagger"]), paths=_PATHS, rest=_REST)
def test_any_document_gives_tools_that_can_be_used(version: str, paths: Any, rest: dict[str, Any]) -> None:
    api = parse({version: "3.0.0" if version == "openapi" else "2.0", "paths": paths, **rest})
    schemas = Schemas(api.references)
    names = [each.name for each in api.operations.values()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in names)
    for operation in api.operations.values():
        made = arguments_of(operation, schemas).schema
        assert valid_schema(made) == []
        assert valid_schema(shown(made, most_bytes=300)) == []
        assert operation.description.strip()

"""The schemas of documents: JSON Schema for YAML and JSON, RELAX NG for XML; and of what `platform check` says.

They are made of the declarations' types and lie in `schemas/` for editors: `platform schema` writes them, and a
test compares. What is served is judged by `load`, which says more, and says where.
"""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from pegboard.config.declarations import Document
from pegboard.config.relaxng import xml_schema
from pegboard.config.report import CheckShape
from pegboard.text import Json, to_json

DOCUMENT_FILE = "document.json"
XML_FILE = "tools.rng"
CHECK_FILE = "check.json"


class _Schema(GenerateJsonSchema):
    """Without the titles that only repeat the names of fields."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def document_schema() -> dict[str, Json]:
    """Return the JSON Schema (2020-12) of a document in YAML or JSON."""
    schema: dict[str, Any] = Document.model_json_schema(schema_generator=_Schema, mode="validation")
    for key in ("const", "type"):  # a number is read as the text that it can only mean
        schema["properties"]["version"].pop(key, None)
    schema["properties"]["version"]["enum"] = ["1", 1]
    schema["properties"]["$schema"] = {"type": "string", "description": "This schema, for editors."}
    schema["patternProperties"] = {"^x-": {"description": "Yours: read over, and a home for anchors."}}
    return {"$schema": GenerateJsonSchema.schema_dialect, "title": "pegboard document", **schema}


def check_schema() -> dict[str, Json]:
    """Return the JSON Schema (2020-12) of what `platform check --json` prints."""
    schema: dict[str, Any] = CheckShape.model_json_schema(schema_generator=_Schema, mode="serialization")
    return {"$schema": GenerateJsonSchema.schema_dialect, **schema, "title": "pegboard check"}


def schema_files() -> dict[str, str]:
    """Return what lies in `schemas/`: contents by file name."""
    return {
        DOCUMENT_FILE: to_json(document_schema(), indent=2) + "\n",
        XML_FILE: xml_schema(),
        CHECK_FILE: to_json(check_schema(), indent=2) + "\n",
    }

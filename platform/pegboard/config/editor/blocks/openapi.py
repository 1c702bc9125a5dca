"""Samples of the block `openapi`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.openapi import OpenapiDeclaration, OpenapiSourceDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    OpenapiDeclaration: {"source": ["petstore"], "operation": ["getPetById"]},
    OpenapiSourceDeclaration: {
        "document": ["openapi/petstore.json"],
        "sha256": ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
        "base_url": ["https://petstore.example/v3"],
        "auth": [{"bearer": "${PETSTORE_TOKEN}"}],
        "operations": [["get*", "findPetsByStatus"]],
        "tags": [["pet"]],
        "exclude": [["delete*"]],
    },
}
